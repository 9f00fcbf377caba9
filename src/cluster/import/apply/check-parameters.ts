/** Whether our driver takes the parameters that imported classes would have. */
import { messageOf, OutgrowError } from "../../../core/errors.ts";
import { CsiError } from "../../../csi/index.ts";
import { readParameters } from "../../drivers/kit/parameters.ts";
import { MEMORY_DRIVER } from "../../drivers/names.ts";
import type { ImportPlan } from "../decide/types.ts";

/** Throws `OBJECT_MALFORMED`, naming the class and the parameter, for one that it does not take. */
export function checkParameters({ stages }: Pick<ImportPlan, "stages">): void {
  for (const { object } of stages.flat()) {
    if (object["provisioner"] !== MEMORY_DRIVER) continue;
    try {
      readParameters((object["parameters"] ?? {}) as Readonly<Record<string, string>>);
    } catch (error) {
      const why = error instanceof CsiError ? error.description : messageOf(error);
      throw new OutgrowError("OBJECT_MALFORMED", `StorageClass ${object.metadata.name}: ${why}`, { cause: error });
    }
  }
}

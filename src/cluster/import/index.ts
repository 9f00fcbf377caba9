/** Somebody's cluster, taken over into the embedded one; README.md says what becomes of what. */
import { type KubeClient, systemTimers } from "../../kube/index.ts";
import type { Machine } from "../controllers/node/index.ts";
import type { MemoryDriver } from "../drivers/index.ts";
import { checkParameters } from "./apply/check-parameters.ts";
import { type ImportOutcome, importObjects } from "./apply/import-objects.ts";
import { standForAll } from "./apply/stand-for-all.ts";
import { planImport } from "./decide/plan-import.ts";
import type { ClassParameters, DumpedObject, ImportPlan } from "./decide/types.ts";

export type { ClassParameters, DumpedObject, Remark } from "./decide/types.ts";

export interface Dump {
  readonly objects: readonly DumpedObject[];
  readonly parameters: ClassParameters;
}

/** What became of a dump. `outcome` is undefined when the same dump was imported before. */
export interface ImportReport {
  readonly plan: Pick<ImportPlan, "added" | "changed" | "leftOut">;
  readonly outcome: ImportOutcome | undefined;
}

export interface ImportPlace {
  readonly client: KubeClient;
  readonly driver: Pick<MemoryDriver, "adopt">;
  readonly node: string;
  readonly machine: Machine;
}

/** Before anybody is at work in the cluster. Throws `OBJECT_MISSING` or `OBJECT_MALFORMED` for parameters that make no sense. */
export async function importDump(dump: Dump, { client, driver, node, machine }: ImportPlace): Promise<ImportReport> {
  const plan = planImport(dump.objects, { node, parameters: dump.parameters });
  checkParameters(plan);
  const adopt = driver.adopt.bind(driver);
  const outcome = await importObjects({ client, adopt, timers: systemTimers }, plan);
  await standForAll(client, node, machine);
  return { plan, outcome };
}

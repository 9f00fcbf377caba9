/** The columns that tell of the containers in a template. */
import type { JsonObject } from "../../json.ts";
import { items, text } from "../fields.ts";
import { type Column, column, WIDE } from "../printer.ts";

/** Names and images of the containers of the pod template at a path. */
export function containerColumns(path: readonly string[], traits: { readonly priority: number } = WIDE): Column[] {
  const each = (field: string) => (object: JsonObject) =>
    items(object, ...path, "spec", "containers")
      .map((container) => text(container, field))
      .join(",");
  return [column("Containers", each("name"), traits), column("Images", each("image"), traits)];
}

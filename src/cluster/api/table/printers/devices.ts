/** Devices and claims to them (resource.k8s.io). */
import type { JsonObject } from "../../json.ts";
import { isDeleting, items, present, text } from "../fields.ts";
import { AGE, column, NAME, printer } from "../printer.ts";

/** Also of templates of claims. */
export const deviceClasses = printer([NAME, AGE]);

export const resourceClaims = printer([NAME, column("State", stateOf), AGE]);

function stateOf(claim: JsonObject): string {
  const deleted = isDeleting(claim);
  if (!present(claim, "status", "allocation")) return deleted ? "deleted" : "pending";
  const reserved = items(claim, "status", "reservedFor").length > 0;
  return [...(deleted ? ["deleted"] : []), "allocated", ...(reserved ? ["reserved"] : [])].join(",");
}

export const resourceSlices = printer([
  NAME,
  column("Node", (slice) => text(slice, "spec", "nodeName")),
  column("Driver", (slice) => text(slice, "spec", "driver")),
  column("Pool", (slice) => text(slice, "spec", "pool", "name")),
  AGE,
]);

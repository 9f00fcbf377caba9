/** What following one source takes: reading its kind, and reporting on it. Nothing of it is in the controller's own role. */
import type { PolicyRule } from "../../statefulset/install/role.ts";
import type { ExpansionSourceSpec } from "../types.ts";

/** The right to read the kind; and, where a condition is reported, to patch its status. Sizes are never written. */
export function rulesForSource({ resource, condition }: ExpansionSourceSpec): PolicyRule[] {
  const { group, plural } = resource;
  return [
    { apiGroups: [group], resources: [plural], verbs: ["get", "list", "watch"] },
    ...(condition === undefined ? [] : [{ apiGroups: [group], resources: [`${plural}/status`], verbs: ["patch"] }]),
  ];
}

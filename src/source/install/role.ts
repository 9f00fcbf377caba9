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

/** A rule on one line of YAML, to be pasted under `rules:` of a role. */
export function ruleText({ apiGroups, resources, verbs }: PolicyRule): string {
  const list = (words: readonly string[]) => `[${words.map((word) => JSON.stringify(word)).join(", ")}]`;
  return `- {apiGroups: ${list(apiGroups)}, resources: ${list(resources)}, verbs: ${list(verbs)}}`;
}

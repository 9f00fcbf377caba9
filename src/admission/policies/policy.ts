/** What our admission policies have in common: which requests they look at, and who is let pass. */
import { RECREATE_MANAGER } from "../../core/names.ts";

/** A named piece of CEL. Later ones may use earlier ones, as `variables.NAME`. */
export interface Variable {
  readonly name: string;
  readonly expression: string;
}

export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

export const API_VERSION = "admissionregistration.k8s.io/v1";

/** Updates of StatefulSets. Creation is never in question: a set that is created again must come back whatever is on it. */
export const STATEFUL_SET_UPDATES = {
  resourceRules: [
    {
      apiGroups: ["apps"],
      apiVersions: ["v1"],
      operations: ["UPDATE"],
      resources: ["statefulsets"],
      scope: "Namespaced",
    },
  ],
  matchPolicy: "Equivalent",
  // As the server fills them in: server-side apply takes these constraints as one value.
  namespaceSelector: {},
  objectSelector: {},
};

/** What our controller itself does to a set passes, or fails, as if there were no policy. */
export const NOT_THE_CONTROLLER: MatchCondition = {
  name: "not-the-controller",
  expression: `request.?options.?fieldManager.orValue('') != '${RECREATE_MANAGER}'`,
};

/** Metadata of a policy, or of the binding of the same name. */
export function named(name: string): { readonly name: string; readonly labels: Readonly<Record<string, string>> } {
  return { name, labels: { "app.kubernetes.io/part-of": "outgrow" } };
}

/** CEL over several lines, without the indentation that it has here. What is put in must be of one line. */
export function cel(strings: TemplateStringsArray, ...values: readonly string[]): string {
  const lines = String.raw({ raw: strings.raw }, ...values)
    .trimEnd()
    .replace(/^\n/, "")
    .split("\n");
  const margin = Math.min(...lines.map((line) => line.search(/\S/)));
  return lines.map((line) => line.slice(margin)).join("\n");
}

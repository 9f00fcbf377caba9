/** What our admission policies have in common: which requests they look at, and who is let pass. */
import { FIELD_MANAGER, RECREATE_MANAGER } from "../../core/names.ts";

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

// The conditions below are in the CEL of the oldest API servers that have any: the webhook's configurations use them too.

/** What our controller itself does to a set passes, or fails, as if there were no policy. */
export const NOT_THE_CONTROLLER: MatchCondition = {
  name: "not-the-controller",
  expression: `!has(request.options.fieldManager) || !(request.options.fieldManager in ['${FIELD_MANAGER}', '${RECREATE_MANAGER}'])`,
};

/** A set that another controller owns is left to it: operators know Kubernetes' own answer, and have their ways with it. */
export const NOT_OWNED: MatchCondition = {
  name: "not-owned",
  expression: cel`
    !has(oldObject.metadata.ownerReferences)
    || !oldObject.metadata.ownerReferences.exists(owner, has(owner.controller) && owner.controller)`,
};

export const TEMPLATES_DIFFER: MatchCondition = {
  name: "templates-differ",
  expression: cel`
    has(object.spec.volumeClaimTemplates) && has(oldObject.spec.volumeClaimTemplates)
    && object.spec.volumeClaimTemplates != oldObject.spec.volumeClaimTemplates`,
};

/** The request adds this annotation, or gives it another value. */
export function brings(annotation: string): string {
  const has = (object: string) =>
    `has(${object}.metadata.annotations) && '${annotation}' in ${object}.metadata.annotations`;
  const same = `object.metadata.annotations['${annotation}'] == oldObject.metadata.annotations['${annotation}']`;
  return `(${has("object")} && !(${has("oldObject")} && ${same}))`;
}

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

/** How sizes that people write get in, on Kubernetes 1.36 and later: policies that the API server itself carries out. */
import { ADMISSION_POLICIES } from "../../admission/policies/index.ts";
import type { InstallOptions } from "./options.ts";
import type { Manifest, Part } from "./part.ts";

const WHY: Readonly<Record<string, string>> = {
  "outgrow-take-wish":
    "A size that somebody writes into a StatefulSet's template becomes a wish; the template stays as it is.",
  "outgrow-check-wish": "A wish that nobody could fulfil is refused at once, in words.",
  "outgrow-check-class":
    "So is one for a storage class that does not allow expansion: each class of the cluster is asked.",
};

/** One part for each policy: itself and its binding; without objects where sizes get in another way. */
export function admissionPolicies({ admission, watched }: InstallOptions): readonly Part[] {
  const policies = ADMISSION_POLICIES as readonly Manifest[];
  return Object.entries(WHY).map(([name, why]) => ({
    name: name.replace("outgrow-", "policy-"),
    objects: (admission === "policies" ? policies : [])
      .filter(({ metadata }) => metadata.name === name)
      .map((object) =>
        object.kind.endsWith("Binding")
          ? { why: "In every namespace where sets grow.", object: bound(object, watched) }
          : { why, object },
      ),
  }));
}

/** A binding for these namespaces: a size that is let in where nobody acts on it would look as if it had been taken, and nothing would happen. */
export function bound(object: Manifest, watched: readonly string[]): Manifest {
  if (watched.length === 0) return object;
  const { spec } = object as Manifest & { readonly spec: object };
  return { ...object, spec: { ...spec, matchResources: matchResources(watched) } };
}

/** With what the server fills in: server-side apply takes all of this as one value. */
function matchResources(watched: readonly string[]): object {
  return { namespaceSelector: among(watched), objectSelector: {}, matchPolicy: "Equivalent" };
}

/** A selector of these namespaces, by the label with its name that every namespace has. */
export function among(namespaces: readonly string[]): object {
  return { matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "In", values: namespaces }] };
}

/** How sizes that people write get in, on Kubernetes 1.36 and later: policies that the API server itself carries out. */
import { ADMISSION_POLICIES } from "../../admission/policies/index.ts";
import type { InstallOptions } from "./options.ts";
import type { Explained, Manifest } from "./part.ts";

const WHY: Readonly<Record<string, string>> = {
  "outgrow-take-wish":
    "A size that somebody writes into a StatefulSet's template becomes a wish; the template stays as it is.",
  "outgrow-check-wish": "A wish that nobody could fulfil is refused at once, in words.",
  "outgrow-check-class":
    "So is one for a storage class that does not allow expansion: each class of the cluster is asked.",
};

export function admissionPolicies({ watched }: InstallOptions): readonly Explained[] {
  return (ADMISSION_POLICIES as readonly Manifest[]).map((object) =>
    object.kind.endsWith("Binding")
      ? { why: "In every namespace where sets grow.", object: bound(object, watched) }
      : { why: WHY[object.metadata.name] ?? "", object },
  );
}

/** A size that is let in where nobody acts on it would look as if it had been taken, and nothing would happen. */
function bound(object: Manifest, watched: readonly string[]): Manifest {
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

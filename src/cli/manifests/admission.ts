/** How sizes that people write get in, on Kubernetes 1.36 and later: policies that the API server itself carries out. */
import { ADMISSION_POLICIES } from "../../admission/policies/index.ts";
import type { Explained, Manifest } from "./part.ts";

const WHY: Readonly<Record<string, string>> = {
  "outgrow-take-wish":
    "A size that somebody writes into a StatefulSet's template becomes a wish; the template stays as it is.",
  "outgrow-check-wish": "A wish that nobody could fulfil is refused at once, in words.",
  "outgrow-check-class":
    "So is one for a storage class that does not allow expansion: each class of the cluster is asked.",
};

export function admissionPolicies(): readonly Explained[] {
  return (ADMISSION_POLICIES as readonly Manifest[]).map((object) => ({
    why: object.kind.endsWith("Binding") ? "In every namespace." : (WHY[object.metadata.name] ?? "A rule for sizes."),
    object,
  }));
}

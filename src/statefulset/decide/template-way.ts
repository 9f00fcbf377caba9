/**
 * How the template of a set comes to its target size: it is there, the API server takes a patch, the set must be
 * re-created, or not now. The claims are grown by plan-claims.ts meanwhile; the two never wait for each other.
 */
import type { StatefulSet } from "../../core/types.ts";
import { type Hold, holdsOnPatch, holdsOnRecreation, type TemplateFacts } from "./holds.ts";
import { type TemplateSizes, templateTarget, withTemplateSizes } from "./template-target.ts";

export type TemplateWay =
  | { readonly kind: "up-to-date" }
  /** Send the difference as one patch, with the uid and resourceVersion of `before`. */
  | { readonly kind: "patch"; readonly before: StatefulSet; readonly after: StatefulSet }
  /** Delete and create: recreate-step.ts knows the steps. */
  | { readonly kind: "re-create"; readonly sizes: TemplateSizes }
  /** Not now; all the reasons, never none. */
  | { readonly kind: "wait"; readonly sizes: TemplateSizes; readonly holds: readonly Hold[] };

export function templateWay(facts: TemplateFacts): TemplateWay {
  const sizes = templateTarget(facts.desired, facts.claims);
  const after = withTemplateSizes(facts.set, sizes);
  if (after === facts.set) return { kind: "up-to-date" };
  const holds = facts.takesEdits ? holdsOnPatch(facts, sizes) : holdsOnRecreation(facts, sizes);
  if (holds.length > 0) return { kind: "wait", sizes, holds };
  return facts.takesEdits ? { kind: "patch", before: facts.set, after } : { kind: "re-create", sizes };
}

/** A claim that has what it asks for. Nothing is left to do, except perhaps to take back what no longer holds. */
import type { ClaimChange } from "../../core/claim-change.ts";
import type { ConditionKind } from "../../core/dialect.ts";
import type { Decision } from "./decision.ts";
import type { ResizeFacts } from "./facts.ts";

const TOLD: readonly ConditionKind[] = ["resizing", "file-system-pending", "controller-error", "node-error"];

/** Nothing is under way any more. */
export const FINISHED: ClaimChange = { state: "none", clear: TOLD };

/**
 * Conditions can outlive what they tell of: on the old way the node may finish before the controller has said that it
 * should begin. A volume that is larger than the claim is left to the node.
 */
export function decideSatisfied({ claim, volume }: ResizeFacts): Decision {
  const over = claim.capacity?.atLeast(volume.capacity) === true;
  if (over && TOLD.some((kind) => claim.conditions.has(kind))) {
    return { kind: "record", change: FINISHED, why: "the conditions tell of an expansion that is over" };
  }
  return { kind: "nothing", why: "the claim has what it asks for" };
}

/**
 * Which changes of a claim a StatefulSet has to hear of. While a claim grows, its status changes several times, and none of
 * that is the set's business: with a thousand claims it would look at all of them all the time.
 */
import { isDeepStrictEqual } from "node:util";
import { readClaim } from "../../../../core/claim.ts";
import type { PersistentVolumeClaim } from "../../../../core/types.ts";

export function isNewsOfClaim(before: PersistentVolumeClaim, after: PersistentVolumeClaim): boolean {
  return !isDeepStrictEqual(concernOf(before), concernOf(after));
}

/** Whose it is, whether it is there to stay, how much it asks for; and all of its status once its growth has failed. */
function concernOf(claim: PersistentVolumeClaim): unknown {
  const { labels, ownerReferences, deletionTimestamp } = claim.metadata;
  const { request, phase, className, state, conditions } = readClaim(claim);
  const failed =
    state === "controller-infeasible" ||
    state === "node-infeasible" ||
    conditions.has("controller-error") ||
    conditions.has("node-error");
  return [
    labels,
    ownerReferences,
    deletionTimestamp,
    request.toString(),
    phase,
    className,
    failed ? claim.status : undefined,
  ];
}

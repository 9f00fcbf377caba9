/**
 * Which pods go because the set wants fewer. From the highest ordinal down; an ordered set removes one at a time, and
 * only while everything below it is well. The one exception is the unhealthy pod itself: waiting for it would be for
 * nothing (processCondemned in stateful_set_control.go).
 */
import { type Facts, isOrdered, isUnavailable, type Slot, type Slots } from "./facts.ts";
import { type Job, podJob, tieJob } from "./job.ts";
import { isRunningAndReady, isTerminating } from "./pod-state.ts";

/** Their claims are tied first: once a pod is gone, nobody knows any more that its claims should go with it. */
export function tieCondemned(facts: Facts, { condemned }: Slots): readonly Job[] {
  return condemned.map((slot) => tieJob("tie", slot, false, facts)).filter(({ ties }) => ties.length > 0);
}

export function scaleDown(facts: Facts, { replicas, condemned }: Slots): readonly Job[] {
  if (!isOrdered(facts))
    return condemned.filter(({ pod }) => !isTerminating(pod)).map((slot) => podJob("delete", slot));
  const [next] = condemned;
  if (next === undefined || isTerminating(next.pod)) return [];
  const firstUnavailable = [...replicas, ...condemned.toReversed()].find((slot) => isUnavailable(facts, slot));
  const isWell = isRunningAndReady(next.pod) && !isUnavailable(facts, next);
  return isWell || next === firstUnavailable ? [podJob("delete", next)] : [];
}

/** Whether an ordered set still has pods to remove: an update waits for that. */
export function isScalingDown(facts: Facts, condemned: readonly Slot[]): boolean {
  return isOrdered(facts) && condemned.length > 0;
}

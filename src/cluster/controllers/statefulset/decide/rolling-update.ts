/**
 * Which pods are to be deleted so that they come back with the new template: from the highest ordinal down to the
 * partition, each one only when those above it are available again. A pod of an old revision goes even if it is broken:
 * it would not get better by waiting.
 */
import { type Facts, isUnavailable, type Slot } from "./facts.ts";
import { isTerminating, revisionOf } from "./pod-state.ts";

/** `leaving`: what is deleted in the same step already. */
export function podsToUpdate(facts: Facts, replicas: readonly Slot[], leaving: ReadonlySet<string>): readonly Slot[] {
  const { type, rollingUpdate } = facts.set.spec.updateStrategy ?? {};
  if (type === "OnDelete") return [];
  const targets = replicas.slice(rollingUpdate?.partition ?? 0).toReversed();
  const isGoing = ({ pod }: Slot): boolean => isTerminating(pod) || leaving.has(pod.metadata.name);
  const isOld = (slot: Slot): boolean => revisionOf(slot.pod) !== facts.update.name && !isGoing(slot);
  const isDown = (slot: Slot): boolean => isGoing(slot) || isUnavailable(facts, slot);

  if (facts.honoursMaxUnavailable) {
    const room = maxUnavailable(rollingUpdate?.maxUnavailable, replicas.length) - replicas.filter(isDown).length;
    return targets.filter(isOld).slice(0, Math.max(0, room));
  }
  const first = targets.find((slot) => isOld(slot) || isDown(slot));
  return first !== undefined && isOld(first) ? [first] : [];
}

/** A number, or a share of the replicas, rounded down; at least one. */
function maxUnavailable(written: number | string | undefined, replicas: number): number {
  const share = /^(\d+)%$/.exec(String(written ?? 1));
  const number = share === null ? Number(written ?? 1) : Math.floor((Number(share[1]) * replicas) / 100);
  return Math.max(1, Number.isFinite(number) ? number : 1);
}

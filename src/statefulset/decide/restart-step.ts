/**
 * Which pod to restart so that its volumes can grow (`restartPods: WhenNeeded`). It is evicted, so that disruption budgets
 * are honoured; one at a time, from the highest ordinal down, and never while another pod of the set is not ready.
 *
 * A restart is needed where the driver refuses to grow a volume that is in use, and where the file system has waited for
 * its node for a while although the pod runs: some drivers grow it only when it is mounted. Drivers that grow
 * online say the same for a moment, so that is not taken for a need at once.
 *
 * A StatefulSet makes the pod anew the moment that the old one is gone, which is mostly before the storage has grown. So
 * the old one is held by a finalizer: its containers stop and its volumes are unmounted, but its name stays taken until
 * the storage has grown, or has had its time.
 *
 * A restart and a re-creation of the set stay out of each other's way: whichever began first is brought to its end (holds.ts).
 */
import { fromTimestamp } from "../../core/clock.ts";
import { conditionTypes } from "../../core/dialect.ts";
import type { PersistentVolumeClaim, Pod, StatefulSet } from "../../core/types.ts";
import type { VolumeExpansionSpec } from "../types.ts";
import { ordinalRange, splitOrdinal } from "./claim-ownership.ts";
import type { ClaimPlan } from "./plan-claims.ts";
import { hasFinalizer, RECREATE_FINALIZER } from "./saved-set.ts";

export interface RestartFacts {
  readonly set: StatefulSet;
  readonly plans: readonly ClaimPlan[];
  readonly claims: Iterable<PersistentVolumeClaim>;
  /** The pods of the set (`podsOf`). */
  readonly pods: readonly Pod[];
  readonly mode: VolumeExpansionSpec["restartPods"];
  readonly now: number;
}

export type RestartStep =
  | { readonly kind: "nothing" }
  /** Evict this very pod (by its uid). `hold`: with our finalizer on it, so that its name stays taken. */
  | { readonly kind: "evict"; readonly pod: Pod; readonly hold: boolean }
  /** Take our finalizer off these pods. */
  | { readonly kind: "let-go"; readonly pods: readonly Pod[] }
  /**
   * Not the next one now. `needed`: one is needed or under way; else one may be, later. `at`: when to look again, if no news
   * will tell.
   */
  | {
      readonly kind: "wait";
      readonly pod: string;
      readonly reason: string;
      readonly needed: boolean;
      readonly at?: number;
    };

/** On a pod that is restarted: it does not make room for its successor before its volumes have grown. */
export const RESTART_FINALIZER = "outgrow.dev/restart";

/** A pod is held for so long at most, in milliseconds: a little longer than csi-resizer may wait between two attempts. */
export const HOLD_FOR = 6 * 60_000;

/** A file system that has waited for its node for so long, in milliseconds, is not going to grow under a running pod. */
export const NODE_PATIENCE = 2 * 60_000;

/** A pod that was restarted in vain is not restarted again before it is this old, in milliseconds. */
export const RESTART_AGAIN = 60_000;

export function restartStep(facts: RestartFacts): RestartStep {
  const { set, plans, claims, pods, mode, now } = facts;
  const free = heldPods(pods).filter((pod) => !isHeldForGood(pod, facts));
  if (free.length > 0) return { kind: "let-go", pods: free };
  if (mode !== "WhenNeeded") return { kind: "nothing" };
  const objects = new Map([...claims].map((claim) => [claim.metadata.name, claim]));
  /** By ordinal: since when a restart would help. */
  const needs = new Map<number, number>();
  let later: RestartStep = { kind: "nothing" };
  for (const plan of plans) {
    const since = plan.inRange ? neededSince(plan, objects.get(plan.name)) : undefined;
    if (since === undefined) continue;
    if (plan.kind === "waiting" && plan.for === "node" && now - since < NODE_PATIENCE) {
      const wait = waitFor(podName(set, plan.ordinal), "the node to grow its file system", since + NODE_PATIENCE);
      later = { ...wait, needed: false };
      continue;
    }
    needs.set(plan.ordinal, Math.max(since, needs.get(plan.ordinal) ?? 0));
  }
  const [highest] = [...needs.keys()].sort((a, b) => b - a);
  if (highest === undefined) return later;

  const byOrdinal = new Map(pods.map((pod) => [splitOrdinal(pod.metadata.name).ordinal, pod]));
  const { start, end } = ordinalRange(set);
  for (let ordinal = end - 1; ordinal >= start; ordinal--) {
    const pod = byOrdinal.get(ordinal);
    const name = podName(set, ordinal);
    if (pod === undefined) return waitFor(name, `${name} to come back`);
    if (pod.metadata.deletionTimestamp !== undefined) {
      return isHeld(pod)
        ? waitFor(name, `the volumes of ${name} to grow while it is stopped`, heldUntil(pod))
        : waitFor(name, `${name} to stop`);
    }
    // One that is not ready and needs the restart itself is no reason to wait: its disk may be full.
    if (!isReady(pod) && (!needs.has(ordinal) || isRestarted(pod, needs.get(ordinal)))) {
      return waitFor(name, `${name} to be ready`);
    }
  }
  if (hasFinalizer(set, RECREATE_FINALIZER)) return waitFor(podName(set, highest), "the set to be re-created");
  const inUse = new Set(plans.flatMap((plan) => (isWaitingFor(plan, "release") ? [plan.ordinal] : [])));
  return evictOne(set, needs, inUse, byOrdinal, now);
}

/** Whether pods are being restarted, or the next one is about to be. What may only turn out to be needed does not count. */
export function isRestarting(step: RestartStep): boolean {
  return step.kind === "wait" ? step.needed : step.kind !== "nothing";
}

/** The pods that carry our finalizer. */
export function heldPods(pods: readonly Pod[]): readonly Pod[] {
  return pods.filter(isHeld);
}

function isHeld({ metadata }: Pod): boolean {
  return metadata.finalizers?.includes(RESTART_FINALIZER) === true;
}

/** Whether there still is a volume that grows better without the pod. One that was refused for good is not waited for. */
function isHeldForGood(pod: Pod, { plans, mode, now }: RestartFacts): boolean {
  if (mode !== "WhenNeeded" || now >= heldUntil(pod)) return false;
  const { ordinal } = splitOrdinal(pod.metadata.name);
  return plans.some(
    (plan) => plan.ordinal === ordinal && (isWaitingFor(plan, "release") || isWaitingFor(plan, "resizer")),
  );
}

function heldUntil({ metadata }: Pod): number {
  const since = fromTimestamp(metadata.deletionTimestamp);
  return since === undefined ? Number.POSITIVE_INFINITY : since + HOLD_FOR;
}

function isWaitingFor(plan: ClaimPlan, what: "release" | "resizer"): boolean {
  return plan.kind === "waiting" && plan.for === what;
}

/** The highest that needs it. One that was restarted in vain is waited for before anybody else is restarted. */
function evictOne(
  set: StatefulSet,
  needs: ReadonlyMap<number, number>,
  inUse: ReadonlySet<number>,
  byOrdinal: ReadonlyMap<number, Pod>,
  now: number,
): RestartStep {
  const inOrder = [...needs.keys()].sort((a, b) => b - a);
  for (const ordinal of inOrder) {
    const pod = byOrdinal.get(ordinal);
    const at = (fromTimestamp(pod?.metadata.creationTimestamp) ?? 0) + RESTART_AGAIN;
    if (pod === undefined || !isRestarted(pod, needs.get(ordinal)) || now >= at) continue;
    return waitFor(podName(set, ordinal), "its volumes to grow after the restart", at);
  }
  const [highest = -1] = inOrder;
  const pod = byOrdinal.get(highest);
  return pod === undefined ? { kind: "nothing" } : { kind: "evict", pod, hold: inUse.has(highest) };
}

/** Since when a claim waits for something that a restart brings; undefined when it does not. */
function neededSince(plan: ClaimPlan, claim: PersistentVolumeClaim | undefined): number | undefined {
  if (plan.kind !== "waiting" || claim === undefined) return undefined;
  if (plan.for !== "release" && plan.for !== "node") return undefined;
  const types = conditionTypes(plan.for === "node" ? "file-system-pending" : "controller-error");
  const condition = claim.status?.conditions?.find(({ type, status }) => types.has(type) && status === "True");
  return condition === undefined ? undefined : (fromTimestamp(condition.lastTransitionTime) ?? 0);
}

function isRestarted({ metadata }: Pod, since = 0): boolean {
  return (fromTimestamp(metadata.creationTimestamp) ?? 0) > since;
}

function isReady({ status }: Pod): boolean {
  return status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") === true;
}

function podName({ metadata }: StatefulSet, ordinal: number): string {
  return `${metadata.name}-${ordinal}`;
}

function waitFor(pod: string, what: string, at?: number): Extract<RestartStep, { kind: "wait" }> {
  return { kind: "wait", pod, reason: `waits for ${what}`, needed: true, ...(at === undefined ? {} : { at }) };
}

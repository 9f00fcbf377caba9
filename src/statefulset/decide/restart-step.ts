/**
 * Which pod to restart so that its volumes can grow (`restartPods: WhenNeeded`). It is evicted, so that disruption budgets
 * are honoured; one at a time, from the highest ordinal down, and never while another pod of the set is not ready.
 *
 * A restart is needed where the driver refuses to grow a volume that is in use, and where the file system has waited for
 * its node for a while although the pod runs: some drivers grow it only when it is mounted. Drivers that grow
 * online say the same for a moment, so that is not taken for a need at once.
 */
import { fromTimestamp } from "../../core/clock.ts";
import { conditionTypes } from "../../core/dialect.ts";
import type { PersistentVolumeClaim, Pod, StatefulSet } from "../../core/types.ts";
import type { VolumeExpansionSpec } from "../types.ts";
import { ordinalRange, splitOrdinal } from "./claim-ownership.ts";
import type { ClaimPlan } from "./plan-claims.ts";

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
  /** Evict this very pod (by its uid). */
  | { readonly kind: "evict"; readonly pod: Pod }
  /** A restart is needed or under way, but not the next one now. `at`: when to look again, if no news will tell. */
  | { readonly kind: "wait"; readonly pod: string; readonly reason: string; readonly at?: number };

/** A file system that has waited for its node for so long, in milliseconds, is not going to grow under a running pod. */
export const NODE_PATIENCE = 2 * 60_000;

/** A pod that was restarted in vain is not restarted again before it is this old, in milliseconds. */
export const RESTART_AGAIN = 5 * 60_000;

export function restartStep({ set, plans, claims, pods, mode, now }: RestartFacts): RestartStep {
  if (mode !== "WhenNeeded") return { kind: "nothing" };
  const objects = new Map([...claims].map((claim) => [claim.metadata.name, claim]));
  /** By ordinal: since when a restart would help. */
  const needs = new Map<number, number>();
  let later: RestartStep = { kind: "nothing" };
  for (const plan of plans) {
    const since = plan.inRange ? neededSince(plan, objects.get(plan.name)) : undefined;
    if (since === undefined) continue;
    if (plan.kind === "waiting" && plan.for === "node" && now - since < NODE_PATIENCE) {
      later = waitFor(podName(set, plan.ordinal), "the node to grow its file system", since + NODE_PATIENCE);
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
    if (pod.metadata.deletionTimestamp !== undefined) return waitFor(name, `${name} to stop`);
    // One that is not ready and needs the restart itself is no reason to wait: its disk may be full.
    if (!isReady(pod) && (!needs.has(ordinal) || isRestarted(pod, needs.get(ordinal)))) {
      return waitFor(name, `${name} to be ready`);
    }
  }
  return evictOne(set, needs, byOrdinal, now);
}

/** The highest that has not been restarted for this yet, or not lately. */
function evictOne(
  set: StatefulSet,
  needs: ReadonlyMap<number, number>,
  byOrdinal: ReadonlyMap<number, Pod>,
  now: number,
): RestartStep {
  let earliest: { readonly ordinal: number; readonly at: number } | undefined;
  for (const ordinal of [...needs.keys()].sort((a, b) => b - a)) {
    const pod = byOrdinal.get(ordinal);
    if (pod === undefined) continue;
    const created = fromTimestamp(pod.metadata.creationTimestamp) ?? 0;
    if (!isRestarted(pod, needs.get(ordinal)) || now - created >= RESTART_AGAIN) return { kind: "evict", pod };
    const at = created + RESTART_AGAIN;
    if (earliest === undefined || at < earliest.at) earliest = { ordinal, at };
  }
  if (earliest === undefined) return { kind: "nothing" };
  return waitFor(podName(set, earliest.ordinal), "its volumes to grow after the restart", earliest.at);
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

function waitFor(pod: string, what: string, at?: number): RestartStep {
  return { kind: "wait", pod, reason: `waits for ${what}`, ...(at === undefined ? {} : { at }) };
}

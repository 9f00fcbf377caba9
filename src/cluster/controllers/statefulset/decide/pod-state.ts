/** How far a pod is, in the words that the rules of StatefulSets use (stateful_set_utils.go, pkg/api/v1/pod). */
import { fromTimestamp } from "../../../../core/clock.ts";
import type { Condition, Pod } from "../../../../core/types.ts";
import { REVISION_LABEL } from "./names.ts";

/** The API server gives every pod a phase: one without has not been created yet. */
export function isCreated(pod: Pod): boolean {
  return (pod.status?.phase ?? "") !== "";
}

export function isPending(pod: Pod): boolean {
  return pod.status?.phase === "Pending";
}

/** It ended, well or not. A pod that was evicted may have either phase, so both are replaced. */
export function isFinished(pod: Pod): boolean {
  return pod.status?.phase === "Failed" || pod.status?.phase === "Succeeded";
}

export function isTerminating(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined;
}

export function isReady(pod: Pod): boolean {
  return readyCondition(pod) !== undefined;
}

export function isRunningAndReady(pod: Pod): boolean {
  return pod.status?.phase === "Running" && isReady(pod);
}

/** Ready for at least so many seconds. */
export function isAvailable(pod: Pod, minReadySeconds: number, now: number): boolean {
  if (!isReady(pod)) return false;
  return minReadySeconds === 0 || (availableAt(pod, minReadySeconds) ?? Number.POSITIVE_INFINITY) <= now;
}

/** When a ready pod counts as available; undefined for one that is not ready, or does not say since when. */
export function availableAt(pod: Pod, minReadySeconds: number): number | undefined {
  const since = fromTimestamp(readyCondition(pod)?.lastTransitionTime);
  return since === undefined ? undefined : since + minReadySeconds * 1000;
}

/** The revision that it was made from; empty when it does not say. */
export function revisionOf(pod: Pod): string {
  return pod.metadata.labels?.[REVISION_LABEL] ?? "";
}

function readyCondition(pod: Pod): Condition | undefined {
  const ready = pod.status?.conditions?.find(({ type }) => type === "Ready");
  return ready?.status === "True" ? ready : undefined;
}

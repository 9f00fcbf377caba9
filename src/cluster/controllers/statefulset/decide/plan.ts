/**
 * The next step of a StatefulSet: what to do about its pods, in which order, and what its status is then. Decided anew
 * each time from what is there, so that any process can go on where another stopped.
 *
 * The order is upstream's (updateStatefulSet in stateful_set_control.go): first the replicas are brought to life, then the
 * claims of pods that go are tied, then those pods go, and only then the rest is updated.
 */
import { type Facts, isOrdered, slotsOf } from "./facts.ts";
import { type Job, podJob } from "./job.ts";
import { availableAt, isAvailable, isReady } from "./pod-state.ts";
import { replicaJobs } from "./replicas.ts";
import { podsToUpdate } from "./rolling-update.ts";
import { isScalingDown, scaleDown, tieCondemned } from "./scale-down.ts";
import { type SetStatus, statusOf } from "./status.ts";

export interface Plan {
  /**
   * Phases, none of them empty. The next one is begun when every job of the one before went well. Within a phase an
   * ordered set goes from job to job, and a failure is the end; a parallel one may do them side by side.
   */
  readonly phases: readonly (readonly Job[])[];
  readonly ordered: boolean;
  /** What to write when everything went well. */
  readonly status: SetStatus;
  /** What to write when something failed. */
  readonly statusIfFailed: SetStatus;
  /** When a pod that is ready will have been so for long enough (milliseconds since the epoch). */
  readonly lookAgainAt: number | undefined;
}

export function planSet(facts: Facts): Plan {
  const plan = {
    ordered: isOrdered(facts),
    status: statusOf(facts),
    statusIfFailed: statusOf(facts),
    lookAgainAt: nextAvailability(facts),
  };
  // Who deletes the set decides what becomes of its pods; it is not for us to get in the way.
  if (facts.set.metadata.deletionTimestamp !== undefined) return { ...plan, phases: [] };

  const slots = slotsOf(facts);
  const replicas = replicaJobs(facts, slots.replicas);
  const phases = [replicas.jobs];
  if (!replicas.settled) return { ...plan, phases: withoutEmpty(phases) };

  phases.push(tieCondemned(facts, slots), scaleDown(facts, slots));
  if (isScalingDown(facts, slots.condemned)) return { ...plan, phases: withoutEmpty(phases) };

  const leaving = new Set(phases.flat().flatMap(({ verb, pod }) => (verb === "delete" ? [pod.metadata.name] : [])));
  const restarts = podsToUpdate(facts, slots.replicas, leaving);
  phases.push(restarts.map((slot) => podJob("delete", slot)));
  return { ...plan, phases: withoutEmpty(phases), status: statusOf(facts, restarts.length) };
}

function withoutEmpty(phases: readonly (readonly Job[])[]): readonly (readonly Job[])[] {
  return phases.filter((jobs) => jobs.length > 0);
}

function nextAvailability({ set, pods, now }: Facts): number | undefined {
  const { minReadySeconds = 0 } = set.spec;
  const moments = pods
    .filter((pod) => isReady(pod) && !isAvailable(pod, minReadySeconds, now))
    .flatMap((pod) => availableAt(pod, minReadySeconds) ?? []);
  return moments.length === 0 ? undefined : Math.min(...moments);
}

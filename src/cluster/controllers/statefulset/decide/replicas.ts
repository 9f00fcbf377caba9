/**
 * What the replicas need, in the order of their ordinals. An ordered set does not look beyond the first one that is not
 * yet as it should be; a parallel one deals with all of them at once (processReplica in stateful_set_control.go).
 */
import { type Facts, isOrdered, isUnavailable, type Slot } from "./facts.ts";
import { claimsJob, claimsOfSlot, type Job, podJob, tieJob } from "./job.ts";
import { POD_NAME_LABEL } from "./names.ts";
import { mountsItsClaims } from "./new-pod.ts";
import { isFinished, isPending, isRunningAndReady, isTerminating } from "./pod-state.ts";
import { isLeaving } from "./retention.ts";

export interface ReplicaJobs {
  readonly jobs: readonly Job[];
  /** Whether all replicas are as they should be, as far as the order demands it: only then anything else is done. */
  readonly settled: boolean;
}

export function replicaJobs(facts: Facts, replicas: readonly Slot[]): ReplicaJobs {
  const ordered = isOrdered(facts);
  const jobs: Job[] = [];
  for (const slot of replicas) {
    const { jobs: more, waits } = replicaJob(facts, slot);
    jobs.push(...more);
    if (waits && ordered) return { jobs, settled: false };
  }
  return { jobs, settled: true };
}

/** `waits`: those after it are not due before this one is done. */
function replicaJob(facts: Facts, slot: Slot): { readonly jobs: readonly Job[]; readonly waits: boolean } {
  const { set, claim } = facts;
  const { pod } = slot;
  if (isFinished(pod)) return { jobs: isTerminating(pod) ? [] : [podJob("delete", slot)], waits: true };
  if (slot.isNew) {
    const leaving = claimsOfSlot(set, slot).some((name) => {
      const present = claim(name);
      return present !== undefined && isLeaving(present, set, pod);
    });
    return { jobs: leaving ? [] : [claimsJob("create", slot, facts)], waits: true };
  }
  const jobs: Job[] = [];
  const waits = isUnavailable(facts, slot) || !isRunningAndReady(pod);
  const pending = isPending(pod);
  if (pending) {
    const fill = claimsJob("fill", slot, facts);
    if (fill.missing.length > 0 || fill.dying.length > 0 || fill.ties.length > 0) jobs.push(fill);
  }
  if (waits && isOrdered(facts)) return { jobs, waits };
  // The claims of a pending pod have been seen to above.
  const mend = pending ? podJob("update", slot) : tieJob("update", slot, true, facts);
  const mends = !isMember(facts, slot);
  if (mends || mend.ties.length > 0) jobs.push({ ...mend, mends });
  return { jobs, waits };
}

function isMember({ set }: Facts, { pod, ordinal }: Slot): boolean {
  return pod.metadata.labels?.[POD_NAME_LABEL] === pod.metadata.name && mountsItsClaims(set, pod, ordinal);
}

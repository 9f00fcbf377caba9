/** The reasons not to re-create a set now that lie with its pods; holds.ts has the others, and the order. */
import type { Pod, StatefulSet } from "../../core/types.ts";
import type { Hold, TemplateFacts } from "./holds.ts";
import { namesOf } from "./names-of.ts";
import { controllerOf } from "./references.ts";
import { heldPods } from "./restart-step.ts";
import { hasFinalizer, RECREATE_FINALIZER } from "./saved-set.ts";

/**
 * A new set takes every pod for one of the newest revision, so a rollout that is half-way would be forgotten and finish
 * behind everybody's back (status is reset on creation). With OnDelete the revisions of the status never meet again; there the pods tell.
 */
export function rolloutUnderWay({ set }: TemplateFacts): Hold | undefined {
  const { currentRevision, updateRevision } = set.status ?? {};
  if (currentRevision === updateRevision || isOnDelete(set)) return undefined;
  const partition = set.spec.updateStrategy?.rollingUpdate?.partition ?? 0;
  if (partition > 0) {
    const reason = `an update is held at partition ${partition}: re-creating the set would forget which pods stay old`;
    return hold("partition", "set", `${reason}; lower the partition to 0 or undo the update`);
  }
  return hold("rollout", "set", "pods are being updated; the template follows when that is done");
}

export function oldPods({ set, pods }: TemplateFacts): Hold | undefined {
  const newest = set.status?.updateRevision;
  const old = pods.filter(({ metadata }) => metadata.labels?.["controller-revision-hash"] !== newest);
  if (old.length === 0) return undefined;
  const wayOut = isOnDelete(set) ? "; delete them to have them updated (strategy OnDelete)" : "";
  return hold("old-pods", "pods", `${namesOf(old)} still of an older revision${wayOut}`);
}

function isOnDelete(set: StatefulSet): boolean {
  return set.spec.updateStrategy?.type === "OnDelete";
}

export function scaling({ set, pods }: TemplateFacts): Hold | undefined {
  const wanted = set.spec.replicas ?? 1;
  const { replicas = 0, updatedReplicas = 0 } = set.status ?? {};
  if (replicas === wanted && updatedReplicas === wanted && pods.length === wanted) return undefined;
  const allThere = replicas === wanted && pods.length === wanted;
  const missing = allThere
    ? `${updatedReplicas} of ${wanted} pods of the newest revision`
    : `${pods.length} of ${wanted} pods`;
  return hold("scaling", "pods", `the set has ${missing}`);
}

/**
 * A pod that is held back would not be adopted, and the next one would be stopped in the middle. A re-creation that has begun
 * is not undone for a restart that is still to come: that one waits (restart-step.ts).
 */
export function podsRestarting({ set, pods, restarting }: TemplateFacts): Hold | undefined {
  const isNext = restarting === true && !hasFinalizer(set, RECREATE_FINALIZER);
  if (!isNext && heldPods(pods).length === 0) return undefined;
  return hold(
    "restarting",
    "pods",
    "pods are being restarted so that their volumes can grow; the template follows when that is done",
  );
}

export function podDeleting({ pods }: TemplateFacts): Hold | undefined {
  const going = pods.filter((pod) => pod.metadata.deletionTimestamp !== undefined);
  if (going.length === 0) return undefined;
  return hold("pod-deleting", "pods", `${namesOf(going)} being deleted; a set does not adopt such pods`);
}

export function podNotAdopted({ set, pods }: TemplateFacts): Hold | undefined {
  const [pod] = notAdopted(set, pods);
  if (pod === undefined) return undefined;
  const owner = controllerOf(pod);
  const whose = owner === undefined ? "has no owner yet" : `belongs to ${owner.kind} ${owner.name} (${owner.uid})`;
  return hold(
    "pod-not-adopted",
    "pods",
    `pod ${pod.metadata.name} ${whose}; the set must have adopted all of its pods`,
  );
}

/** The pods that do not belong to this very set. */
export function notAdopted(set: StatefulSet, pods: readonly Pod[]): readonly Pod[] {
  return pods.filter((pod) => controllerOf(pod)?.uid !== set.metadata.uid);
}

function hold(id: Hold["id"], on: "set" | "pods", reason: string): Hold {
  return { id, reason, lookAgain: { on } };
}

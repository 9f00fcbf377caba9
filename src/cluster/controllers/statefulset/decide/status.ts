/** What a StatefulSet says about itself (computeReplicaStatus and completeRollingUpdate in stateful_set_control.go). */
import type { Condition, Pod, StatefulSet } from "../../../../core/types.ts";
import type { Facts } from "./facts.ts";
import { isAvailable, isCreated, isRunningAndReady, isTerminating, revisionOf } from "./pod-state.ts";

export interface SetStatus {
  readonly observedGeneration: number;
  readonly replicas: number;
  readonly readyReplicas: number;
  readonly availableReplicas: number;
  readonly currentReplicas: number;
  readonly updatedReplicas: number;
  readonly currentRevision: string;
  readonly updateRevision: string;
  readonly collisionCount: number;
}

/** The status as the pods are now. `restarted`: this many have just been deleted to get the new template. */
export function statusOf(facts: Facts, restarted = 0): SetStatus {
  const { set, current, update, now } = facts;
  const pods = facts.pods.filter(isCreated);
  const at = (revision: string): number =>
    pods.filter((pod) => !isTerminating(pod) && revisionOf(pod) === revision).length;
  const isUp = (pod: Pod): boolean => isRunningAndReady(pod) && isAvailable(pod, set.spec.minReadySeconds ?? 0, now);
  return completed(set, {
    observedGeneration: set.metadata.generation ?? 0,
    replicas: pods.length,
    readyReplicas: pods.filter(isRunningAndReady).length,
    availableReplicas: pods.filter(isUp).length,
    currentReplicas: at(current.name) - restarted,
    updatedReplicas: at(update.name),
    currentRevision: current.name,
    updateRevision: update.name,
    collisionCount: facts.collisions,
  });
}

/** The set's conditions with ours among them, or without it (null); undefined when they are as they should be. */
export function changedConditions(
  set: StatefulSet,
  type: string,
  wanted: Omit<Condition, "type"> | null,
): readonly Condition[] | undefined {
  const before = set.status?.conditions ?? [];
  const old = before.find((condition) => condition.type === type);
  const others = before.filter((condition) => condition.type !== type);
  if (wanted === null) return old === undefined ? undefined : others;
  if (old?.status === wanted.status && old.reason === wanted.reason && old.message === wanted.message) return undefined;
  const since = old?.status === wanted.status ? old.lastTransitionTime : wanted.lastTransitionTime;
  return [...others, { type, ...wanted, lastTransitionTime: since ?? null }];
}

/** What of the status differs from what the set says; undefined when nothing does. */
export function changedStatus(set: StatefulSet, status: SetStatus): Partial<SetStatus> | undefined {
  const before = { ...UNSAID, ...set.status };
  const changed = Object.entries(status).filter(([field, value]) => before[field as keyof SetStatus] !== value);
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

/** What a field means that is not there: Go leaves out what is zero, but for the one that is a pointer. */
const UNSAID: Omit<SetStatus, "collisionCount"> = {
  observedGeneration: 0,
  replicas: 0,
  readyReplicas: 0,
  availableReplicas: 0,
  currentReplicas: 0,
  updatedReplicas: 0,
  currentRevision: "",
  updateRevision: "",
};

/** An update is over when every replica has the new template and is ready; then it is where the set comes from. */
function completed({ spec }: StatefulSet, status: SetStatus): SetStatus {
  const wanted = spec.replicas ?? 1;
  const { replicas, readyReplicas, updatedReplicas, updateRevision } = status;
  const isOver =
    (spec.updateStrategy?.type ?? "RollingUpdate") === "RollingUpdate" &&
    replicas === wanted &&
    readyReplicas === wanted &&
    updatedReplicas === wanted;
  return isOver ? { ...status, currentReplicas: updatedReplicas, currentRevision: updateRevision } : status;
}

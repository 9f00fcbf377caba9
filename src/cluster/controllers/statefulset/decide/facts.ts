/** What is known about a StatefulSet when its next step is decided. */
import type { PersistentVolumeClaim, Pod, StatefulSet } from "../../../../core/types.ts";
import { ordinalRange } from "../../../../statefulset/decide/claim-ownership.ts";
import { ordinalOf } from "./names.ts";
import { newPod } from "./new-pod.ts";
import { isAvailable, isTerminating } from "./pod-state.ts";
import type { PodTemplate } from "./revision.ts";

/** A revision by its name, and the template that it stands for. */
export interface RevisionFact {
  readonly name: string;
  readonly template: PodTemplate;
}

export interface Facts {
  readonly set: StatefulSet;
  /** The set's own pods. */
  readonly pods: readonly Pod[];
  /** The claim of the set's namespace with this name. */
  readonly claim: (name: string) => PersistentVolumeClaim | undefined;
  /** Where the set comes from, and where it goes; the same when nothing is being rolled out. */
  readonly current: RevisionFact;
  readonly update: RevisionFact;
  /** How often a revision's name was taken by another one. */
  readonly collisions: number;
  /** Whether `maxUnavailable` counts: Kubernetes' gate MaxUnavailableStatefulSet, off by default in 1.36. */
  readonly honoursMaxUnavailable: boolean;
  readonly now: number;
}

/** One ordinal and its pod: as it is, or as it is to be made. */
export interface Slot {
  readonly ordinal: number;
  readonly pod: Pod;
  readonly isNew: boolean;
}

export interface Slots {
  /** What the set wants, ascending, without a gap. */
  readonly replicas: readonly Slot[];
  /** What it no longer wants, descending: the order in which they go. */
  readonly condemned: readonly Slot[];
}

export function slotsOf(facts: Facts): Slots {
  const { set } = facts;
  const { start, end } = ordinalRange(set);
  const present = new Map<number, Pod>();
  for (const pod of facts.pods) {
    const ordinal = ordinalOf(set, pod.metadata.name);
    if (ordinal !== undefined) present.set(ordinal, pod);
  }
  const replicas: Slot[] = [];
  for (let ordinal = start; ordinal < end; ordinal++) {
    const pod = present.get(ordinal);
    const { name, template } = revisionFor(facts, ordinal - start);
    if (pod === undefined) replicas.push({ ordinal, pod: newPod(set, template, name, ordinal), isNew: true });
    else replicas.push({ ordinal, pod, isNew: false });
    present.delete(ordinal);
  }
  const condemned = [...present].sort(([a], [b]) => b - a).map(([ordinal, pod]) => ({ ordinal, pod, isNew: false }));
  return { replicas, condemned };
}

/** Whether the set makes and removes its pods one after the other. */
export function isOrdered({ set }: Facts): boolean {
  return set.spec.podManagementPolicy !== "Parallel";
}

export function isUnavailable({ set, now }: Facts, { pod }: Slot): boolean {
  return isTerminating(pod) || !isAvailable(pod, set.spec.minReadySeconds ?? 0, now);
}

/** Below the partition, and while the first replicas of an unpartitioned update are still the old ones, the old template. */
function revisionFor({ set, current, update }: Facts, index: number): RevisionFact {
  const { type, rollingUpdate } = set.spec.updateStrategy ?? {};
  if (rollingUpdate !== undefined) return index < (rollingUpdate.partition ?? 0) ? current : update;
  return type === "RollingUpdate" && index < (set.status?.currentReplicas ?? 0) ? current : update;
}

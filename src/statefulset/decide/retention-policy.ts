/**
 * The retention policy of a set, made harmless while the set is re-created and put back afterwards.
 *
 * With any policy but Retain/Retain the StatefulSet controller ties claims to the set or to its pods by owner references,
 * and a reference that survives the old set lets the garbage collector delete the claim (garbagecollector.go). So the
 * policy is suspended first. What it was is written on the set itself, by the same patch: whatever crashes and whatever
 * is lost, the set knows its own policy, and a person can see it.
 */
import type { RetentionPolicy, StatefulSet } from "../../core/types.ts";

/** On a set whose retention policy is suspended: the policy that is to come back. */
export const SUSPENDED_POLICY = "outgrow.dev/suspended-retention-policy";

const SAFE = { whenDeleted: "Retain", whenScaled: "Retain" } as const;

/** Whether the policy never ties a claim to anything. No policy at all is Retain/Retain. */
export function isSafePolicy(policy: RetentionPolicy | undefined): boolean {
  return (policy?.whenDeleted ?? "Retain") === "Retain" && (policy?.whenScaled ?? "Retain") === "Retain";
}

/** Whether the set's own policy waits to be put back. */
export function isSuspended(set: StatefulSet): boolean {
  return set.metadata.annotations?.[SUSPENDED_POLICY] !== undefined;
}

/**
 * The set with a harmless policy, and the one it had noted on it; the same object when its policy is harmless already.
 * A policy that somebody set while another was suspended is the newer word, so that is the one to come back.
 */
export function suspendPolicy(set: StatefulSet): StatefulSet {
  const policy = set.spec.persistentVolumeClaimRetentionPolicy;
  if (isSafePolicy(policy)) return set;
  return {
    ...set,
    metadata: {
      ...set.metadata,
      annotations: { ...set.metadata.annotations, [SUSPENDED_POLICY]: format(policy ?? {}) },
    },
    spec: { ...set.spec, persistentVolumeClaimRetentionPolicy: { ...SAFE } },
  };
}

/** The set with its own policy back; the same object when none is suspended. A policy set meanwhile stays. */
export function resumePolicy(set: StatefulSet): StatefulSet {
  const { [SUSPENDED_POLICY]: suspended, ...annotations } = set.metadata.annotations ?? {};
  if (suspended === undefined) return set;
  const { persistentVolumeClaimRetentionPolicy: policy } = set.spec;
  return {
    ...set,
    metadata: { ...set.metadata, annotations },
    spec: {
      ...set.spec,
      persistentVolumeClaimRetentionPolicy: isSafePolicy(policy) ? parse(suspended) : { ...policy },
    },
  };
}

/** `whenDeleted=Delete,whenScaled=Retain` */
function format({ whenDeleted = "Retain", whenScaled = "Retain" }: RetentionPolicy): string {
  return `whenDeleted=${whenDeleted},whenScaled=${whenScaled}`;
}

/** What is not one of the two words that Kubernetes knows reads as Retain: in doubt nothing is deleted. */
function parse(text: string): RetentionPolicy {
  const deletes = (when: string): string => (text.split(",").includes(`${when}=Delete`) ? "Delete" : "Retain");
  return { whenDeleted: deletes("whenDeleted"), whenScaled: deletes("whenScaled") };
}

/**
 * What `persistentVolumeClaimRetentionPolicy` makes of a claim: owner references, by which the garbage collector deletes
 * it together with the set or with the pod. The controller itself never deletes a claim.
 *
 * | whenScaled | whenDeleted | its pod is in range | its pod goes with scaling down |
 * |------------|-------------|---------------------|--------------------------------|
 * | Retain     | Retain      | nobody              | nobody                         |
 * | Retain     | Delete      | the set             | the set                        |
 * | Delete     | Retain      | nobody              | the pod                        |
 * | Delete     | Delete      | the set             | the pod                        |
 *
 * Follows stateful_set_utils.go. A claim tied to an earlier set or pod of the same name is about to be deleted, and one
 * that another controller owns is that one's business: neither is touched.
 */
import type { OwnerReference, PersistentVolumeClaim, Pod, StatefulSet } from "../../../../core/types.ts";
import { refersTo } from "../../../../statefulset/decide/references.ts";
import { isSafePolicy } from "../../../../statefulset/decide/retention-policy.ts";
import { controllerReference, namesOwner, type OwnerKind } from "./names.ts";

/** A pod, and whether the set still wants it. */
export interface Place {
  readonly pod: Pod;
  readonly inRange: boolean;
}

/** The owner references that the claim should have; undefined when it has them, or is not to be touched. */
export function changedTies(
  claim: PersistentVolumeClaim,
  set: StatefulSet,
  place: Place,
): readonly OwnerReference[] | undefined {
  const { pod } = place;
  if (isTiedToFormer(claim, "StatefulSet", set) || isTiedToFormer(claim, "Pod", pod)) return undefined;
  const references = claim.metadata.ownerReferences ?? [];
  const others = references.filter(
    (reference) => !namesOwner(reference, "StatefulSet", set) && !namesOwner(reference, "Pod", pod),
  );
  const [bySet, byPod] = [isTiedTo(claim, set), isTiedTo(claim, pod)];
  if (hasForeignController(claim, set, pod)) return bySet || byPod ? others : undefined;

  const wanted = wantedTies(set, place);
  const isControlled = references.every(
    ({ uid, controller }) => controller === true || (uid !== set.metadata.uid && uid !== pod.metadata.uid),
  );
  if (isControlled && bySet === wanted.set && byPod === wanted.pod) return undefined;
  return [
    ...others,
    ...(wanted.set ? [controllerReference("StatefulSet", set)] : []),
    ...(wanted.pod ? [controllerReference("Pod", pod)] : []),
  ];
}

/** Whether a policy that deletes is ignored for this claim, because somebody else controls it. */
export function hasForeignController(claim: PersistentVolumeClaim, set: StatefulSet, pod: Pod): boolean {
  if (isSafePolicy(set.spec.persistentVolumeClaimRetentionPolicy)) return false;
  return (claim.metadata.ownerReferences ?? []).some((reference) => {
    if (namesOwner(reference, "StatefulSet", set)) return reference.uid !== set.metadata.uid;
    if (namesOwner(reference, "Pod", pod)) return reference.uid !== pod.metadata.uid;
    return reference.controller === true;
  });
}

/** Whether the claim is still to go with a former pod of this name: the new one waits, or it would get the old data. */
export function isLeaving(claim: PersistentVolumeClaim, set: StatefulSet, pod: Pod): boolean {
  return (
    (set.spec.persistentVolumeClaimRetentionPolicy?.whenScaled ?? "Retain") !== "Retain" &&
    isTiedToFormer(claim, "Pod", pod)
  );
}

function wantedTies(set: StatefulSet, { inRange }: Place): { readonly set: boolean; readonly pod: boolean } {
  const { whenScaled, whenDeleted } = set.spec.persistentVolumeClaimRetentionPolicy ?? {};
  const pod = whenScaled === "Delete" && !inRange;
  return { set: whenDeleted === "Delete" && !pod, pod };
}

function isTiedTo(claim: PersistentVolumeClaim, owner: StatefulSet | Pod): boolean {
  const { uid = "" } = owner.metadata;
  return uid !== "" && refersTo(claim, uid);
}

function isTiedToFormer(claim: PersistentVolumeClaim, kind: OwnerKind, owner: StatefulSet | Pod): boolean {
  return (claim.metadata.ownerReferences ?? []).some(
    (reference) => namesOwner(reference, kind, owner) && reference.uid !== owner.metadata.uid,
  );
}

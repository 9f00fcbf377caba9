/** Which claims a pod uses. */
import type { ObjectMeta, PersistentVolumeClaim, Pod, PodSpec } from "../../../../core/types.ts";

type PodVolume = NonNullable<PodSpec["volumes"]>[number];
/** What tells that a node is done with a pod. */
export type PodMeta = ObjectMeta & { readonly deletionGracePeriodSeconds?: number };

/** The names of all claims, also of those that are made for the pod's ephemeral volumes. */
export function claimNamesOf(pod: Pod): readonly string[] {
  return (pod.spec.volumes ?? []).flatMap((volume) => claimNameOf(pod, volume) ?? []);
}

/**
 * Whether the claim must outlive this pod (pvc_protection_controller.go). Only pods on a node count: the node starts
 * none with a claim that is being deleted. Of a pod that the node is done with, ephemeral claims may go.
 */
export function holdsClaim(pod: Pod, claim: PersistentVolumeClaim): boolean {
  if (!pod.spec.nodeName || pod.metadata.namespace !== claim.metadata.namespace) return false;
  return (pod.spec.volumes ?? []).some((volume) => {
    if (claimNameOf(pod, volume) !== claim.metadata.name) return false;
    return volume.persistentVolumeClaim !== undefined || (isOwner(pod, claim) && !isShutDown(pod));
  });
}

/** It has no node yet, and may still get one. */
export function isUnscheduled({ metadata, spec, status }: Pod): boolean {
  const isOver = status?.phase === "Succeeded" || status?.phase === "Failed";
  return !spec.nodeName && !isOver && metadata.deletionTimestamp === undefined;
}

function claimNameOf(pod: Pod, volume: PodVolume): string | undefined {
  if (volume.persistentVolumeClaim !== undefined) return volume.persistentVolumeClaim.claimName;
  return volume["ephemeral"] === undefined ? undefined : `${pod.metadata.name}-${volume.name}`;
}

function isOwner(pod: Pod, claim: PersistentVolumeClaim): boolean {
  const owner = claim.metadata.ownerReferences?.find(({ controller }) => controller === true);
  return owner !== undefined && owner.uid === pod.metadata.uid;
}

function isShutDown({ metadata }: Pod): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata as PodMeta;
  return deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0;
}

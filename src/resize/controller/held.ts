/**
 * What the controller holds in memory of claims, volumes and pods: little, and only of those that matter to it. A claim
 * at rest and a volume of another driver are not held at all; the watch brings them when that changes.
 */
import { readClaim } from "../../core/claim.ts";
import { NODE_EXPANSION_NOT_REQUIRED, PRE_RESIZE_CAPACITY, STORAGE_RESIZER } from "../../core/names.ts";
import type { ObjectMeta, PersistentVolume, PersistentVolumeClaim, Pod } from "../../core/types.ts";
import { identity } from "../../kube/index.ts";
import { isNodeOnly } from "../apply/node-only.ts";
import { AZURE_RESOURCE_GROUP, PORTWORX_SECRET } from "../apply/volume-source.ts";
import { takesOver } from "../decide/step.ts";

const VOLUME_ANNOTATIONS = [
  PRE_RESIZE_CAPACITY,
  AZURE_RESOURCE_GROUP,
  PORTWORX_SECRET.name,
  PORTWORX_SECRET.namespace,
] as const;

/** A claim, unless it is at rest: not bound, or it has what it asks for and nothing tells of an expansion. */
export function holdClaim(claim: PersistentVolumeClaim): PersistentVolumeClaim | undefined {
  if (isAtRest(claim)) return undefined;
  const { spec, status } = claim;
  return {
    metadata: pickMetadata(claim.metadata, [STORAGE_RESIZER, NODE_EXPANSION_NOT_REQUIRED]),
    spec: pick(spec, ["resources", "volumeName", "volumeMode", "accessModes"]),
    ...(status === undefined ? {} : { status: withoutAccessModes(status) }),
  };
}

function isAtRest(claim: PersistentVolumeClaim): boolean {
  if ((claim.spec.volumeName ?? "") === "" || claim.status?.phase !== "Bound") return true;
  try {
    const { request, capacity, state, conditions } = readClaim(claim);
    return state === "none" && conditions.size === 0 && capacity?.atLeast(request) === true;
  } catch {
    return false; // unreadable: held, so that looking at it says what is wrong
  }
}

/** A volume, if it is this driver's: a CSI volume of it, or one whose in-tree plugin it took over. */
export function holdVolume(driver: string): (volume: PersistentVolume) => PersistentVolume | undefined {
  return (volume) => {
    const { csi, claimRef } = volume.spec;
    if (csi !== undefined && csi.driver !== driver) return undefined;
    if (claimRef === undefined || (csi === undefined && !takesOver(driver))) return undefined;
    const { labels } = volume.metadata;
    // An in-tree volume is told by its source, whatever that is called.
    if (csi === undefined)
      return { metadata: { ...volumeMetadata(volume), ...(labels ? { labels } : {}) }, spec: volume.spec };
    return {
      metadata: volumeMetadata(volume),
      spec: {
        ...pick(volume.spec, ["capacity", "accessModes", "volumeMode", "mountOptions"]),
        claimRef: pick(claimRef, ["namespace", "name", "uid"]),
        csi: {
          ...pick(csi, ["driver", "volumeHandle", "fsType", "controllerExpandSecretRef"]),
          ...(isNodeOnly(volume) ? pick(csi, ["volumeAttributes"]) : {}),
        },
      },
    };
  };
}

function volumeMetadata(volume: PersistentVolume): ObjectMeta {
  return pickMetadata(volume.metadata, VOLUME_ANNOTATIONS);
}

/**
 * A pod that has not ended and mentions a claim: its name, and the claims' names. One that only a finalizer keeps has ended:
 * its node has stopped it, and has said so by deleting it without any more grace.
 */
export function holdPod(pod: Pod): Pod | undefined {
  const { phase } = pod.status ?? {};
  if (phase === "Succeeded" || phase === "Failed") return undefined;
  const { deletionGracePeriodSeconds } = pod.metadata as { deletionGracePeriodSeconds?: number };
  if (deletionGracePeriodSeconds === 0 && (pod.metadata.finalizers ?? []).length > 0) return undefined;
  const volumes = (pod.spec.volumes ?? []).flatMap(({ persistentVolumeClaim }) =>
    persistentVolumeClaim === undefined
      ? []
      : [{ name: "", persistentVolumeClaim: { claimName: persistentVolumeClaim.claimName } }],
  );
  return volumes.length === 0 ? undefined : { metadata: identity(pod.metadata), spec: { volumes } };
}

/** `namespace/claim` of every claim that a pod mentions. */
export function claimsOfPod(pod: Pod): string[] {
  return (pod.spec.volumes ?? []).flatMap(({ persistentVolumeClaim }) =>
    persistentVolumeClaim === undefined ? [] : [`${pod.metadata.namespace}/${persistentVolumeClaim.claimName}`],
  );
}

function pickMetadata(metadata: ObjectMeta, annotations: readonly string[]): ObjectMeta {
  const kept = Object.entries(metadata.annotations ?? {}).filter(([name]) => annotations.includes(name));
  return kept.length === 0 ? identity(metadata) : { ...identity(metadata), annotations: Object.fromEntries(kept) };
}

function withoutAccessModes(status: NonNullable<PersistentVolumeClaim["status"]>): typeof status {
  const { accessModes: _, ...rest } = status;
  return rest;
}

function pick<T extends object, K extends keyof T>(object: T, keys: readonly K[]): Pick<T, K> {
  const picked: Partial<T> = {};
  for (const key of keys) if (object[key] !== undefined) picked[key] = object[key];
  return picked as Pick<T, K>;
}

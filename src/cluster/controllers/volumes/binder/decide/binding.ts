/** What the two sides of a binding look like at each of its steps. Each function gives the object as it should be. */
import { readSize } from "../../../../../core/claim.ts";
import { OutgrowError } from "../../../../../core/errors.ts";
import { PRE_RESIZE_CAPACITY } from "../../../../../core/names.ts";
import { Quantity } from "../../../../../core/quantity.ts";
import {
  type ObjectMeta,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type ResourceList,
  STORAGE,
} from "../../../../../core/types.ts";
import { claimRefOf } from "../../decide/claim-key.ts";
import {
  BETA_STORAGE_PROVISIONER,
  BIND_COMPLETED,
  BOUND_BY_CONTROLLER,
  hasAnnotation,
  STORAGE_PROVISIONER,
} from "../../decide/names.ts";
import { isMeantFor } from "./match.ts";

export type ClaimPhase = "Pending" | "Bound" | "Lost";
export type VolumePhase = "Available" | "Bound" | "Released" | "Failed";

/**
 * Step 1: the volume refers to the claim, with its uid. That it was kept for it before means that a person wanted it
 * so.
 */
export function volumeForClaim(volume: PersistentVolume, claim: PersistentVolumeClaim): PersistentVolume {
  const { namespace, name, uid } = claim.metadata;
  const reference = volume.spec.claimRef;
  const isRight = reference?.uid === uid && reference?.name === name && reference.namespace === namespace;
  const bound = isRight ? volume : { ...volume, spec: { ...volume.spec, claimRef: claimRefOf(claim) } };
  return isMeantFor(volume, claim) ? bound : marked(bound, BOUND_BY_CONTROLLER);
}

/** Step 3: the claim refers to the volume, and says that all is written. */
export function claimForVolume(claim: PersistentVolumeClaim, volume: PersistentVolume): PersistentVolumeClaim {
  const volumeName = volume.metadata.name;
  if (claim.spec.volumeName === volumeName) return marked(claim, BIND_COMPLETED);
  const bound = { ...claim, spec: { ...claim.spec, volumeName } };
  return marked(marked(bound, BOUND_BY_CONTROLLER), BIND_COMPLETED);
}

/** Step 2, and whenever the volume's phase changes. The message is of the failure, so it goes with it. */
export function volumeInPhase(volume: PersistentVolume, phase: VolumePhase, message?: string): PersistentVolume {
  if (volume.status?.phase === phase) return volume;
  const { message: _, ...status } = volume.status ?? {};
  return { ...volume, status: { ...status, phase, ...(message === undefined ? {} : { message }) } };
}

/** A claim without a volume: it has nothing of what a volume would give it. */
export function claimInPhase(claim: PersistentVolumeClaim, phase: "Pending" | "Lost"): PersistentVolumeClaim {
  const { accessModes: _, capacity: __, currentVolumeAttributesClassName: ___, ...status } = claim.status ?? {};
  return { ...claim, status: { ...status, phase } };
}

/**
 * Step 4: the claim has what the volume gives it. The capacity is taken over once, when it becomes bound: after that a
 * difference means that the file system has yet to grow. Throws `OBJECT_MALFORMED` for a volume without a capacity.
 */
export function claimBound(claim: PersistentVolumeClaim, volume: PersistentVolume): PersistentVolumeClaim {
  const { accessModes, volumeAttributesClassName } = volume.spec;
  const before = claim.status ?? {};
  const status = { ...before, phase: "Bound", ...(accessModes === undefined ? {} : { accessModes }) };
  if (before.phase === "Bound") return { ...claim, status };
  return {
    ...claim,
    status: {
      ...status,
      capacity: firstCapacity(claim, volume),
      ...(before.phase === "Pending" && volumeAttributesClassName !== undefined
        ? { currentVolumeAttributesClassName: volumeAttributesClassName }
        : {}),
    },
  };
}

/** A volume whose claim went elsewhere: free again, or kept for the claim's name when a person had wanted that. */
export function volumeUnbound(volume: PersistentVolume): PersistentVolume {
  const { claimRef, ...spec } = volume.spec;
  if (!hasAnnotation(volume, BOUND_BY_CONTROLLER)) {
    const { uid: _, ...kept } = claimRef ?? {};
    return { ...volume, spec: { ...spec, claimRef: kept } };
  }
  const { [BOUND_BY_CONTROLLER]: _, ...annotations } = volume.metadata.annotations ?? {};
  const { annotations: __, ...metadata } = volume.metadata;
  const hasOthers = Object.keys(annotations).length > 0;
  return { ...volume, metadata: hasOthers ? { ...metadata, annotations } : metadata, spec };
}

/** The claim, handed over to a provisioner. One that has the annotation of today is not touched for the old one. */
export function claimHandedOver(claim: PersistentVolumeClaim, provisioner: string): PersistentVolumeClaim {
  if (claim.metadata.annotations?.[STORAGE_PROVISIONER] === provisioner) return claim;
  const provisioners = { [BETA_STORAGE_PROVISIONER]: provisioner, [STORAGE_PROVISIONER]: provisioner };
  const annotations = { ...claim.metadata.annotations, ...provisioners };
  return { ...claim, metadata: { ...claim.metadata, annotations } };
}

function firstCapacity(claim: PersistentVolumeClaim, volume: PersistentVolume): ResourceList {
  const size = readSize(volume, volume.spec.capacity, "spec.capacity.storage");
  if (size === undefined) {
    const message = `PersistentVolume ${JSON.stringify(volume.metadata.name)} is without a storage capacity`;
    throw new OutgrowError("OBJECT_MALFORMED", message);
  }
  const before = claim.status?.capacity;
  const preResize = volume.metadata.annotations?.[PRE_RESIZE_CAPACITY];
  if (preResize !== undefined) {
    const { storage = size.toString() } = volume.spec.capacity ?? {};
    return { ...before, [STORAGE]: Quantity.tryParse(preResize) === undefined ? storage : preResize };
  }
  const old = readSize(claim, before, "status.capacity.storage");
  return before !== undefined && old?.equals(size) === true ? before : { ...volume.spec.capacity };
}

function marked<T extends { readonly metadata: ObjectMeta }>(object: T, annotation: string): T {
  if (hasAnnotation(object, annotation)) return object;
  const annotations = { ...object.metadata.annotations, [annotation]: "yes" };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

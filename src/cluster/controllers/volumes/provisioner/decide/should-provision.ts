/** Whether a volume is to be made for a claim: the rules of sig-storage-lib-external-provisioner. */
import { classNameOf } from "../../../../../core/claim.ts";
import type { PersistentVolumeClaim, StorageClass } from "../../../../../core/types.ts";
import {
  BETA_STORAGE_PROVISIONER,
  BIND_COMPLETED,
  hasAnnotation,
  SELECTED_NODE,
  STORAGE_PROVISIONER,
} from "../../decide/names.ts";

/**
 * The binder asks for a volume by an annotation, and only for claims that no volume suits. `storageClass` is the one
 * that the claim names; undefined when there is none of that name.
 */
export function shouldProvision(
  claim: PersistentVolumeClaim,
  storageClass: StorageClass | undefined,
  driver: string,
): storageClass is StorageClass {
  if (claim.spec.volumeName || claim.metadata.deletionTimestamp !== undefined) return false;
  // One that was bound before has lost its data; a new volume would hide that.
  if (hasAnnotation(claim, BIND_COMPLETED)) return false;
  if (provisionerOf(claim) !== driver || storageClass?.provisioner !== driver) return false;
  if (!classNameOf(claim)) return false;
  if (storageClass.volumeBindingMode !== "WaitForFirstConsumer") return true;
  return Boolean(claim.metadata.annotations?.[SELECTED_NODE]);
}

/** The provisioner that the claim was handed to. */
export function provisionerOf({ metadata }: PersistentVolumeClaim): string | undefined {
  return metadata.annotations?.[STORAGE_PROVISIONER] ?? metadata.annotations?.[BETA_STORAGE_PROVISIONER];
}

/**
 * What the volume of a claim is called, by us and by the driver: the same in every attempt, so that it is made once.
 */
export function volumeNameFor({ metadata }: PersistentVolumeClaim): string {
  return `pvc-${metadata.uid}`;
}

/** What a provisioner does about a volume that it once made. */
import type { PersistentVolume } from "../../../../../core/types.ts";
import { PROVISIONED_BY, PROVISIONER_FINALIZER } from "../../decide/names.ts";

export type ProvisionedDecision =
  | { readonly kind: "nothing" }
  /** Its finalizers should be these. */
  | { readonly kind: "finalizers"; readonly finalizers: readonly string[] }
  /**
   * From the storage first, then from the API: an object without storage can be seen to, storage without an object
   * cannot.
   */
  | { readonly kind: "delete" };

export function decideProvisioned(volume: PersistentVolume, driver: string): ProvisionedDecision {
  if (volume.metadata.annotations?.[PROVISIONED_BY] !== driver) return { kind: "nothing" };
  const { finalizers = [], deletionTimestamp } = volume.metadata;
  const isHeld = finalizers.includes(PROVISIONER_FINALIZER);
  const isDeleting = deletionTimestamp !== undefined;
  const phase = volume.status?.phase;
  if (volume.spec.persistentVolumeReclaimPolicy !== "Delete") {
    return isHeld ? { kind: "finalizers", finalizers: withoutOurs(finalizers) } : { kind: "nothing" };
  }
  if (phase === "Bound" && !isDeleting && !isHeld) {
    return { kind: "finalizers", finalizers: [...finalizers, PROVISIONER_FINALIZER] };
  }
  // Without a reference it is about to be free again: somebody wants to keep it.
  const isReleased = phase === "Released" && volume.spec.claimRef !== undefined;
  // One that is going without our finalizer has been through this: what is left of it is others' business.
  return isReleased && (isHeld || !isDeleting) ? { kind: "delete" } : { kind: "nothing" };
}

export function withoutOurs(finalizers: readonly string[]): readonly string[] {
  return finalizers.filter((each) => each !== PROVISIONER_FINALIZER);
}

/** A volume as the rules see it. */
import { type ClaimView, readSize } from "./claim.ts";
import { Quantity } from "./quantity.ts";
import type { PersistentVolume } from "./types.ts";

export interface VolumeView {
  readonly name: string;
  /** `spec.capacity.storage`: what the controller half has made of it; zero when missing, as Kubernetes reads it. */
  readonly capacity: Quantity;
  /** The CSI driver that it names; undefined for volumes of other kinds. */
  readonly driver: string | undefined;
  readonly claimNamespace: string | undefined;
  readonly claimUid: string | undefined;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Throws `OBJECT_MALFORMED`, naming the volume and the field, for a size that cannot be read. */
export function readVolume(volume: PersistentVolume): VolumeView {
  return {
    name: volume.metadata.name,
    capacity: readSize(volume, volume.spec.capacity, "spec.capacity.storage") ?? Quantity.zero,
    driver: volume.spec.csi?.driver,
    claimNamespace: volume.spec.claimRef?.namespace,
    claimUid: volume.spec.claimRef?.uid,
    annotations: volume.metadata.annotations ?? {},
  };
}

/** Whether the volume is bound to this very claim, and not to one of the same name that is gone. */
export function isBoundTo(volume: VolumeView, claim: ClaimView): boolean {
  return volume.claimUid === claim.uid && volume.claimNamespace === claim.namespace;
}

/** What is in a volume's spec besides its source. */
export const BESIDES_SOURCE: ReadonlySet<string> = new Set([
  "accessModes",
  "capacity",
  "claimRef",
  "mountOptions",
  "nodeAffinity",
  "persistentVolumeReclaimPolicy",
  "storageClassName",
  "volumeAttributesClassName",
  "volumeMode",
]);

/**
 * The annotations and finalizers by which the parties around a volume talk to each other, as Kubernetes spells them.
 */

/** On a claim: both sides of its binding are written. A claim that has it and no volume has lost its data. */
export const BIND_COMPLETED = "pv.kubernetes.io/bind-completed";
/** On a claim or a volume: its reference to the other was set by the binder, not by a person, and may be taken back. */
export const BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";
/** On a volume: the provisioner that made it for a claim. */
export const PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";
/** On a volume or claim of an in-tree kind: the CSI driver that has taken it over. */
export const MIGRATED_TO = "pv.kubernetes.io/migrated-to";
/** On a claim: the provisioner that is to make a volume for it. The binder writes both, provisioners read either. */
export const STORAGE_PROVISIONER = "volume.kubernetes.io/storage-provisioner";
export const BETA_STORAGE_PROVISIONER = "volume.beta.kubernetes.io/storage-provisioner";
/** On a claim that waits for its first consumer: the node that the scheduler has chosen. */
export const SELECTED_NODE = "volume.kubernetes.io/selected-node";
/**
 * On a volume: the secret with which it is deleted. There, though empty, on every volume that a CSI provisioner made.
 */
export const DELETION_SECRET_NAME = "volume.kubernetes.io/provisioner-deletion-secret-name";
export const DELETION_SECRET_NAMESPACE = "volume.kubernetes.io/provisioner-deletion-secret-namespace";

/** A claim stays while a pod that is on a node uses it. */
export const CLAIM_PROTECTION = "kubernetes.io/pvc-protection";
/** A volume stays while it is bound. */
export const VOLUME_PROTECTION = "kubernetes.io/pv-protection";
/** A volume stays until what it stands for is deleted from the storage. */
export const PROVISIONER_FINALIZER = "external-provisioner.volume.kubernetes.io/finalizer";

/** Whether the annotation is there, whatever it says: that is what counts for most of the above. */
export function hasAnnotation(
  { metadata }: { readonly metadata: { readonly annotations?: Readonly<Record<string, string>> } },
  name: string,
): boolean {
  return metadata.annotations?.[name] !== undefined;
}

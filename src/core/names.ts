/** Names of annotations, labels and the like: ours, and those of Kubernetes that growing a volume touches. */

/** The sizes a StatefulSet should have, as `data=200Gi,wal=20Gi`. */
export const WISH_ANNOTATION = "outgrow.dev/claims";
/** On a StatefulSet on its way through admission: why it is refused. It is never stored. */
export const REFUSED_ANNOTATION = "outgrow.dev/refused";
/** The field manager of what our controller writes. Admission lets it pass: what it does to a set has been decided. */
export const FIELD_MANAGER = "outgrow";
/** The same for every write of a re-creation, so that its entries can be told from all others. */
export const RECREATE_MANAGER = "outgrow-recreate";
/** The same for what is written because a custom resource asks for it, and for what is reported on that resource. */
export const SOURCE_MANAGER = "outgrow-source";

/** On a claim: the driver said that no node expansion is needed (kubelet 1.34+ then skips shared volumes). */
export const NODE_EXPANSION_NOT_REQUIRED = "volume.kubernetes.io/node-expansion-not-required";
/** On a claim: the CSI driver that grows a migrated in-tree volume. */
export const STORAGE_RESIZER = "volume.kubernetes.io/storage-resizer";
/** On a volume: the claim's capacity before an expansion that the node has not finished. */
export const PRE_RESIZE_CAPACITY = "volume.alpha.kubernetes.io/pre-resize-capacity";
/** On a claim: the old place of storageClassName; it wins over the field. */
export const BETA_STORAGE_CLASS = "volume.beta.kubernetes.io/storage-class";
/** On a class: it is the cluster's default. */
export const DEFAULT_CLASS_ANNOTATIONS = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
] as const;

/** The drivers of the embedded cluster, by the names that classes and volumes call them. */
export const LOOP_DRIVER = "loop.csi.outgrow.dev";
export const MEMORY_DRIVER = "memory.csi.outgrow.dev";

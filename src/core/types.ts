/**
 * The Kubernetes objects that we read or write, with just the fields that we read or write. They describe plain JSON:
 * what is not named here stays in the object, and whoever changes one copies it (`{ ...object, ... }`), so that unknown
 * fields survive. Moments are strings, sizes are strings (see quantity.ts), everything optional may be missing.
 */

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface ObjectMeta {
  name: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
}

/** What every object has. Lists from `kubectl get a,b -o yaml` are sequences of these. */
export interface KubeObject {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMeta;
}

export type ResourceList = Record<string, string>;

export interface Condition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastProbeTime?: string | null;
  lastTransitionTime?: string | null;
  observedGeneration?: number;
}

export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

export interface PersistentVolumeClaimSpec {
  accessModes?: string[];
  resources?: { requests?: ResourceList; limits?: ResourceList };
  storageClassName?: string;
  volumeName?: string;
  volumeMode?: string;
  selector?: LabelSelector;
  dataSource?: unknown;
  dataSourceRef?: unknown;
  volumeAttributesClassName?: string;
}

/** Which of the last three is used depends on the server: see dialect.ts, the only file that touches them. */
export interface PersistentVolumeClaimStatus {
  phase?: string;
  accessModes?: string[];
  capacity?: ResourceList;
  conditions?: Condition[];
  allocatedResources?: ResourceList;
  currentVolumeAttributesClassName?: string;
  modifyVolumeStatus?: { targetVolumeAttributesClassName?: string; status?: string };
  allocatedResourceStatuses?: Record<string, string>;
  allocatedResourceStatus?: Record<string, string>;
  resizeStatus?: string | null;
}

export interface PersistentVolumeClaim extends KubeObject {
  spec: PersistentVolumeClaimSpec;
  status?: PersistentVolumeClaimStatus;
}

export interface ObjectReference {
  apiVersion?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
}

export interface PersistentVolume extends KubeObject {
  spec: {
    capacity?: ResourceList;
    accessModes?: string[];
    claimRef?: ObjectReference;
    storageClassName?: string;
    volumeMode?: string;
    volumeAttributesClassName?: string;
    persistentVolumeReclaimPolicy?: string;
    mountOptions?: string[];
    csi?: {
      driver: string;
      volumeHandle: string;
      fsType?: string;
      readOnly?: boolean;
      volumeAttributes?: Record<string, string>;
      controllerExpandSecretRef?: { name: string; namespace: string };
      nodeExpandSecretRef?: { name: string; namespace: string };
    };
    [source: string]: unknown;
  };
  status?: { phase?: string; message?: string };
}

export interface StorageClass extends KubeObject {
  provisioner: string;
  allowVolumeExpansion?: boolean;
  parameters?: Record<string, string>;
  reclaimPolicy?: string;
  mountOptions?: string[];
  volumeBindingMode?: string;
}

/** One entry of `volumeClaimTemplates`, also in custom resources that borrow its shape. */
export interface ClaimTemplate {
  apiVersion?: string;
  kind?: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  spec: PersistentVolumeClaimSpec;
  status?: unknown;
}

export interface RetentionPolicy {
  whenDeleted?: string;
  whenScaled?: string;
}

export interface StatefulSet extends KubeObject {
  spec: {
    replicas?: number;
    serviceName?: string;
    selector: LabelSelector;
    template: { metadata?: Partial<ObjectMeta>; spec?: PodSpec };
    volumeClaimTemplates?: ClaimTemplate[];
    podManagementPolicy?: string;
    updateStrategy?: { type?: string; rollingUpdate?: { partition?: number; maxUnavailable?: number | string } };
    ordinals?: { start?: number };
    minReadySeconds?: number;
    revisionHistoryLimit?: number;
    persistentVolumeClaimRetentionPolicy?: RetentionPolicy;
  };
  status?: {
    observedGeneration?: number;
    replicas?: number;
    readyReplicas?: number;
    currentReplicas?: number;
    updatedReplicas?: number;
    availableReplicas?: number;
    currentRevision?: string;
    updateRevision?: string;
    collisionCount?: number;
    conditions?: Condition[];
  };
}

export interface PodSpec {
  nodeName?: string;
  containers?: unknown[];
  volumes?: {
    name: string;
    persistentVolumeClaim?: { claimName: string; readOnly?: boolean };
    [source: string]: unknown;
  }[];
}

export interface Pod extends KubeObject {
  spec: PodSpec;
  status?: { phase?: string; conditions?: Condition[] };
}

export interface ResourceQuota extends KubeObject {
  spec?: {
    hard?: ResourceList;
    scopes?: string[];
    scopeSelector?: { matchExpressions?: { scopeName: string; operator: string; values?: string[] }[] };
  };
  status?: { hard?: ResourceList; used?: ResourceList };
}

export interface LimitRange extends KubeObject {
  spec?: { limits?: { type: string; max?: ResourceList; min?: ResourceList }[] };
}

export interface CSIDriver extends KubeObject {
  spec?: { attachRequired?: boolean };
}

/** The name under which a size stands in requests, capacity and quota. */
export const STORAGE = "storage";

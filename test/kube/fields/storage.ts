/** Claims, volumes, and what is said of storage. */
import type { JsonObject } from "../../../src/cluster/api/json.ts";
import { claimSpec, condition, labels, only, type Rich, term } from "./rich.ts";

/** The same for volumes of the cluster. */
const persistentSources: readonly JsonObject[] = [
  { hostPath: { path: "/x", type: "Directory" } },
  { local: { path: "/x", fsType: "ext4" } },
  { nfs: { server: "s", path: "/x" } },
];

export const STORAGE: readonly Rich[] = [
  {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    object: {
      spec: {
        ...claimSpec,
        volumeName: "v",
        dataSource: { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name: "s" },
      },
    },
    status: {
      phase: "Bound",
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
      allocatedResources: { storage: "1Gi" },
      allocatedResourceStatuses: { storage: "NodeResizePending" },
      conditions: [{ ...condition, type: "Resizing" }],
      currentVolumeAttributesClassName: "gold",
      modifyVolumeStatus: { status: "Pending", targetVolumeAttributesClassName: "gold" },
    },
  },
  {
    apiVersion: "v1",
    kind: "PersistentVolume",
    object: {
      spec: {
        capacity: { storage: "1Gi" },
        accessModes: ["ReadWriteOnce"],
        csi: {
          driver: "d.example.com",
          volumeHandle: "h",
          fsType: "ext4",
          volumeAttributes: { a: "b" },
          controllerPublishSecretRef: { name: "s", namespace: "default" },
          controllerExpandSecretRef: { name: "s", namespace: "default" },
          nodeStageSecretRef: { name: "s", namespace: "default" },
        },
        claimRef: { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace: "default", name: "data" },
        nodeAffinity: { required: { nodeSelectorTerms: [term] } },
        persistentVolumeReclaimPolicy: "Retain",
        storageClassName: "fast",
        volumeMode: "Filesystem",
        mountOptions: ["ro"],
      },
    },
    status: { phase: "Bound", message: "m", reason: "r" },
  },
  ...persistentSources.map((source) => ({
    apiVersion: "v1",
    kind: "PersistentVolume",
    called: only(source),
    object: {
      spec: {
        capacity: { storage: "1Gi" },
        accessModes: ["ReadWriteOnce"],
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: term.matchExpressions }] } },
        ...source,
      },
    } as JsonObject,
  })),
  {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    object: {
      provisioner: "d.example.com",
      parameters: { a: "b" },
      reclaimPolicy: "Delete",
      volumeBindingMode: "Immediate",
      allowVolumeExpansion: true,
      mountOptions: ["ro"],
      allowedTopologies: [{ matchLabelExpressions: [{ key: "zone", values: ["a"] }] }],
    },
  },
  {
    apiVersion: "storage.k8s.io/v1",
    kind: "CSIDriver",
    object: {
      spec: {
        attachRequired: true,
        podInfoOnMount: true,
        storageCapacity: false,
        fsGroupPolicy: "File",
        volumeLifecycleModes: ["Persistent"],
        tokenRequests: [{ audience: "a", expirationSeconds: 3600 }],
        requiresRepublish: true,
        seLinuxMount: true,
        nodeAllocatableUpdatePeriodSeconds: 60,
      },
    },
  },
  {
    apiVersion: "storage.k8s.io/v1",
    kind: "CSINode",
    object: { spec: { drivers: [{ name: "d", nodeID: "n", topologyKeys: ["zone"], allocatable: { count: 1 } }] } },
  },
  {
    apiVersion: "storage.k8s.io/v1",
    kind: "VolumeAttachment",
    object: { spec: { attacher: "d.example.com", nodeName: "n", source: { persistentVolumeName: "v" } } },
    status: {
      attached: true,
      attachmentMetadata: { a: "b" },
      attachError: { message: "m", time: "2020-01-01T00:00:00Z", errorCode: 1 },
    },
  },
  {
    apiVersion: "storage.k8s.io/v1",
    kind: "CSIStorageCapacity",
    object: {
      storageClassName: "fast",
      capacity: "1Gi",
      maximumVolumeSize: "1Gi",
      nodeTopology: { matchLabels: labels },
    },
  },
  {
    apiVersion: "storage.k8s.io/v1",
    kind: "VolumeAttributesClass",
    object: { driverName: "d.example.com", parameters: { a: "b" } },
  },
  { apiVersion: "apps/v1", kind: "ControllerRevision", object: { revision: 1, data: { a: 1 } } },
];

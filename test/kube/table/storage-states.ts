/** Claims, volumes, classes and drivers. */
import type { Actor } from "./scene.ts";

const CLAIM = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "10Gi" } } };
const VOLUME = {
  capacity: { storage: "10Gi" },
  accessModes: ["ReadWriteOnce"],
  csi: { driver: "csi.example.com", volumeHandle: "handle" },
};
const INLINE = { accessModes: VOLUME.accessModes, csi: VOLUME.csi };
const bound = { phase: "Bound", accessModes: ["ReadWriteOnce", "ReadOnlyMany"], capacity: { storage: "10Gi" } };

export const STORAGE: readonly Actor[] = [
  { kind: "PersistentVolumeClaim", name: "fresh", body: { spec: { ...CLAIM, storageClassName: "fast" } } },
  {
    kind: "PersistentVolumeClaim",
    name: "bound",
    body: { spec: { ...CLAIM, storageClassName: "", volumeName: "pv-1", volumeMode: "Block" } },
    status: bound,
  },
  {
    kind: "PersistentVolumeClaim",
    name: "bound-without-status",
    body: { spec: { ...CLAIM, volumeName: "pv-2", volumeAttributesClassName: "gold" } },
  },
  {
    kind: "PersistentVolumeClaim",
    name: "odd-size",
    body: { spec: { ...CLAIM, volumeName: "pv-3" } },
    status: { ...bound, accessModes: ["ReadWriteOncePod"], capacity: { storage: "1.5Gi" } },
  },
  {
    kind: "PersistentVolumeClaim",
    name: "by-annotation",
    annotations: { "volume.beta.kubernetes.io/storage-class": "old-fast" },
    body: { spec: { ...CLAIM, accessModes: ["ReadWriteMany"] } },
  },
  {
    kind: "PersistentVolumeClaim",
    name: "terminating",
    body: { spec: { ...CLAIM, volumeName: "pv-1" } },
    status: bound,
    deleted: true,
  },
  {
    kind: "PersistentVolumeClaim",
    name: "lost",
    body: { spec: { ...CLAIM, volumeName: "gone" } },
    status: { phase: "Lost" },
  },
  { kind: "PersistentVolume", name: "available", body: { spec: VOLUME }, status: { phase: "Available" } },
  {
    kind: "PersistentVolume",
    name: "released",
    body: {
      spec: {
        ...VOLUME,
        accessModes: ["ReadWriteMany", "ReadOnlyMany"],
        storageClassName: "fast",
        persistentVolumeReclaimPolicy: "Delete",
        claimRef: { namespace: "prod", name: "data-db-0", uid: "u" },
      },
    },
    status: { phase: "Released" },
  },
  {
    kind: "PersistentVolume",
    name: "failed",
    body: { spec: { ...VOLUME, volumeMode: "Block", capacity: { storage: "1500M" } } },
    status: { phase: "Failed", reason: "Recycling", message: "no" },
  },
  {
    kind: "PersistentVolume",
    name: "by-annotation",
    annotations: { "volume.beta.kubernetes.io/storage-class": "old-fast" },
    body: { spec: VOLUME },
  },
  { kind: "PersistentVolume", name: "terminating", body: { spec: VOLUME }, status: { phase: "Bound" }, deleted: true },
  {
    kind: "storage.k8s.io/StorageClass",
    name: "fast",
    annotations: { "storageclass.kubernetes.io/is-default-class": "true" },
    body: { provisioner: "csi.example.com", allowVolumeExpansion: true, volumeBindingMode: "WaitForFirstConsumer" },
  },
  {
    kind: "storage.k8s.io/StorageClass",
    name: "old-default",
    annotations: { "storageclass.beta.kubernetes.io/is-default-class": "true" },
    body: { provisioner: "csi.example.com", reclaimPolicy: "Retain" },
  },
  {
    kind: "storage.k8s.io/StorageClass",
    name: "rigid",
    annotations: { "storageclass.kubernetes.io/is-default-class": "false" },
    body: { provisioner: "csi.example.com", allowVolumeExpansion: false },
  },
  {
    kind: "storage.k8s.io/VolumeAttributesClass",
    name: "gold",
    body: { driverName: "csi.example.com", parameters: { iops: "9000" } },
  },
  {
    kind: "storage.k8s.io/VolumeAttachment",
    name: "attached",
    body: { spec: { attacher: "csi.example.com", nodeName: "node-a", source: { persistentVolumeName: "available" } } },
    status: { attached: true },
  },
  {
    kind: "storage.k8s.io/VolumeAttachment",
    name: "inline",
    body: {
      spec: { attacher: "csi.example.com", nodeName: "node-a", source: { inlineVolumeSpec: INLINE } },
    },
  },
  { kind: "storage.k8s.io/CSINode", name: "empty", body: { spec: { drivers: [] } } },
  {
    kind: "storage.k8s.io/CSINode",
    name: "node-a",
    body: { spec: { drivers: [{ name: "csi.example.com", nodeID: "a", topologyKeys: [] }] } },
  },
  { kind: "storage.k8s.io/CSIDriver", name: "plain.example.com", body: { spec: {} } },
  {
    kind: "storage.k8s.io/CSIDriver",
    name: "rich.example.com",
    body: {
      spec: {
        attachRequired: false,
        podInfoOnMount: true,
        storageCapacity: true,
        requiresRepublish: true,
        tokenRequests: [{ audience: "vault" }, { audience: "other" }],
        volumeLifecycleModes: ["Persistent", "Ephemeral"],
      },
    },
  },
  {
    kind: "storage.k8s.io/CSIStorageCapacity",
    name: "here",
    body: { storageClassName: "fast", capacity: "100Gi" },
  },
];

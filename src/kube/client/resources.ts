/** The kinds that we use. */
import type {
  CSIDriver,
  LimitRange,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  ResourceQuota,
  StatefulSet,
  StorageClass,
} from "../../core/types.ts";
import { defineResource } from "./resource.ts";
import type { Event, Lease, Secret } from "./types.ts";

export const CLAIMS = defineResource<PersistentVolumeClaim>("v1", "PersistentVolumeClaim", "persistentvolumeclaims");
export const VOLUMES = defineResource<PersistentVolume>("v1", "PersistentVolume", "persistentvolumes", "Cluster");
export const PODS = defineResource<Pod>("v1", "Pod", "pods");
export const SECRETS = defineResource<Secret>("v1", "Secret", "secrets");
export const EVENTS = defineResource<Event>("v1", "Event", "events");
export const NODES = defineResource("v1", "Node", "nodes", "Cluster");
export const NAMESPACES = defineResource("v1", "Namespace", "namespaces", "Cluster");
export const QUOTAS = defineResource<ResourceQuota>("v1", "ResourceQuota", "resourcequotas");
export const LIMIT_RANGES = defineResource<LimitRange>("v1", "LimitRange", "limitranges");
export const STATEFUL_SETS = defineResource<StatefulSet>("apps/v1", "StatefulSet", "statefulsets");
export const STORAGE_CLASSES = defineResource<StorageClass>(
  "storage.k8s.io/v1",
  "StorageClass",
  "storageclasses",
  "Cluster",
);
export const CSI_DRIVERS = defineResource<CSIDriver>("storage.k8s.io/v1", "CSIDriver", "csidrivers", "Cluster");
export const LEASES = defineResource<Lease>("coordination.k8s.io/v1", "Lease", "leases");

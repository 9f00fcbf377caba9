/** The kinds that a plan is made from, and the parts of them that its rules read. */
import { VOLUME_SOURCES } from "../../admission/preflight/drivers.ts";
import {
  BETA_STORAGE_CLASS,
  NODE_EXPANSION_NOT_REQUIRED,
  PRE_RESIZE_CAPACITY,
  STORAGE_RESIZER,
} from "../../core/names.ts";
import type { Keep } from "./keep.ts";

const METADATA = {
  creationTimestamp: true,
  name: true,
  namespace: true,
  uid: true,
  resourceVersion: true,
  generation: true,
  deletionTimestamp: true,
  labels: true,
  annotations: true,
  ownerReferences: true,
  finalizers: true,
} as const;
const IDENTITY = { apiVersion: true, kind: true, metadata: METADATA } as const;
const WHOLE: Keep = { ...IDENTITY, spec: true, status: true };

/** Of kinds that come by the ten thousands, only what some rule asks for. */
const MANY: Keep = {
  name: true,
  namespace: true,
  uid: true,
  deletionTimestamp: true,
  labels: true,
  ownerReferences: true,
  annotations: {
    [BETA_STORAGE_CLASS]: true,
    [STORAGE_RESIZER]: true,
    [NODE_EXPANSION_NOT_REQUIRED]: true,
    [PRE_RESIZE_CAPACITY]: true,
  },
};

export interface KnownKind {
  /** The API group; kinds of the same name in another group (there are other StatefulSets) are not ours. */
  readonly group: string;
  readonly namespaced: boolean;
  readonly keep: Keep;
}

export const KINDS = {
  StatefulSet: { group: "apps", namespaced: true, keep: WHOLE },
  PersistentVolumeClaim: { group: "", namespaced: true, keep: { ...WHOLE, metadata: MANY } },
  PersistentVolume: {
    group: "",
    namespaced: false,
    keep: {
      ...IDENTITY,
      metadata: { name: true },
      // Who grows it. Of sources other than csi it is enough to know that they are there.
      spec: { csi: { driver: true }, ...Object.fromEntries(VOLUME_SOURCES.map((source) => [source, {}])) },
    },
  },
  StorageClass: {
    group: "storage.k8s.io",
    namespaced: false,
    keep: { ...IDENTITY, provisioner: true, allowVolumeExpansion: true, parameters: true, volumeBindingMode: true },
  },
  CSIDriver: { group: "storage.k8s.io", namespaced: false, keep: WHOLE },
  ResourceQuota: { group: "", namespaced: true, keep: WHOLE },
  LimitRange: { group: "", namespaced: true, keep: WHOLE },
  Pod: {
    group: "",
    namespaced: true,
    keep: {
      ...IDENTITY,
      metadata: { ...MANY, finalizers: true },
      spec: { nodeName: true, volumes: { name: true, persistentVolumeClaim: true, ephemeral: {} } },
      status: { phase: true },
    },
  },
} as const satisfies Record<string, KnownKind>;

export type KindName = keyof typeof KINDS;

/** The kind by its name and API version; undefined for one that no rule of a plan reads. */
export function knownKind(apiVersion: string, kind: string): KindName | undefined {
  if (!Object.hasOwn(KINDS, kind)) return undefined;
  const slash = apiVersion.indexOf("/");
  const group = slash < 0 ? "" : apiVersion.slice(0, slash);
  return KINDS[kind as KindName].group === group ? (kind as KindName) : undefined;
}

/** Claims, volumes and classes for tests: ordinary ones, but for what is said. */
import {
  type ObjectMeta,
  type PersistentVolume,
  type PersistentVolumeClaim,
  STORAGE,
  type StorageClass,
} from "../../../../core/types.ts";

export interface ClaimSketch {
  readonly size?: string;
  readonly metadata?: Partial<ObjectMeta>;
  readonly spec?: Partial<PersistentVolumeClaim["spec"]>;
  readonly status?: PersistentVolumeClaim["status"];
}

/** 1Gi, ReadWriteOnce, of the empty class: it takes what is there. */
export function aClaim(
  name: string,
  { size = "1Gi", metadata, spec, status }: ClaimSketch = {},
): PersistentVolumeClaim {
  return {
    metadata: { name, namespace: "default", ...metadata },
    spec: {
      accessModes: ["ReadWriteOnce"],
      storageClassName: "",
      resources: { requests: { [STORAGE]: size } },
      ...spec,
    },
    ...(status === undefined ? {} : { status }),
  };
}

export interface VolumeSketch {
  readonly size?: string;
  readonly metadata?: Partial<ObjectMeta>;
  readonly spec?: Partial<PersistentVolume["spec"]>;
  readonly phase?: string;
}

/** 1Gi, ReadWriteOnce, of no class, retained, with a CSI driver that nobody runs. */
export function aVolume(name: string, { size = "1Gi", metadata, spec, phase }: VolumeSketch = {}): PersistentVolume {
  return {
    metadata: { name, ...metadata },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { [STORAGE]: size },
      persistentVolumeReclaimPolicy: "Retain",
      csi: { driver: "static.example.com", volumeHandle: name },
      ...spec,
    },
    ...(phase === undefined ? {} : { status: { phase } }),
  };
}

export function aClass(name: string, more: Partial<StorageClass> = {}): StorageClass {
  return {
    metadata: { name },
    provisioner: "x.example.com",
    reclaimPolicy: "Delete",
    volumeBindingMode: "Immediate",
    allowVolumeExpansion: true,
    ...more,
  };
}

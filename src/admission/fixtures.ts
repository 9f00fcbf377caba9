/** Objects for the tests of the rules: small, complete, and told by what differs from the usual. */
import type {
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimStatus,
  ResourceQuota,
  StorageClass,
} from "../core/types.ts";

export interface ClaimTraits {
  readonly name?: string;
  /** `requests.storage`; null leaves it out. */
  readonly request?: string | null;
  readonly capacity?: string;
  readonly allocated?: string;
  readonly phase?: string;
  readonly annotations?: Record<string, string>;
  readonly spec?: PersistentVolumeClaimSpec;
  readonly status?: PersistentVolumeClaimStatus;
}

/** A claim of 10Gi, bound, in class `fast`, unless told otherwise. */
export function aClaim(traits: ClaimTraits = {}): PersistentVolumeClaim {
  const { name = "data", request = "10Gi", capacity = "10Gi", allocated, phase = "Bound", annotations } = traits;
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name, namespace: "prod", resourceVersion: "7", ...(annotations && { annotations }) },
    spec: {
      accessModes: ["ReadWriteOnce"],
      storageClassName: "fast",
      volumeName: "pv-1",
      resources: { requests: request === null ? {} : { storage: request } },
      ...traits.spec,
    },
    status: {
      phase,
      ...(phase === "Bound" && { capacity: { storage: capacity } }),
      ...(allocated !== undefined && { allocatedResources: { storage: allocated } }),
      ...traits.status,
    },
  };
}

/** A class that allows expansion, unless told otherwise. */
export function aClass(name: string, traits: Partial<StorageClass> = {}): StorageClass {
  return { metadata: { name }, provisioner: "csi.example.com", allowVolumeExpansion: true, ...traits };
}

/** A quota whose usage has been computed. */
export function aQuota(name: string, hard: Record<string, string>, used: Record<string, string>): ResourceQuota {
  return { metadata: { name, namespace: "prod" }, spec: { hard }, status: { hard, used } };
}

/** What is around the claims of one namespace, as a snapshot tells it: the part of the facts that every plan needs. */
import type { ClaimUser } from "../../admission/preflight/facts.ts";
import { recomputeQuota } from "../../admission/quota.ts";
import { type StorageClasses, storageClasses } from "../../admission/storage-classes.ts";
import type { Gates } from "../../core/gates.ts";
import type {
  KubeObject,
  LimitRange,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  ResourceQuota,
} from "../../core/types.ts";
import { usersByClaim } from "../../statefulset/decide/preflight-facts.ts";
import type { KindName } from "../input/kinds.ts";
import type { Evidence } from "./evidence.ts";

export interface Surroundings {
  readonly namespace: string;
  readonly claims: readonly PersistentVolumeClaim[];
  /** Undefined when nothing tells of pods, classes or drivers: they were not asked for, or may not be read. */
  readonly pods: readonly Pod[] | undefined;
  readonly classes: StorageClasses | undefined;
  readonly drivers: ReadonlySet<string> | undefined;
  readonly quotas: readonly ResourceQuota[];
  readonly limitRanges: readonly LimitRange[];
  volumeOf(claim: PersistentVolumeClaim): PersistentVolume | undefined;
  usersOf(claim: PersistentVolumeClaim): readonly ClaimUser[] | undefined;
}

export function surroundingsOf(namespace: string, { snapshot, known }: Evidence, gates: Gates): Surroundings {
  const isKnown = (kind: KindName): boolean => known.has(kind) || snapshot[kind].size > 0;
  const within = <T extends KubeObject>(objects: ReadonlyMap<string, T>): T[] =>
    [...objects.values()].filter(({ metadata }) => (metadata.namespace ?? "default") === namespace);
  const claims = within(snapshot.PersistentVolumeClaim);
  const pods = isKnown("Pod") ? within(snapshot.Pod) : undefined;
  const users = pods === undefined ? undefined : usersByClaim(pods);
  return {
    namespace,
    claims,
    pods,
    classes: isKnown("StorageClass") ? storageClasses(snapshot.StorageClass.values()) : undefined,
    // A driver need not register itself: where none does, that says nothing.
    drivers: snapshot.CSIDriver.size === 0 ? undefined : new Set(snapshot.CSIDriver.keys()),
    quotas: within(snapshot.ResourceQuota).map((quota) => withUsage(quota, claims, gates)),
    limitRanges: within(snapshot.LimitRange),
    volumeOf: ({ spec }) => snapshot.PersistentVolume.get(spec.volumeName ?? ""),
    usersOf: ({ metadata }) => (users === undefined ? undefined : (users.get(metadata.name) ?? [])),
  };
}

/** Classes to plan with where none are known: each allows expansion, and a check says that this is a guess. */
export function assumedClasses(): StorageClasses {
  return {
    named: (name) => ({ metadata: { name }, provisioner: "", allowVolumeExpansion: true }),
    defaultClass: undefined,
  };
}

/** A quota that comes from a manifest has no usage; the claims that are given tell it then. */
function withUsage(quota: ResourceQuota, claims: readonly PersistentVolumeClaim[], gates: Gates): ResourceQuota {
  return quota.status?.used === undefined ? recomputeQuota(quota, claims, gates) : quota;
}

/** Objects for the tests of these rules: a set `db` in `prod` with pods and claims, told by what differs from the usual. */
import { storageClasses } from "../../admission/storage-classes.ts";
import { WISH_ANNOTATION } from "../../core/names.ts";
import { Quantity } from "../../core/quantity.ts";
import type {
  Condition,
  ObjectMeta,
  OwnerReference,
  PersistentVolumeClaim,
  Pod,
  RetentionPolicy,
  StatefulSet,
} from "../../core/types.ts";

export const NOW = Date.parse("2026-03-01T12:00:00Z");
export const LONG_AGO = "2026-01-01T00:00:00Z";

export interface SetTraits {
  readonly name?: string;
  readonly uid?: string;
  readonly replicas?: number;
  readonly start?: number;
  /** Template sizes by name. */
  readonly templates?: Readonly<Record<string, string>>;
  readonly wish?: string;
  readonly policy?: RetentionPolicy;
  readonly labels?: Record<string, string>;
  readonly metadata?: Partial<ObjectMeta> & Record<string, unknown>;
  readonly spec?: Partial<StatefulSet["spec"]>;
  readonly status?: Partial<NonNullable<StatefulSet["status"]>>;
}

/** Three replicas with `data=100Gi` and `wal=10Gi`, at rest for a long time, unless told otherwise. */
export function aSet(traits: SetTraits = {}): StatefulSet {
  const { name = "db", replicas = 3, templates = { data: "100Gi", wal: "10Gi" }, labels = { app: name } } = traits;
  const annotations = {
    "meta.helm.sh/release-name": name,
    ...(traits.wish !== undefined && { [WISH_ANNOTATION]: traits.wish }),
  };
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: {
      name,
      namespace: "prod",
      uid: traits.uid ?? `uid-${name}`,
      resourceVersion: "100",
      generation: 4,
      creationTimestamp: LONG_AGO,
      labels,
      annotations,
      ...traits.metadata,
    },
    spec: {
      replicas,
      serviceName: name,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "main", image: "db:1" }] } },
      volumeClaimTemplates: Object.entries(templates).map(([template, storage]) => ({
        metadata: { name: template },
        spec: { accessModes: ["ReadWriteOnce"], storageClassName: "fast", resources: { requests: { storage } } },
      })),
      ...(traits.start !== undefined && { ordinals: { start: traits.start } }),
      ...(traits.policy !== undefined && { persistentVolumeClaimRetentionPolicy: traits.policy }),
      ...traits.spec,
    },
    status: {
      observedGeneration: 4,
      replicas,
      readyReplicas: replicas,
      currentReplicas: replicas,
      updatedReplicas: replicas,
      currentRevision: "db-aaaa",
      updateRevision: "db-aaaa",
      ...traits.status,
    },
  };
}

export interface ClaimTraits {
  readonly request?: string;
  readonly capacity?: string;
  readonly allocated?: string;
  readonly phase?: string;
  readonly className?: string;
  /** As Kubernetes writes it: `ControllerResizeInfeasible`. */
  readonly state?: string;
  /** Types of conditions that are True, with their messages. */
  readonly conditions?: Readonly<Record<string, string>>;
  readonly labels?: Record<string, string>;
  readonly owners?: readonly OwnerReference[];
  readonly metadata?: Partial<ObjectMeta>;
}

/** A claim of 100Gi, bound, in class `fast`, labelled for the set `db`, unless told otherwise. */
export function aClaim(name: string, traits: ClaimTraits = {}): PersistentVolumeClaim {
  const { request = "100Gi", capacity = request, phase = "Bound", className = "fast", state } = traits;
  const conditions = Object.entries(traits.conditions ?? {}).map(
    ([type, message]): Condition => ({ type, status: "True", message }),
  );
  return {
    kind: "PersistentVolumeClaim",
    metadata: {
      name,
      namespace: "prod",
      uid: `uid-${name}`,
      resourceVersion: "7",
      labels: traits.labels ?? { app: "db" },
      ...(traits.owners !== undefined && { ownerReferences: [...traits.owners] }),
      ...traits.metadata,
    },
    spec: {
      volumeName: `pv-${name}`,
      resources: { requests: { storage: request } },
      ...(className !== "" && { storageClassName: className }),
    },
    status: {
      phase,
      ...(phase === "Bound" && { capacity: { storage: capacity } }),
      ...(traits.allocated !== undefined && { allocatedResources: { storage: traits.allocated } }),
      ...(state !== undefined && { allocatedResourceStatuses: { storage: state } }),
      ...(conditions.length > 0 && { conditions }),
    },
  };
}

/** Every claim of a set at its template's size. */
export function claimsFor(set: StatefulSet, traits: ClaimTraits = {}): PersistentVolumeClaim[] {
  const { replicas = 1, ordinals, volumeClaimTemplates = [] } = set.spec;
  return Array.from({ length: replicas }, (_, index) => index + (ordinals?.start ?? 0)).flatMap((ordinal) =>
    volumeClaimTemplates.map((template) =>
      aClaim(`${template.metadata.name}-${set.metadata.name}-${ordinal}`, {
        request: template.spec.resources?.requests?.["storage"] ?? "1Gi",
        labels: { ...set.spec.selector.matchLabels },
        ...traits,
      }),
    ),
  );
}

/** Every pod of a set, adopted and of its newest revision. */
export function podsFor(set: StatefulSet, metadata: Partial<ObjectMeta> = {}): Pod[] {
  const { replicas = 1, ordinals } = set.spec;
  return Array.from({ length: replicas }, (_, index) => {
    const name = `${set.metadata.name}-${index + (ordinals?.start ?? 0)}`;
    return {
      kind: "Pod",
      metadata: {
        name,
        namespace: "prod",
        uid: `uid-${name}`,
        labels: { ...set.spec.selector.matchLabels, "controller-revision-hash": set.status?.updateRevision ?? "" },
        ownerReferences: [ownerReference(set)],
        ...metadata,
      },
      spec: {},
    };
  });
}

/** How an object names this set, or another kind of owner, as its controller. */
export function ownerReference(
  owner: { apiVersion?: string; kind?: string; metadata: { name: string; uid?: string } },
  uid = owner.metadata.uid ?? "",
): OwnerReference {
  const { apiVersion = "v1", kind = "Pod", metadata } = owner;
  return { apiVersion, kind, name: metadata.name, uid, controller: true, blockOwnerDeletion: true };
}

/** `fast` allows expansion, `rigid` does not. */
export const CLASSES = storageClasses([
  { metadata: { name: "fast" }, provisioner: "csi.example.com", allowVolumeExpansion: true },
  { metadata: { name: "rigid" }, provisioner: "csi.example.com", allowVolumeExpansion: false },
]);

export function size(text: string): Quantity {
  return Quantity.parse(text);
}

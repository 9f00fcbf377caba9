/** The world as the rules read it, and back: StatefulSets, claims and pods in full. */

import { WISH_ANNOTATION } from "../../../src/core/names.ts";
import type {
  Condition,
  OwnerReference,
  PersistentVolumeClaim,
  Pod,
  RetentionPolicy,
  StatefulSet,
} from "../../../src/core/types.ts";
import { RESTART_FINALIZER } from "../../../src/statefulset/decide/restart-step.ts";
import { SUSPENDED_POLICY } from "../../../src/statefulset/decide/retention-policy.ts";
import { RECREATE_FINALIZER } from "../../../src/statefulset/decide/saved-set.ts";
import {
  type ClaimState,
  claimKey,
  claimName,
  ordinalOf,
  type PodState,
  type Policy,
  type SavedSet,
  type SetSpec,
  type SetState,
  setKey,
  TEMPLATES,
  type World,
} from "./world.ts";

/** The moment at which everything is decided; a young set was created then, any other long before. */
export const NOW = Date.parse("2026-01-01T12:00:00Z");

/** When a set that is going was deleted. */
const DELETED = "2026-01-01T12:00:00Z";
/** An operator's time is over then. It may have been faster at any moment before. */
export const A_MINUTE_LATER = NOW + 60_000;

const POLICIES: readonly RetentionPolicy[] = [
  { whenDeleted: "Retain", whenScaled: "Retain" },
  { whenDeleted: "Delete", whenScaled: "Retain" },
  { whenDeleted: "Retain", whenScaled: "Delete" },
];

/** As the resizer leaves a claim whose driver grows only what no pod uses. */
const IN_USE: Condition = {
  type: "ControllerResizeError",
  status: "True",
  message: "rpc error: code = FailedPrecondition desc = the volume is in use",
};

const LABELS = { app: "db" };

export function setObject(set: SetState, world: World): StatefulSet {
  const observed =
    world.seen.uid === set.uid && world.seen.policy === set.policy && world.seen.replicas === set.replicas;
  const pods = world.pods.filter((pod) => pod?.owner === set.uid).length;
  const object = specObject(set);
  return {
    ...object,
    metadata: {
      ...object.metadata,
      uid: setUid(set.uid),
      resourceVersion: setKey(set),
      generation: 2,
      creationTimestamp: set.young ? "2026-01-01T12:00:00Z" : "2026-01-01T00:00:00Z",
      ...(set.deleting && { deletionTimestamp: DELETED }),
      finalizers: [
        ...(set.ours ? [RECREATE_FINALIZER] : []),
        ...(set.orphan ? ["orphan"] : []),
        ...(set.foreground ? ["foregroundDeletion"] : []),
      ],
    },
    status: {
      observedGeneration: observed ? 2 : 1,
      replicas: pods,
      updatedReplicas: pods,
      readyReplicas: world.pods.filter((pod, ordinal) => pod?.owner === set.uid && isReady(world, ordinal)).length,
      currentRevision: set.rollout ? "old" : "new",
      updateRevision: "new",
    },
  };
}

/** With full disks a pod is ready only when its data has grown. */
function isReady(world: World, ordinal: number): boolean {
  return !world.scene.full || (world.claims[ordinal * TEMPLATES.length]?.capacity ?? 0) >= 2;
}

export function savedObject(saved: SavedSet): StatefulSet {
  const object = specObject(saved);
  const moment = saved.going && { deletionTimestamp: DELETED };
  return { ...object, metadata: { ...object.metadata, uid: setUid(saved.uid), ...moment } };
}

/** A set as it was sent to be created. */
export function createdObject(spec: SetSpec): StatefulSet {
  const object = specObject(spec);
  return { ...object, metadata: { ...object.metadata, finalizers: [RECREATE_FINALIZER] } };
}

function specObject(spec: SetSpec): StatefulSet {
  const suspended = POLICIES[spec.suspended];
  const annotations = {
    ...(spec.wish > 0 && { [WISH_ANNOTATION]: `data=${spec.wish}Gi` }),
    ...(spec.suspended > 0 && {
      [SUSPENDED_POLICY]: `whenDeleted=${suspended?.whenDeleted},whenScaled=${suspended?.whenScaled}`,
    }),
  };
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name: "db", namespace: "prod", annotations },
    spec: {
      replicas: spec.replicas,
      selector: { matchLabels: LABELS },
      template: { metadata: { labels: LABELS }, spec: { containers: [{ name: "db", image: `db:${spec.image}` }] } },
      volumeClaimTemplates: TEMPLATES.map((name, index) => ({
        metadata: { name },
        spec: { storageClassName: "fast", resources: { requests: { storage: `${spec.sizes[index]}Gi` } } },
      })),
      persistentVolumeClaimRetentionPolicy: { ...POLICIES[spec.policy] },
    },
  };
}

/** What a set object says, as the world holds it. */
export function readSpec(object: StatefulSet): SetSpec {
  const annotations = object.metadata.annotations ?? {};
  const [data = 0, wal = 0] = (object.spec.volumeClaimTemplates ?? []).map((template) =>
    Number.parseInt(template.spec.resources?.requests?.["storage"] ?? "0", 10),
  );
  const [container] = (object.spec.template.spec?.containers ?? []) as { image: string }[];
  return {
    replicas: object.spec.replicas ?? 1,
    image: Number(container?.image.split(":")[1]),
    sizes: [data, wal],
    policy: readPolicy(object.spec.persistentVolumeClaimRetentionPolicy),
    suspended: readSuspended(annotations[SUSPENDED_POLICY]),
    wish: Number.parseInt(annotations[WISH_ANNOTATION]?.split("=")[1] ?? "0", 10),
  };
}

function readPolicy(policy: RetentionPolicy | undefined): Policy {
  return policy?.whenDeleted === "Delete" ? 1 : policy?.whenScaled === "Delete" ? 2 : 0;
}

function readSuspended(text: string | undefined): Policy {
  return text === undefined ? 0 : text.includes("whenDeleted=Delete") ? 1 : 2;
}

export function claimObjects(world: World): PersistentVolumeClaim[] {
  return world.claims.flatMap((claim, index) => (claim === undefined ? [] : [claimObject(claim, index)]));
}

function claimObject(claim: ClaimState, index: number): PersistentVolumeClaim {
  return {
    metadata: {
      name: claimName(index),
      namespace: "prod",
      uid: `claim-${index}`,
      resourceVersion: claimKey(claim),
      labels: LABELS,
      ownerReferences: referencesOf(claim, ordinalOf(index)),
      ...(claim.deleting && { deletionTimestamp: "2026-01-01T12:00:00Z" }),
    },
    spec: {
      storageClassName: "fast",
      volumeName: `pv-${index}`,
      resources: { requests: { storage: `${claim.request}Gi` } },
    },
    status: {
      phase: "Bound",
      capacity: { storage: `${claim.capacity}Gi` },
      ...(claim.inUse && { conditions: [IN_USE] }),
      ...(claim.failed && { allocatedResourceStatuses: { storage: "ControllerResizeInfeasible" } }),
    },
  };
}

function referencesOf({ owner }: ClaimState, ordinal: number): OwnerReference[] {
  if (owner === 0) return [];
  const uid = ownerUid(owner, ordinal);
  const isSet = typeof owner === "number";
  return [isSet ? reference("apps/v1", "StatefulSet", "db", uid) : reference("v1", "Pod", `db-${ordinal}`, uid)];
}

/** The uid by which a claim of this ordinal refers to its owner. */
export function ownerUid(owner: ClaimState["owner"], ordinal: number): string {
  if (typeof owner === "number") return setUid(owner);
  return owner === "pod" ? podUid(ordinal) : `pod-that-is-gone-${ordinal}`;
}

export function podObjects(world: World): Pod[] {
  return world.pods.flatMap((pod, ordinal) => (pod === undefined ? [] : [podObject(pod, ordinal)]));
}

function podObject(pod: PodState, ordinal: number): Pod {
  return {
    metadata: {
      name: `db-${ordinal}`,
      namespace: "prod",
      uid: podUid(ordinal),
      labels: { ...LABELS, "controller-revision-hash": "new" },
      ownerReferences: pod.owner === 0 ? [] : [reference("apps/v1", "StatefulSet", "db", setUid(pod.owner))],
      ...(pod.held && { finalizers: [RESTART_FINALIZER], deletionTimestamp: DELETED }),
    },
    spec: {},
    status: { conditions: [{ type: "Ready", status: pod.held ? "False" : "True" }] },
  };
}

function reference(apiVersion: string, kind: string, name: string, uid: string): OwnerReference {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

function setUid(uid: number): string {
  return `set-${uid}`;
}

function podUid(ordinal: number): string {
  return `pod-${ordinal}`;
}

/** What is held in memory of each kind: what the rules look at, and no more. */
import { isDeepStrictEqual } from "node:util";
import { BETA_STORAGE_CLASS, WISH_ANNOTATION } from "../../core/names.ts";
import type {
  ClaimTemplate,
  KubeObject,
  ObjectMeta,
  PersistentVolumeClaim,
  Pod,
  StatefulSet,
  StorageClass,
} from "../../core/types.ts";
import { identity } from "../../kube/index.ts";
import { splitOrdinal } from "../decide/claim-ownership.ts";
import { isManagedByUs, RECREATE_MANAGER } from "../decide/managed-fields.ts";
import { SUSPENDED_POLICY } from "../decide/retention-policy.ts";

/** A set that has claim templates, or a wish. Of its pod template nothing is held: a set is written from a fresh read only. */
export function holdSet(set: StatefulSet): StatefulSet | undefined {
  const { metadata, spec, status } = set;
  const templates = spec.volumeClaimTemplates ?? [];
  if (templates.length === 0 && metadata.annotations?.[WISH_ANNOTATION] === undefined) return undefined;
  const held: ObjectMeta & { managedFields?: readonly object[] } = {
    ...membership(metadata, [WISH_ANNOTATION, SUSPENDED_POLICY]),
    ...pick(metadata, ["generation", "creationTimestamp", "finalizers"]),
    // That some field is ours is all that the rules ask.
    ...(isManagedByUs(set) ? { managedFields: [{ manager: RECREATE_MANAGER }] } : {}),
  };
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: held,
    spec: {
      ...pick(spec, ["replicas", "ordinals", "selector", "updateStrategy", "persistentVolumeClaimRetentionPolicy"]),
      template: {},
      volumeClaimTemplates: templates.map(holdTemplate),
    },
    status: pick(status ?? {}, [
      "observedGeneration",
      "replicas",
      "updatedReplicas",
      "currentRevision",
      "updateRevision",
    ]),
  };
}

function holdTemplate({ metadata, spec }: ClaimTemplate): ClaimTemplate {
  return {
    metadata: { name: metadata.name, ...(metadata.annotations && { annotations: metadata.annotations }) },
    spec: pick(spec, ["resources", "storageClassName"]),
  };
}

/** A claim that is called like one of a StatefulSet. */
export function holdClaim(claim: PersistentVolumeClaim): PersistentVolumeClaim | undefined {
  return splitOrdinal(claim.metadata.name).base === "" ? undefined : holdAnyClaim(claim);
}

export function holdAnyClaim({ metadata, spec, status }: PersistentVolumeClaim): PersistentVolumeClaim {
  const { dataSource: _, dataSourceRef: __, ...claimSpec } = spec;
  return {
    metadata: membership(metadata, [BETA_STORAGE_CLASS]),
    spec: claimSpec,
    ...(status === undefined ? {} : { status }),
  };
}

/** A pod that is called like one of a StatefulSet. */
export function holdPod({ metadata, spec, status }: Pod): Pod | undefined {
  if (splitOrdinal(metadata.name).base === "") return undefined;
  const volumes = (spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim }) =>
    persistentVolumeClaim === undefined ? [] : [{ name, persistentVolumeClaim }],
  );
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  return {
    metadata: { ...membership(metadata, []), ...pick(metadata, ["creationTimestamp", "finalizers"]) },
    spec: { ...pick(spec, ["nodeName"]), volumes },
    status: {
      ...(status?.phase === undefined ? {} : { phase: status.phase }),
      ...(ready === undefined ? {} : { conditions: [{ type: ready.type, status: ready.status }] }),
    },
  };
}

export function holdClass({ metadata, ...rest }: StorageClass): StorageClass {
  const { annotations, creationTimestamp } = metadata;
  return {
    metadata: {
      ...identity(metadata),
      ...(annotations === undefined ? {} : { annotations }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
    },
    ...pick(rest, ["provisioner", "allowVolumeExpansion", "parameters"]),
  };
}

/** Whether something that is held differs, besides the version. */
export function isNews(before: KubeObject, after: KubeObject): boolean {
  return !isDeepStrictEqual(withoutVersion(before), withoutVersion(after));
}

function withoutVersion(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: "" } };
}

function membership(metadata: ObjectMeta, annotations: readonly string[]): ObjectMeta {
  const kept = Object.entries(metadata.annotations ?? {}).filter(([name]) => annotations.includes(name));
  return {
    ...identity(metadata),
    ...pick(metadata, ["labels", "ownerReferences", "deletionTimestamp"]),
    ...(kept.length === 0 ? {} : { annotations: Object.fromEntries(kept) }),
  };
}

function pick<T extends object, K extends keyof T>(object: T, keys: readonly K[]): Pick<T, K> {
  const picked: Partial<T> = {};
  for (const key of keys) if (object[key] !== undefined) picked[key] = object[key];
  return picked as Pick<T, K>;
}

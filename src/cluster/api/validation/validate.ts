/**
 * May this object be stored? The rules of its metadata, and of its kind where the kind is acted on; what a field may hold
 * otherwise is said by the schemas. Whether there is room for it (quota, limits) and whether a claim may grow is asked in
 * admission/ afterwards.
 */
import { validateClaimUpdate } from "../../../admission/claim-update.ts";
import type { StorageClasses } from "../../../admission/storage-classes.ts";
import type { FieldError } from "../../../admission/verdict.ts";
import type { Gates } from "../../../core/gates.ts";
import type {
  ObjectMeta,
  PersistentVolume,
  PersistentVolumeClaim,
  StatefulSet,
  StorageClass,
} from "../../../core/types.ts";
import { get, type JsonObject } from "../json.ts";
import { BUILT_IN } from "../kinds/built-in.ts";
import { groupVersionOf, type Kind } from "../kinds/kind.ts";
import { validateWebhookConfiguration } from "../webhooks/validate-configuration.ts";
import {
  type DataToCheck,
  validateConfigMap,
  validateConfigMapUpdate,
  validateSecret,
  validateSecretUpdate,
} from "./data.ts";
import { validateEvent, validateNewEvent, validateNewEventUpdate } from "./event.ts";
import { validateJobUpdate, validatePriorityClassUpdate } from "./immutable.ts";
import { type MetadataRules, validateMetadata, validateMetadataUpdate } from "./metadata.ts";
import { dnsLabel, dnsSubdomain, type NameRule, pathSegment } from "./names.ts";
import { type PodSpecToCheck, validatePodSpec, validatePodSpecUpdate } from "./pod.ts";
import { type ServiceToCheck, validateService, validateServiceUpdate } from "./service.ts";
import { validateStatefulSet, validateStatefulSetChange } from "./stateful-set.ts";
import {
  validateNewClaim,
  validateStorageClass,
  validateStorageClassUpdate,
  validateVolume,
  validateVolumeUpdate,
} from "./volume.ts";

/** What the rules look at besides the objects. */
export interface Surroundings {
  readonly gates: Gates;
  readonly classes: StorageClasses;
}

/** Kinds whose names are not subdomains. */
const NAME_RULES: ReadonlyMap<string, NameRule> = new Map([
  ["v1/Namespace", dnsLabel],
  ["v1/Service", dnsLabel],
  ["apps/v1/StatefulSet", dnsLabel],
  ["rbac.authorization.k8s.io/v1/Role", pathSegment],
  ["rbac.authorization.k8s.io/v1/RoleBinding", pathSegment],
  ["rbac.authorization.k8s.io/v1/ClusterRole", pathSegment],
  ["rbac.authorization.k8s.io/v1/ClusterRoleBinding", pathSegment],
]);

/** Groups that are validated by apimachinery alone, as custom resources are; the others ask a little more. */
const PLAIN_METADATA: ReadonlySet<string> = new Set([
  "admissionregistration.k8s.io",
  "apiextensions.k8s.io",
  "coordination.k8s.io",
]);

const BUILT_IN_GROUPS: ReadonlySet<string> = new Set(BUILT_IN.map(({ group }) => group));

interface Rules<T> {
  /** Every error of a new object that has its defaults. */
  readonly create: (object: T) => FieldError[];
  readonly update: (old: T, next: T, around: Surroundings) => FieldError[];
}

interface PodToCheck {
  readonly spec: PodSpecToCheck;
}

const STATEFUL_SET: Rules<StatefulSet> = {
  create: validateStatefulSet,
  update: (old, next, { gates, classes }) => validateStatefulSetChange(old, next, gates, classes),
};
const CLAIM: Rules<PersistentVolumeClaim> = {
  create: validateNewClaim,
  update: (old, next, { gates }) => validateClaimUpdate(old, next, gates),
};
const VOLUME: Rules<PersistentVolume> = { create: validateVolume, update: validateVolumeUpdate };
const STORAGE_CLASS: Rules<StorageClass> = { create: validateStorageClass, update: validateStorageClassUpdate };
const SERVICE: Rules<ServiceToCheck> = { create: validateService, update: validateServiceUpdate };
const CONFIG_MAP: Rules<DataToCheck> = { create: validateConfigMap, update: validateConfigMapUpdate };
const SECRET: Rules<DataToCheck> = { create: validateSecret, update: validateSecretUpdate };
const POD: Rules<PodToCheck> = {
  create: ({ spec }) => validatePodSpec(spec, "spec"),
  update: (old, next) => [...validatePodSpec(next.spec, "spec"), ...validatePodSpecUpdate(old.spec, next.spec)],
};

const WEBHOOKS: Rules<JsonObject> = {
  create: validateWebhookConfiguration,
  update: (_, next) => validateWebhookConfiguration(next),
};

const EVENT: Rules<JsonObject> = { create: validateEvent, update: (_, next) => validateEvent(next) };
const NEW_EVENT: Rules<JsonObject> = { create: validateNewEvent, update: validateNewEventUpdate };
const PRIORITY_CLASS: Rules<JsonObject> = { create: () => [], update: validatePriorityClassUpdate };
const JOB: Rules<JsonObject> = { create: () => [], update: validateJobUpdate };

/** The schemas have seen to it that objects have the types that the rules are written for. */
const RULES = new Map<string, Rules<never>>([
  ["v1/ConfigMap", CONFIG_MAP],
  ["v1/Event", EVENT],
  ["v1/PersistentVolume", VOLUME],
  ["v1/PersistentVolumeClaim", CLAIM],
  ["v1/Pod", POD],
  ["v1/Secret", SECRET],
  ["v1/Service", SERVICE],
  ["apps/v1/StatefulSet", STATEFUL_SET],
  ["batch/v1/Job", JOB],
  ["events.k8s.io/v1/Event", NEW_EVENT],
  ["scheduling.k8s.io/v1/PriorityClass", PRIORITY_CLASS],
  ["storage.k8s.io/v1/StorageClass", STORAGE_CLASS],
  ["admissionregistration.k8s.io/v1/MutatingWebhookConfiguration", WEBHOOKS],
  ["admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration", WEBHOOKS],
]);

/**
 * Every error of an object that is to be created, in Kubernetes' order; none when it may be. It has its defaults and its
 * name. Throws `OBJECT_MALFORMED` for a size that cannot be read.
 */
export function validateCreate(kind: Kind, object: JsonObject): FieldError[] {
  return [
    ...validateMetadata(metadataOf(object), metadataRules(kind)),
    ...(RULES.get(keyOf(kind))?.create(object as never) ?? []),
  ];
}

/**
 * Every error of an object that is to replace `old`, both with their defaults. The server has put back what it alone sets.
 * Throws `OBJECT_MALFORMED` for a size that cannot be read.
 */
export function validateUpdate(kind: Kind, old: JsonObject, next: JsonObject, around: Surroundings): FieldError[] {
  return [
    ...validateMetadataUpdate(metadataOf(next), metadataOf(old), metadataRules(kind)),
    ...(RULES.get(keyOf(kind))?.update(old as never, next as never, around) ?? []),
  ];
}

/** An update of a subresource: what it may change is the subresource's affair, the metadata is not. */
export function validateSubresourceUpdate(kind: Kind, old: JsonObject, next: JsonObject): FieldError[] {
  return validateMetadataUpdate(metadataOf(next), metadataOf(old), metadataRules(kind));
}

function metadataRules(kind: Kind): MetadataRules {
  return {
    namespaced: kind.namespaced,
    name: NAME_RULES.get(keyOf(kind)) ?? dnsSubdomain,
    qualifiedFinalizers: BUILT_IN_GROUPS.has(kind.group) && !PLAIN_METADATA.has(kind.group),
  };
}

function keyOf(kind: Kind): string {
  return `${groupVersionOf(kind)}/${kind.kind}`;
}

function metadataOf(object: JsonObject): Partial<ObjectMeta> {
  return (get(object, "metadata") ?? {}) as Partial<ObjectMeta>;
}

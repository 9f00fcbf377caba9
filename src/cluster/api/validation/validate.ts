/**
 * May this object be stored? The rules of its metadata, and of its kind where the kind is acted on; what a field may hold
 * otherwise is said by the schemas. Whether there is room for it (quota, limits) and whether a claim may grow is asked in
 * admission/ afterwards.
 */
import type { FieldError } from "../../../admission/verdict.ts";
import type { ObjectMeta } from "../../../core/types.ts";
import { get, type JsonObject } from "../json.ts";
import { BUILT_IN } from "../kinds/built-in.ts";
import { groupVersionOf, type Kind } from "../kinds/kind.ts";
import { type MetadataRules, validateMetadata, validateMetadataUpdate } from "./metadata.ts";
import { dnsLabel, dnsSubdomain, type NameRule, pathSegment } from "./names.ts";
import { RULES, type Surroundings } from "./rules.ts";

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

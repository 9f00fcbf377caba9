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
import { oncePer } from "../once-per.ts";
import { type MetadataRules, validateMetadata, validateMetadataUpdate } from "./metadata.ts";
import { address, dnsLabel, dnsSubdomain, type NameRule, pathSegment } from "./names.ts";
import { RULES, type Rules, type Surroundings } from "./rules.ts";

/** Kinds whose names are not subdomains. */
const NAME_RULES: ReadonlyMap<string, NameRule> = new Map([
  ["v1/Namespace", dnsLabel],
  ["v1/Service", dnsLabel],
  ["apps/v1/StatefulSet", dnsLabel],
  ["apiregistration.k8s.io/v1/APIService", pathSegment],
  ["certificates.k8s.io/v1/CertificateSigningRequest", pathSegment],
  ["networking.k8s.io/v1/IPAddress", address],
  ["rbac.authorization.k8s.io/v1/Role", pathSegment],
  ["rbac.authorization.k8s.io/v1/RoleBinding", pathSegment],
  ["rbac.authorization.k8s.io/v1/ClusterRole", pathSegment],
  ["rbac.authorization.k8s.io/v1/ClusterRoleBinding", pathSegment],
]);

/** Groups that are validated by apimachinery alone, as custom resources are; the others ask a little more. */
const PLAIN_METADATA: ReadonlySet<string> = new Set([
  "admissionregistration.k8s.io",
  "apiextensions.k8s.io",
  "apiregistration.k8s.io",
  "coordination.k8s.io",
]);

/** Kinds of which an update is held to what is asked of a new object, too: what is wrong with their metadata is told once more. */
const LOOKED_AT_AGAIN: ReadonlySet<string> = new Set([
  "clusterrolebindings",
  "clusterroles",
  "configmaps",
  "controllerrevisions",
  "csistoragecapacities",
  "endpoints",
  "ingressclasses",
  "ingresses",
  "jobs",
  "namespaces",
  "nodes",
  "persistentvolumeclaims",
  "persistentvolumes",
  "pods",
  "resourceclaims",
  "rolebindings",
  "roles",
  "runtimeclasses",
  "secrets",
  "serviceaccounts",
  "storageclasses",
  "volumeattributesclasses",
]);

/** Kinds whose own rules do not look at the metadata of an update. */
function isCommonAlone({ group, plural }: Kind): boolean {
  return group === "policy" && plural === "poddisruptionbudgets";
}

const BUILT_IN_GROUPS: ReadonlySet<string> = new Set(BUILT_IN.map(({ group }) => group));

/**
 * Every error of an object that is to be created, in Kubernetes' order; none when it may be. It has its defaults and its
 * name. Throws `OBJECT_MALFORMED` for a size that cannot be read.
 */
export function validateCreate(kind: Kind, object: JsonObject): FieldError[] {
  return [
    ...validateMetadata(metadataOf(object), rulesOf(kind).metadata),
    ...(rulesOf(kind).own?.create(object as never) ?? []),
  ];
}

/**
 * Every error of an object that is to replace `old`, both with their defaults. The server has put back what it alone sets.
 * Throws `OBJECT_MALFORMED` for a size that cannot be read.
 */
export function validateUpdate(kind: Kind, old: JsonObject, next: JsonObject, around: Surroundings): FieldError[] {
  const { metadata } = rulesOf(kind);
  return [
    ...(isCommonAlone(kind) ? [] : validateMetadataUpdate(metadataOf(next), metadataOf(old), metadata)),
    ...(rulesOf(kind).own?.update(old as never, next as never, around) ?? []),
  ];
}

/** An update of a subresource: what it may change is the subresource's affair, the metadata is not, nor what a status says. */
export function validateSubresourceUpdate(
  kind: Kind,
  old: JsonObject,
  next: JsonObject,
  subresource: string,
): FieldError[] {
  const rules = rulesOf(kind);
  return [
    ...validateMetadataUpdate(metadataOf(next), metadataOf(old), rules.metadata),
    ...(subresource === "status" ? (rules.own?.status?.(next as never, old as never) ?? []) : []),
  ];
}

/**
 * What the metadata of every update is held to, before the kind's own rules are asked, which look at it again: an error is told as
 * often as it was found.
 */
export function validateCommonUpdate(
  kind: Kind,
  old: JsonObject,
  next: JsonObject,
  subresource: string | undefined,
): FieldError[] {
  const common = { namespaced: kind.namespaced, name: pathSegment, qualifiedFinalizers: false };
  const isAgain = subresource === undefined && LOOKED_AT_AGAIN.has(kind.plural) && BUILT_IN_GROUPS.has(kind.group);
  return [
    ...validateMetadata(metadataOf(next), common),
    ...validateMetadataUpdate(metadataOf(next), metadataOf(old), common),
    ...(isAgain ? validateMetadata(metadataOf(next), rulesOf(kind).metadata) : []),
  ];
}

/** What objects of a kind are held to: as all are, and by the kind itself. */
interface KindRules {
  readonly metadata: MetadataRules;
  readonly own: Rules<never> | undefined;
}

const rulesOf: (kind: Kind) => KindRules = oncePer((kind) => {
  const key = `${groupVersionOf(kind)}/${kind.kind}`;
  const metadata = {
    namespaced: kind.namespaced,
    name: NAME_RULES.get(key) ?? dnsSubdomain,
    qualifiedFinalizers: BUILT_IN_GROUPS.has(kind.group) && !PLAIN_METADATA.has(kind.group),
  };
  return { metadata, own: RULES.get(key) };
});

function metadataOf(object: JsonObject): Partial<ObjectMeta> {
  return (get(object, "metadata") ?? {}) as Partial<ObjectMeta>;
}

/** What a set has after it has grown, and what it must not have lost on the way. */
import { WISH_ANNOTATION } from "../../../src/core/names.ts";
import { Quantity } from "../../../src/core/quantity.ts";
import { semanticallyEqual } from "../../../src/core/semantic-equal.ts";
import type { KubeObject, PersistentVolumeClaim, StatefulSet } from "../../../src/core/types.ts";
import { claimsOf } from "../../../src/statefulset/decide/claim-ownership.ts";
import { isManagedByUs, managedFieldsOf } from "../../../src/statefulset/decide/managed-fields.ts";
import { controllerOf } from "../../../src/statefulset/decide/references.ts";
import { RESTART_FINALIZER } from "../../../src/statefulset/decide/restart-step.ts";
import { isComplete, type Look, SET, WISHER } from "./look.ts";

/** Wanted size by template. */
export type Sizes = Readonly<Record<string, string>>;

/**
 * Whether everything has its size and nobody has anything left to do: claims, template, record, and what Kubernetes does
 * about a set that is new to it.
 */
export function isGrown(look: Look, sizes: Sizes): boolean {
  return look.record?.status?.phase === "Done" && isAtRest(look, sizes);
}

/** The same, whatever the record says; there may be none. */
export function isAtRest(look: Look, sizes: Sizes): boolean {
  const { set } = look;
  return (
    set !== undefined &&
    isComplete(look) &&
    hasSizes(set, sizes) &&
    claimsHave(look, sizes) &&
    leftovers(look).length === 0 &&
    strays(look).length === 0 &&
    isTied(look)
  );
}

export function hasSizes({ spec }: StatefulSet, sizes: Sizes): boolean {
  const templates = new Map((spec.volumeClaimTemplates ?? []).map((each) => [each.metadata.name, requestOf(each)]));
  return Object.entries(sizes).every(([template, size]) => templates.get(template)?.equals(Quantity.parse(size)));
}

/** The claims of its pods ask for these sizes, have them, and have nothing more to come. */
export function claimsHave({ set, claims }: Look, sizes: Sizes): boolean {
  if (set === undefined) return false;
  const { owned, missing } = claimsOf(set, claims);
  return (
    missing.length === 0 &&
    owned
      .filter(({ inRange, template }) => inRange && sizes[template] !== undefined)
      .every(({ claim, template }) => isAt(claim, Quantity.parse(sizes[template] ?? "0")))
  );
}

export function isAt(claim: PersistentVolumeClaim, size: Quantity): boolean {
  const { status } = claim;
  return (
    requestOf(claim).equals(size) &&
    capacityOf(claim).atLeast(size) &&
    status?.allocatedResourceStatuses?.["storage"] === undefined &&
    (status?.conditions ?? []).length === 0
  );
}

export function requestOf({ spec }: Pick<PersistentVolumeClaim, "spec">): Quantity {
  return Quantity.parse(spec.resources?.requests?.["storage"] ?? "0");
}

export function capacityOf({ status }: PersistentVolumeClaim): Quantity {
  return Quantity.parse(status?.capacity?.["storage"] ?? "0");
}

/** What should be gone when all is done: marks of a re-creation, and a wish that has come true. */
export function leftovers({ set, record, pods }: Look): string[] {
  const found: string[] = [];
  const marks = Object.keys(set?.metadata.annotations ?? {}).filter((name) => name.startsWith("outgrow.dev/"));
  found.push(...marks.map((name) => `annotation ${name}`));
  found.push(...(set?.metadata.finalizers ?? []).map((name) => `finalizer ${name} of the set`));
  if (set !== undefined && isManagedByUs(set)) found.push("fields of the set that are managed by the re-creation");
  if (record?.status?.savedStatefulSet !== undefined) found.push("the journal");
  found.push(...(record?.metadata.finalizers ?? []).map((name) => `finalizer ${name} of the record`));
  const held = pods.filter(({ metadata }) => metadata.finalizers?.includes(RESTART_FINALIZER) === true);
  found.push(...held.map(({ metadata }) => `finalizer ${RESTART_FINALIZER} of pod ${metadata.name}`));
  return found;
}

/** References to owners that are not there: what the garbage collector deletes, now or later. */
export function strays({ set, claims, pods, revisions }: Look): string[] {
  const alive = new Set([set, ...pods].map((owner) => owner?.metadata.uid));
  const of = (kind: string, object: KubeObject): string[] =>
    (object.metadata.ownerReferences ?? [])
      .filter(({ kind: owner, uid }) => ["StatefulSet", "Pod"].includes(owner) && !alive.has(uid))
      .map(({ uid }) => `${kind} ${object.metadata.name} refers to ${uid}, which is gone`);
  return [
    ...claims.flatMap((claim) => of("claim", claim)),
    ...pods.flatMap((pod) => of("pod", pod)),
    ...revisions.flatMap((revision) => of("revision", revision)),
  ];
}

/** Pods and revisions are the set's, and its policy has tied to it the claims that it should. */
function isTied({ set, claims, pods, revisions }: Look): boolean {
  if (set === undefined) return false;
  const isOurs = (object: KubeObject): boolean => controllerOf(object)?.uid === set.metadata.uid;
  const tied = set.spec.persistentVolumeClaimRetentionPolicy?.whenDeleted === "Delete";
  const owned = claimsOf(set, claims).owned.filter(({ inRange }) => inRange);
  return pods.every(isOurs) && revisions.every(isOurs) && owned.every(({ claim }) => isOurs(claim) === tied);
}

/**
 * What was there before and is not there any more, or not as it was; empty when nothing is lost. Sizes of claims and
 * templates do not count, nor does the wish.
 */
export function losses(before: Look, after: Look): string[] {
  return [
    ...gone("claim", before.claims, after.claims),
    ...gone("pod", before.pods, after.pods),
    ...gone("revision", before.revisions, after.revisions),
    ...differences(before.set, after.set),
  ];
}

/** Objects that are gone, going, or not the same as before. */
export function gone(kind: string, before: readonly KubeObject[], after: readonly KubeObject[]): string[] {
  const there = new Map(after.map((object) => [object.metadata.name, object.metadata]));
  return before.flatMap(({ metadata: { name, uid } }) => {
    const now = there.get(name);
    if (now === undefined) return [`${kind} ${name} is gone`];
    if (now.uid !== uid) return [`${kind} ${name} is another one`];
    return now.deletionTimestamp === undefined ? [] : [`${kind} ${name} is being deleted`];
  });
}

function differences(before: StatefulSet | undefined, after: StatefulSet | undefined): string[] {
  if (before === undefined || after === undefined) return [`set ${SET} is not there`];
  const [then, now] = [essence(before), essence(after)];
  return Object.entries(then)
    .filter(([field, value]) => !semanticallyEqual(value, now[field as keyof typeof now]))
    .map(([field, value]) => `${field} was ${JSON.stringify(value)}`);
}

/** What of a set must come out of a re-creation as it went in. */
function essence(set: StatefulSet) {
  const { labels, ownerReferences, annotations = {} } = set.metadata;
  const { volumeClaimTemplates = [], ...spec } = set.spec;
  const { [WISH_ANNOTATION]: _, ...others } = annotations;
  const templates = volumeClaimTemplates.map(({ status: __, ...template }) => ({
    ...template,
    spec: { ...template.spec, resources: {} },
  }));
  const managers = managedFieldsOf(set)
    .filter(({ manager }) => manager !== WISHER)
    .map(({ manager, operation, subresource = "" }) => `${manager} ${operation} ${subresource}`);
  return { labels, ownerReferences, annotations: others, spec, templates, managers: managers.sort() };
}

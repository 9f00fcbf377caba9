/**
 * A set between two lives: what of it is kept in the journal, and the object that it is created from again.
 *
 * Everything is handled as raw JSON. A field that this program has never heard of must come out as it went in: a pod
 * template that lost one would be another revision, and all pods would be restarted.
 */
import { semanticallyEqual } from "../../core/semantic-equal.ts";
import type { ObjectMeta, StatefulSet } from "../../core/types.ts";
import { suspendPolicy } from "./retention-policy.ts";
import { type TemplateSizes, withTemplateSizes } from "./template-target.ts";

/** On a set that is being re-created, before and after: it does not vanish while the journal might bring it back. */
export const RECREATE_FINALIZER = "outgrow.dev/recreate";

/** Finalizers by which the garbage collector knows how somebody wants a set deleted. */
export const ORPHAN_FINALIZER = "orphan";
export const FOREGROUND_FINALIZER = "foregroundDeletion";

const TRANSIENT_FINALIZERS: readonly string[] = [RECREATE_FINALIZER, ORPHAN_FINALIZER, FOREGROUND_FINALIZER];

/** What the server gives an object and a client must not bring along. */
const SERVER_FIELDS = [
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "selfLink",
  "managedFields",
] as const;

/**
 * The object to create: labels, annotations, owner references, finalizers and spec as they were, the number of replicas
 * included; the templates at these sizes; the retention policy suspended until the pods have been adopted; and our
 * finalizer, so that a set which somebody deletes at once is seen going and not taken for one that is still to be created.
 */
export function setToCreate(saved: StatefulSet, sizes: TemplateSizes): StatefulSet {
  return withFinalizer(suspendPolicy(withTemplateSizes(carriedOver(saved), sizes)), RECREATE_FINALIZER);
}

/** Whether the journal holds everything that creating this set again needs. */
export function isSavedAs(saved: StatefulSet, live: StatefulSet): boolean {
  return saved.metadata.uid === live.metadata.uid && semanticallyEqual(carriedOver(saved), carriedOver(live));
}

export function hasFinalizer(set: StatefulSet, finalizer: string): boolean {
  return set.metadata.finalizers?.includes(finalizer) === true;
}

/** Finalizers whose owners would take the deletion for a real one. */
export function foreignFinalizers(set: StatefulSet): readonly string[] {
  return (set.metadata.finalizers ?? []).filter((finalizer) => !TRANSIENT_FINALIZERS.includes(finalizer));
}

export function withFinalizer(set: StatefulSet, finalizer: string): StatefulSet {
  if (hasFinalizer(set, finalizer)) return set;
  return { ...set, metadata: { ...set.metadata, finalizers: [...(set.metadata.finalizers ?? []), finalizer] } };
}

export function withoutFinalizer(set: StatefulSet, finalizer: string): StatefulSet {
  if (!hasFinalizer(set, finalizer)) return set;
  const finalizers = set.metadata.finalizers?.filter((each) => each !== finalizer) ?? [];
  return { ...set, metadata: { ...set.metadata, finalizers } };
}

function carriedOver(set: StatefulSet): StatefulSet {
  const metadata = Object.fromEntries(
    Object.entries(set.metadata).filter(([field]) => !SERVER_FIELDS.some((name) => name === field)),
  ) as unknown as ObjectMeta;
  const finalizers = foreignFinalizers(set);
  if (finalizers.length > 0) metadata.finalizers = [...finalizers];
  else delete metadata.finalizers;
  const { status: _, ...object } = set;
  return { ...object, metadata };
}

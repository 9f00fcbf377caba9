/**
 * Re-creating a set without losing anything: the next single API call, from what can be seen now.
 *
 * ```
 * prepare ─▶ (observed) ─▶ drop-reference* ─▶ dry-run ─▶ guard ─▶ save ─▶ delete
 *    ─▶ (orphaned) ─▶ drop-reference* ─▶ save? ─▶ release ─▶ create ─▶ hand-on-wish? ─▶ hand-back ─▶ clear ─▶ unguard
 *    ─▶ (adopted) ─▶ restore ─▶ hand-back
 * ```
 *
 * Every step is derived from the set, the journal and what refers to the set; nothing else is remembered. A process may
 * die after any call and another goes on. What makes that safe:
 * - **prepare** suspends the retention policy and puts a finalizer of ours on the set. The policy keeps claims from being
 *   tied to a set that is going; the finalizer keeps the set from vanishing before we have looked again.
 * - **save** is the point of decision: a journal exists exactly while the set may be missing because of us. A set that
 *   somebody else deletes while there is none stays deleted.
 * - between **delete** and **release** the set is going but still there, so that nothing that refers to it is collected.
 *   That is when the references which the garbage collector did not see are removed, and when a change that came late
 *   (an autoscaler's number of replicas) is saved.
 * - **create** uses the journal, and the journal is cleared only when a set of another uid is seen.
 *
 * Where the facts come from: the record and the set are read from the API server, then what refers to the set. A cache
 * may lie; before `delete`, `release`, `create` and `clear` it must not be asked. Every write names the uid and
 * resourceVersion that the decision was based on; when it is refused (409, 404), look again: that is the whole of error
 * handling. `create` answered by AlreadyExists is such a refusal.
 */
import { compareTemplates } from "../../core/claim-templates.ts";
import { WISH_ANNOTATION } from "../../core/names.ts";
import { semanticallyEqual } from "../../core/semantic-equal.ts";
import type { KubeObject, PersistentVolumeClaim, Pod, StatefulSet } from "../../core/types.ts";
import { claimsOf } from "./claim-ownership.ts";
import { type DesiredSize, desiredSizes } from "./desired-sizes.ts";
import { type DryRun, type Hold, isObserved } from "./holds.ts";
import { handedBack, isManagedByUs, type ManagedFieldsEntry } from "./managed-fields.ts";
import { lacksMoment, operatorHasUntil, operatorsTurn, type Recreator } from "./operator-turn.ts";
import { notAdopted } from "./pod-holds.ts";
import { controllerOf, refersTo, withoutReferences } from "./references.ts";
import { isSuspended, resumePolicy, suspendPolicy } from "./retention-policy.ts";
import {
  FOREGROUND_FINALIZER,
  hasFinalizer,
  isSavedAs,
  ORPHAN_FINALIZER,
  RECREATE_FINALIZER,
  setToCreate,
  withFinalizer,
  withoutFinalizer,
} from "./saved-set.ts";
import { withoutSpentWish } from "./spent-wish.ts";
import { type TemplateSizes, templateTarget } from "./template-target.ts";
import type { TemplateWay } from "./template-way.ts";
import type { Wish } from "./wish.ts";

/** On a record that holds a saved set: it must not be deleted before the set is there again. */
export const JOURNAL_FINALIZER = "outgrow.dev/journal";

/**
 * An operator that overwrites foreign edits does so soon after it sees one; and one that takes our finalizer off a set that is
 * going takes the orphaning along, and its pods. So a set with an owner is not deleted before its marks have stood for
 * this long, in milliseconds; if they are taken off, that is seen, and told (taken-back.ts).
 */
const OWNER_ACTS_WITHIN = 2_000;

export interface RecreateFacts {
  /** The live set; undefined when there is none. */
  readonly set: StatefulSet | undefined;
  readonly record: {
    /** `status.savedStatefulSet` */
    readonly saved: StatefulSet | undefined;
    /** It carries our finalizer. */
    readonly guarded: boolean;
    readonly deleting: boolean;
  };
  /** All claims of the set (`claimsOf`), whatever their ordinal, disputed ones included; and nobody else's. */
  readonly claims: readonly PersistentVolumeClaim[];
  /** The pods of the set (`podsOf`), or of the saved one; and nobody else's. */
  readonly pods: readonly Pod[];
  /** The ControllerRevisions of the namespace that carry the set's labels. */
  readonly revisions: readonly KubeObject[];
  /** How the live set's template comes to its size; undefined when there is no set. */
  readonly way: TemplateWay | undefined;
  readonly dryRun: DryRun | undefined;
  /** What a custom resource wants of the set (`sourceWish`); undefined: what the set itself carries counts. */
  readonly wish: Wish | undefined;
  readonly recreatedBy: Recreator;
  /** When the marks were put on this very set; undefined: by a process that is no more, and thus a while ago. */
  readonly markedAt: number | undefined;
  readonly now: number;
  /** The namespace is going away: nothing can be created in it any more. */
  readonly namespaceDeleting: boolean;
}

export type RecreateStep =
  /** No re-creation is under way or called for. */
  | { readonly kind: "nothing" }
  | { readonly kind: "wait"; readonly reason: string; readonly lookAgain: Hold["lookAgain"] }
  /** Send the difference as one patch with uid and resourceVersion of `before`, under the field manager of managed-fields.ts. */
  | { readonly kind: SetChangeKind; readonly before: StatefulSet; readonly after: StatefulSet }
  /** Patch the owner references of this object, with its uid and resourceVersion. */
  | { readonly kind: "drop-reference"; readonly of: Dependent; readonly before: KubeObject; readonly after: KubeObject }
  /** Create it with `dryRun=All`; `readDryRun` reads the answer, which is handed in next time. */
  | { readonly kind: "dry-run"; readonly object: StatefulSet }
  /** Put the journal's finalizer on the record, or take it off. */
  | { readonly kind: "guard" | "unguard" }
  /** Write the set to `status.savedStatefulSet`, with the record's resourceVersion. */
  | { readonly kind: "save"; readonly set: StatefulSet }
  | {
      readonly kind: "delete";
      readonly propagationPolicy: "Orphan";
      readonly preconditions: { readonly uid: string; readonly resourceVersion: string };
    }
  | { readonly kind: "create"; readonly object: StatefulSet }
  /** Put the wish on a set that somebody else created, as anybody would: not under the field manager of the other writes. */
  | { readonly kind: "hand-on-wish"; readonly before: StatefulSet; readonly after: StatefulSet }
  /** Patch nothing but `metadata.managedFields`. */
  | { readonly kind: "hand-back"; readonly before: StatefulSet; readonly managedFields: readonly ManagedFieldsEntry[] }
  /** Remove `status.savedStatefulSet`, with the record's resourceVersion. */
  | { readonly kind: "clear"; readonly reason: string };

/** `prepare`: marks on. `release`: our finalizer off a set that is going. `restore`: marks off a set that stays. */
export type SetChangeKind = "prepare" | "release" | "restore";

export type Dependent = "claim" | "pod" | "revision";

export function recreateStep(facts: RecreateFacts): RecreateStep {
  const { set, record } = facts;
  const { saved } = record;
  if (saved === undefined) {
    if (set === undefined) return record.guarded ? { kind: "unguard" } : { kind: "nothing" };
    return set.metadata.deletionTimestamp === undefined ? live(set, facts) : letGo(set, record);
  }
  if (set === undefined) return absent(saved, facts);
  if (set.metadata.uid !== saved.metadata.uid) return created(set, saved, facts);
  return set.metadata.deletionTimestamp === undefined ? live(set, facts) : going(set, saved, facts);
}

/** The set is there. Either a re-creation is called for and its next step taken, or what is left of one is undone. */
function live(set: StatefulSet, facts: RecreateFacts): RecreateStep {
  const { way, record } = facts;
  if (way?.kind === "re-create" && !record.deleting) return towardsDeletion(set, way.sizes, facts);
  const unseen = way?.kind === "wait" && way.holds.every(({ id }) => id === "not-observed");
  if (unseen && isMarked(set)) return waitFor("set", "the StatefulSet controller to see the latest change of the set");
  if (record.saved !== undefined) return { kind: "clear", reason: "the set is not to be re-created now" };
  if (record.guarded) return { kind: "unguard" };
  if (isMarked(set)) return restored(set, facts);
  if (isManagedByUs(set)) return { kind: "hand-back", before: set, managedFields: handedBack(set) };
  return { kind: "nothing" };
}

function towardsDeletion(set: StatefulSet, sizes: TemplateSizes, facts: RecreateFacts): RecreateStep {
  const prepared = withFinalizer(suspendPolicy(set), RECREATE_FINALIZER);
  if (prepared !== set) return { kind: "prepare", before: set, after: prepared };
  const tied = dropReference(facts.claims.map(asClaim), [set, ...facts.pods]);
  if (tied !== undefined) return tied;
  const object = setToCreate(set, sizes);
  const { dryRun } = facts;
  if (dryRun === undefined || dryRun.refusal !== undefined || !semanticallyEqual(dryRun.object, object)) {
    return { kind: "dry-run", object };
  }
  const settled = (facts.markedAt ?? 0) + OWNER_ACTS_WITHIN;
  if (controllerOf(set) !== undefined && facts.now < settled) {
    const reason = "waits whether the owner of the set leaves the marks on it";
    return { kind: "wait", reason, lookAgain: { at: settled } };
  }
  if (!facts.record.guarded) return { kind: "guard" };
  if (facts.record.saved === undefined || !isSavedAs(facts.record.saved, set)) return { kind: "save", set };
  const { uid = "", resourceVersion = "" } = set.metadata;
  return { kind: "delete", propagationPolicy: "Orphan", preconditions: { uid, resourceVersion } };
}

/** The set that was saved is going, most likely by our doing, and does not vanish before we release it. */
function going(set: StatefulSet, saved: StatefulSet, facts: RecreateFacts): RecreateStep {
  if (hasFinalizer(set, FOREGROUND_FINALIZER))
    return { kind: "clear", reason: "somebody deletes the set and its pods" };
  if (hasFinalizer(set, ORPHAN_FINALIZER)) return waitFor("set", "the garbage collector to let go of the pods");
  const dependents = [
    ...facts.claims.map(asClaim),
    ...facts.pods.map((before) => ({ of: "pod", before }) as const),
    ...facts.revisions.map((before) => ({ of: "revision", before }) as const),
  ];
  const tied = dropReference(dependents, [set]);
  if (tied !== undefined) return tied;
  if (!isSavedAs(saved, set) || lacksMoment(saved, facts.recreatedBy)) return { kind: "save", set };
  const released = withoutFinalizer(set, RECREATE_FINALIZER);
  if (released !== set) return { kind: "release", before: set, after: released };
  return waitFor("set", `finalizers ${set.metadata.finalizers?.join(", ") ?? ""}`);
}

/** There is no set, and the journal says that this is our doing. */
function absent(saved: StatefulSet, facts: RecreateFacts): RecreateStep {
  const { claims, wish, recreatedBy, now, namespaceDeleting } = facts;
  if (namespaceDeleting) return { kind: "clear", reason: "the namespace is being deleted" };
  const until = operatorHasUntil(saved, recreatedBy, now);
  if (until !== undefined) return { kind: "wait", reason: operatorsTurn(saved, until), lookAgain: { at: until } };
  const sizes = templateTarget(desiredBy(saved, wish), claimsOf(saved, claims).owned);
  return { kind: "create", object: setToCreate(saved, sizes) };
}

/** The sizes that are wanted of a saved set. Nothing written on it may keep it from coming back, a garbled wish least of all. */
function desiredBy(saved: StatefulSet, wish: Wish | undefined): readonly DesiredSize[] {
  try {
    return desiredSizes(saved, wish);
  } catch {
    return desiredSizes(saved, new Map());
  }
}

/** Another set has taken the place of the one that was saved: the one we created, or somebody else's. */
function created(set: StatefulSet, saved: StatefulSet, { wish }: RecreateFacts): RecreateStep {
  if (set.metadata.deletionTimestamp !== undefined) return { kind: "clear", reason: "somebody deletes the new set" };
  // A custom resource's wish is in the record, and needs no carrying over.
  const wished = wish === undefined ? withWish(set, saved) : set;
  if (wished !== set) return { kind: "hand-on-wish", before: set, after: wished };
  if (isManagedByUs(set)) return { kind: "hand-back", before: set, managedFields: handedBack(set, saved) };
  return { kind: "clear", reason: "the set is there again" };
}

/**
 * Somebody who re-creates the set from a manifest of his own may leave the wish out. Where the template does not satisfy
 * it, the wish is carried over, and the growth starts over on the new set.
 */
function withWish(set: StatefulSet, saved: StatefulSet): StatefulSet {
  const wish = saved.metadata.annotations?.[WISH_ANNOTATION];
  if (wish === undefined || set.metadata.annotations?.[WISH_ANNOTATION] !== undefined) return set;
  if (compareTemplates(saved.spec.volumeClaimTemplates, set.spec.volumeClaimTemplates).kind === "other") return set;
  const reached = new Map(desiredSizes(set).map(({ template, templateSize }) => [template, templateSize]));
  const satisfied = desiredBy(saved, undefined).every(
    ({ template, size, from }) => from === "template" || reached.get(template)?.atLeast(size) === true,
  );
  if (satisfied) return set;
  return {
    ...set,
    metadata: { ...set.metadata, annotations: { ...set.metadata.annotations, [WISH_ANNOTATION]: wish } },
  };
}

/** Our marks come off, but not before the set has adopted its pods: until then its policy stays harmless. */
function restored(set: StatefulSet, { pods, wish }: RecreateFacts): RecreateStep {
  if (!isObserved(set)) return waitFor("set", "the StatefulSet controller to see the set");
  const [pod] = notAdopted(set, pods);
  if (pod !== undefined) return waitFor("pods", `pod ${pod.metadata.name} to be adopted`);
  const unmarked = withoutFinalizer(resumePolicy(set), RECREATE_FINALIZER);
  return { kind: "restore", before: set, after: wish === undefined ? withoutSpentWish(unmarked) : unmarked };
}

/** Somebody else deletes the set, and no journal says otherwise: our finalizer is not in the way. */
function letGo(set: StatefulSet, record: RecreateFacts["record"]): RecreateStep {
  const released = withoutFinalizer(set, RECREATE_FINALIZER);
  if (released !== set) return { kind: "release", before: set, after: released };
  return record.guarded ? { kind: "unguard" } : { kind: "nothing" };
}

function isMarked(set: StatefulSet): boolean {
  return isSuspended(set) || hasFinalizer(set, RECREATE_FINALIZER);
}

/** The first of these objects that refers to one of the owners, without its references to any of them. */
function dropReference(
  dependents: readonly { readonly of: Dependent; readonly before: KubeObject }[],
  owners: readonly KubeObject[],
): RecreateStep | undefined {
  const uids = new Set(owners.map((owner) => owner.metadata.uid).filter((uid) => uid !== undefined));
  const tied = dependents.find(({ before }) => [...uids].some((uid) => refersTo(before, uid)));
  return tied && { kind: "drop-reference", ...tied, after: withoutReferences(tied.before, uids) };
}

function asClaim(before: PersistentVolumeClaim): { readonly of: "claim"; readonly before: KubeObject } {
  return { of: "claim", before };
}

function waitFor(on: "set" | "pods" | "claims", what: string): RecreateStep {
  return { kind: "wait", reason: `waits for ${what}`, lookAgain: { on } };
}

/**
 * Everything about the template of one set, decided at once: how it comes to its size, and the one call that is due. Asked
 * of a cache it tells whether something is due at all; only asked of what was read just now may the answer be acted on.
 */
import type { Gates } from "../../core/gates.ts";
import type { KubeObject, PersistentVolumeClaim, Pod, StatefulSet } from "../../core/types.ts";
import type { VolumeExpansion } from "../types.ts";
import { claimsOf } from "./claim-ownership.ts";
import { type DesiredSize, desiredSizes } from "./desired-sizes.ts";
import type { DryRun, EditRefusal } from "./holds.ts";
import { JOURNAL_FINALIZER, type RecreateStep, recreateStep } from "./recreate-step.ts";
import { podsOf } from "./references.ts";
import { withoutSpentWish } from "./spent-wish.ts";
import type { Tries } from "./taken-back.ts";
import { type TemplateWay, templateWay } from "./template-way.ts";
import type { Wish } from "./wish.ts";
import { sourceWish, wishOf } from "./wish-of.ts";

export interface FollowFacts {
  /** Undefined: there is none. */
  readonly set: StatefulSet | undefined;
  readonly record: VolumeExpansion | undefined;
  readonly claims: readonly PersistentVolumeClaim[];
  readonly others: readonly StatefulSet[];
  readonly pods: readonly Pod[];
  readonly revisions: readonly KubeObject[];
  readonly takesEdits: boolean;
  readonly editRefusal: EditRefusal | undefined;
  readonly dryRun: DryRun | undefined;
  readonly gates: Gates;
  /** Claims are held back by the order in which they grow. */
  readonly claimsHeld: boolean;
  /** The storage has not given every claim what a custom resource wants of it. */
  readonly claimsOpen: boolean;
  /** That order has not shown yet that it works. */
  readonly unproven: boolean;
  /** Pods of the set are being restarted so that their volumes can grow. */
  readonly restarting: boolean;
  /** The growth as a whole is refused. */
  readonly growthRefused: boolean;
  readonly namespaceDeleting: boolean;
  readonly tries: Tries;
  readonly now: number;
}

export interface Following {
  /** Undefined when there is no set. */
  readonly way: TemplateWay | undefined;
  readonly step: FollowStep;
}

export type FollowStep =
  | RecreateStep
  /** Send the difference as one patch, with uid and resourceVersion of `before`. */
  | { readonly kind: "patch-template" | "forget-wish"; readonly before: StatefulSet; readonly after: StatefulSet };

/**
 * What is due about the template. With a wish that cannot be read the template stays as it is, and what was begun is
 * still brought to its end.
 */
export function followTemplate(facts: FollowFacts): Following {
  const { set, record } = facts;
  const saved = record?.status?.savedStatefulSet;
  const subject = set ?? saved;
  const { owned, disputed } = subject === undefined ? NOBODY : claimsOf(subject, facts.claims, facts.others);
  const claims = [...owned, ...disputed];
  const pods = subject === undefined ? [] : podsOf(subject, facts.pods);
  const desired = set && wanted(set, record);
  const way = desired && templateWay({ ...facts, set, desired, claims, pods, evenIfOwned: mayChangeOwned(record) });
  const wish = readableWish(record);
  if (way?.kind === "patch") {
    const after = wish === undefined ? withoutSpentWish(way.after) : way.after;
    return { way, step: { kind: "patch-template", before: way.before, after } };
  }
  const step = recreateStep({
    ...facts,
    record: {
      saved,
      guarded: record?.metadata.finalizers?.includes(JOURNAL_FINALIZER) === true,
      deleting: record?.metadata.deletionTimestamp !== undefined,
    },
    claims: claims.map(({ claim }) => claim),
    pods,
    way,
    wish,
    recreatedBy: record?.spec.recreatedBy ?? "Outgrow",
    markedAt: facts.tries.marks?.uid === set?.metadata.uid ? facts.tries.marks?.at : undefined,
  });
  if (step.kind !== "nothing" || set === undefined || way?.kind !== "up-to-date") return { way, step };
  const mayForget = wish === undefined && !isDeleting(set) && facts.gates.StatefulSetVolumeExpansion;
  const after = mayForget ? withoutSpentWish(set) : set;
  return { way, step: after === set ? step : { kind: "forget-wish", before: set, after } };
}

const NOBODY = { owned: [], disputed: [] } as const;

/** What is wanted of the templates; what they say themselves where the wish makes no sense. */
export function wanted(set: StatefulSet, record: VolumeExpansion | undefined): readonly DesiredSize[] {
  try {
    return desiredSizes(set, wishOf(set, record));
  } catch {
    return desiredSizes(set, new Map());
  }
}

/** The wish of a custom resource; one for nothing where it makes no sense. */
function readableWish(record: VolumeExpansion | undefined): Wish | undefined {
  try {
    return sourceWish(record);
  } catch {
    return new Map();
  }
}

/** Somebody insists; or the sizes come from the very resource that owns the set, which does not take them back then. */
export function mayChangeOwned(record: VolumeExpansion | undefined): boolean {
  return record?.spec.evenIfOwned === true || record?.spec.wishedBy !== undefined;
}

function isDeleting({ metadata }: StatefulSet): boolean {
  return metadata.deletionTimestamp !== undefined;
}

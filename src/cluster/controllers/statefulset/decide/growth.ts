/**
 * Growing the claims of a set to the sizes of its templates (KEP-661). What becomes of each claim is decided by the rules
 * that `outgrow plan` and the controller for any cluster use as well; here the template alone says what is wanted.
 * Growth waits for no pod and no order: the disk that is full is the one that matters.
 */
import type { StorageClasses } from "../../../../admission/storage-classes.ts";
import type { Gates } from "../../../../core/gates.ts";
import type { PersistentVolumeClaim, StatefulSet } from "../../../../core/types.ts";
import { desiredSizes } from "../../../../statefulset/decide/desired-sizes.ts";
import { type ClaimPlan, planClaims } from "../../../../statefulset/decide/plan-claims.ts";

/** A request that is to be changed: raised, or lowered after its expansion failed for good (KEP-1790). */
export type Resize = Extract<ClaimPlan, { kind: "grow" | "recover" }>;

/** A claim that is too small and stays so, and why. */
export interface Failure {
  readonly claim: string;
  readonly ordinal: number;
  readonly message: string;
}

export interface Growth {
  readonly resizes: readonly Resize[];
  /** What the API server would refuse, so that asking it is spared. */
  readonly refused: readonly Failure[];
}

/** On a set with claims that could not be raised: `status.conditions` has this one until they are. */
export const GROWTH_CONDITION = "VolumeExpansionFailed";

export interface GrowthFacts {
  readonly set: StatefulSet;
  /** At least those that are called like claims of the set. */
  readonly claims: Iterable<PersistentVolumeClaim>;
  /** The sets that call a claim the same; this one may be among them. */
  readonly others: Iterable<StatefulSet>;
  readonly classes: StorageClasses;
  readonly gates: Gates;
}

/** With the gate off nothing is started; what was missed meanwhile is found when it comes on again. */
export function growthOf(facts: GrowthFacts): Growth {
  if (!facts.gates.StatefulSetVolumeExpansion || facts.set.metadata.deletionTimestamp !== undefined) {
    return { resizes: [], refused: [] };
  }
  const plans = planClaims({ ...facts, desired: desiredSizes(facts.set, new Map()), beyondReplicas: false });
  return {
    resizes: plans.filter((plan) => plan.kind === "grow" || plan.kind === "recover"),
    refused: plans.flatMap((plan) =>
      plan.kind === "blocked" && plan.because !== "being-deleted"
        ? [{ claim: plan.name, ordinal: plan.ordinal, message: plan.reason }]
        : [],
    ),
  };
}

/** What the condition says: the first claims by name, and how many more there are. */
export function failureMessage(failures: readonly Failure[]): string {
  const shown = failures.slice(0, 3).map(({ claim, message }) => `${claim}: ${message}`);
  const more = failures.length > shown.length ? ` (and ${failures.length - shown.length} more)` : "";
  return shown.join("; ") + more;
}

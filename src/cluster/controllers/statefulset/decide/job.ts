/** What is to be done about one pod and its claims. */
import type { OwnerReference, PersistentVolumeClaim, Pod, StatefulSet } from "../../../../core/types.ts";
import type { Facts, Slot } from "./facts.ts";
import { claimName } from "./names.ts";
import { newClaims } from "./new-pod.ts";
import { changedTies, hasForeignController } from "./retention.ts";

/** A claim whose owner references are to be these. */
export interface Tie {
  readonly claim: PersistentVolumeClaim;
  readonly ownerReferences: readonly OwnerReference[];
}

/** Claims first, then the pod: a pod never starts before its claims are there. */
export interface Job {
  /**
   * `create` the pod; `fill` up the claims of one that waits for them; `update` what marks a pod as a member; `tie` the
   * claims of a pod that goes; `delete` the pod.
   */
  readonly verb: "create" | "fill" | "update" | "tie" | "delete";
  readonly pod: Pod;
  readonly ordinal: number;
  /** Whether labels or volumes of the pod are not those of its ordinal. */
  readonly mends: boolean;
  /** Claims to be made. */
  readonly missing: readonly PersistentVolumeClaim[];
  /** Claims that are being deleted: the job fails, and is done when they are gone. */
  readonly dying: readonly string[];
  readonly ties: readonly Tie[];
  /** Claims that another controller owns, so that the retention policy is ignored for them. */
  readonly foreign: readonly string[];
}

/** Just the pod. */
export function podJob(verb: Job["verb"], { pod, ordinal }: Slot): Job {
  return { verb, pod, ordinal, mends: false, missing: [], dying: [], ties: [], foreign: [] };
}

/** The pod, with what its claims need. */
export function claimsJob(verb: Job["verb"], slot: Slot, { set, claim }: Facts): Job {
  const missing: PersistentVolumeClaim[] = [];
  const dying: string[] = [];
  for (const wanted of newClaims(set, slot.pod, slot.ordinal)) {
    const present = claim(wanted.metadata.name);
    if (present === undefined) missing.push(wanted);
    else if (present.metadata.deletionTimestamp !== undefined) dying.push(wanted.metadata.name);
  }
  return { ...tieJob(verb, slot, true, { set, claim }), missing, dying };
}

/** The pod, with the owner references of its claims. */
export function tieJob(
  verb: Job["verb"],
  slot: Slot,
  inRange: boolean,
  { set, claim }: Pick<Facts, "set" | "claim">,
): Job {
  const present = claimsOfSlot(set, slot).flatMap((name) => claim(name) ?? []);
  const ties = present.flatMap((each) => {
    const ownerReferences = changedTies(each, set, { pod: slot.pod, inRange });
    return ownerReferences === undefined ? [] : [{ claim: each, ownerReferences }];
  });
  const foreign = present
    .filter((each) => hasForeignController(each, set, slot.pod))
    .map(({ metadata }) => metadata.name);
  return { ...podJob(verb, slot), ties, foreign };
}

export function claimsOfSlot(set: StatefulSet, { ordinal }: Slot): readonly string[] {
  return (set.spec.volumeClaimTemplates ?? []).map(({ metadata }) => claimName(set, metadata.name, ordinal));
}

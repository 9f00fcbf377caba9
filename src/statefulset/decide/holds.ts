/**
 * Every reason not to re-create a set now. Each has an id, words for people, and says when to look again; growth of the
 * claims never waits for any of them.
 */

import { fromTimestamp, toTimestamp } from "../../core/clock.ts";
import type { Gates } from "../../core/gates.ts";
import { semanticallyEqual } from "../../core/semantic-equal.ts";
import type { Pod, StatefulSet } from "../../core/types.ts";
import { claimDeleting, claimStrayOwner, claimsHeld, claimsOpen, claimsUnproven } from "./claim-holds.ts";
import type { OwnedClaim } from "./claim-ownership.ts";
import type { DesiredSize } from "./desired-sizes.ts";
import { oldPods, podDeleting, podNotAdopted, podsRestarting, rolloutUnderWay, scaling } from "./pod-holds.ts";
import { controllerOf } from "./references.ts";
import { foreignFinalizers, setToCreate } from "./saved-set.ts";
import { type Tries, triedInVain } from "./taken-back.ts";
import type { TemplateSizes } from "./template-target.ts";

/** What is known when a template is to be brought along. */
export interface TemplateFacts {
  readonly set: StatefulSet;
  readonly desired: readonly DesiredSize[];
  /** All claims of the set, whatever their ordinal; disputed ones as well. */
  readonly claims: readonly OwnedClaim[];
  /** The pods of the set (`podsOf`). */
  readonly pods: readonly Pod[];
  /** Whether the API server takes a change of a template's size, as a dry run of the patch told. */
  readonly takesEdits: boolean;
  /** Why it does not take this edit, where that is not because templates are immutable there. */
  readonly editRefusal?: EditRefusal | undefined;
  /** Whether the order in which claims grow holds some of them back. */
  readonly claimsHeld?: boolean;
  /** Whether a custom resource wants these sizes, and the storage has not given them to every claim yet. */
  readonly claimsOpen?: boolean;
  /** Whether that order has not shown yet that it works (`RolloutStep.proven`). */
  readonly unproven?: boolean;
  /** Whether pods of the set are being restarted so that their volumes can grow (`isRestarting`). */
  readonly restarting?: boolean;
  /** Whether the growth as a whole is refused, so that nothing of it is started. */
  readonly growthRefused?: boolean;
  /** What the API server said about creating the set anew, if it was asked. */
  readonly dryRun: DryRun | undefined;
  readonly gates: Gates;
  /** Go on although a controller owns the set. */
  readonly evenIfOwned: boolean;
  /** What was tried before, in case somebody takes it back. */
  readonly tries?: Tries;
  readonly now: number;
}

/** The answer to `create` with `dryRun=All` while the set exists. It is kept for `DRY_RUN_HOLDS`, then forgotten. */
export interface DryRun {
  /** What was sent. */
  readonly object: StatefulSet;
  readonly at: number;
  /** Why it would be refused; undefined when it would be taken. */
  readonly refusal: string | undefined;
}

/** The answer to a dry run of the edit. It is kept for `DRY_RUN_HOLDS`, then forgotten. */
export interface EditRefusal {
  readonly message: string;
  readonly at: number;
}

export type HoldId =
  | "gate-off"
  | "set-deleting"
  | "owned"
  | "templates-differ"
  | "growth-refused"
  | "edit-refused"
  | "claims-held"
  | "claims-open"
  | "not-observed"
  | "rollout"
  | "partition"
  | "old-pods"
  | "scaling"
  | "restarting"
  | "pod-deleting"
  | "pod-not-adopted"
  | "claim-deleting"
  | "claim-stray-owner"
  | "finalizer"
  | "too-young"
  | "taken-back"
  | "create-refused";

export interface Hold {
  readonly id: HoldId;
  readonly reason: string;
  /** When it may be gone: at a change of this, or at this moment. */
  readonly lookAgain: { readonly on: "gates" | "set" | "pods" | "claims" } | { readonly at: number };
}

/** A set is not re-created again before it is this old: rapid repeats confuse the garbage collector (k/k#131284). */
export const MIN_AGE = 60_000;

/** The answer to a dry run is believed for this long; then the API server is asked again. */
export const DRY_RUN_HOLDS = 5 * 60_000;

type Check = (facts: TemplateFacts, sizes: TemplateSizes) => Hold | undefined;

/** What keeps a template from being changed in any way. */
const BEFORE_ANY_CHANGE: readonly Check[] = [
  gateOff,
  setDeleting,
  owned,
  templatesDiffer,
  growthRefused,
  editRefused,
  claimsOpen,
];

/** What keeps a template from being patched. */
const BEFORE_PATCH: readonly Check[] = [...BEFORE_ANY_CHANGE, claimsUnproven, claimsHeld];

/** What keeps a set from being deleted and created again. */
const BEFORE_RECREATION: readonly Check[] = [
  ...BEFORE_ANY_CHANGE,
  claimsUnproven,
  notObserved,
  rolloutUnderWay,
  oldPods,
  scaling,
  podsRestarting,
  podDeleting,
  podNotAdopted,
  claimDeleting,
  claimStrayOwner,
  finalizer,
  tooYoung,
  triedInVain,
  createRefused,
];

export function holdsOnPatch(facts: TemplateFacts, sizes: TemplateSizes): readonly Hold[] {
  return holding(BEFORE_PATCH, facts, sizes);
}

export function holdsOnRecreation(facts: TemplateFacts, sizes: TemplateSizes): readonly Hold[] {
  return holding(BEFORE_RECREATION, facts, sizes);
}

function holding(checks: readonly Check[], facts: TemplateFacts, sizes: TemplateSizes): readonly Hold[] {
  return checks.map((check) => check(facts, sizes)).filter((hold) => hold !== undefined);
}

function gateOff({ gates }: TemplateFacts): Hold | undefined {
  if (gates.StatefulSetVolumeExpansion) return undefined;
  return hold("gate-off", "gates", "feature gate StatefulSetVolumeExpansion is off; nothing new is started");
}

function setDeleting({ set }: TemplateFacts): Hold | undefined {
  if (set.metadata.deletionTimestamp === undefined) return undefined;
  return hold("set-deleting", "set", "the set is being deleted");
}

function owned({ set, evenIfOwned }: TemplateFacts): Hold | undefined {
  const owner = controllerOf(set);
  if (owner === undefined || evenIfOwned) return undefined;
  return hold(
    "owned",
    "set",
    `${owner.kind} ${owner.name} controls the set and would take the change back; change the size there, for example through an ExpansionSource, or set evenIfOwned`,
  );
}

/** Adding, removing or renaming a template makes every pod mismatch; only sizes are ever changed (storageMatches upstream). */
function templatesDiffer({ set, desired }: TemplateFacts): Hold | undefined {
  const names = (set.spec.volumeClaimTemplates ?? []).map((template) => template.metadata.name);
  const wanted = desired.map(({ template }) => template);
  if (semanticallyEqual(names, wanted)) return undefined;
  return hold("templates-differ", "set", `the set has the templates ${names.join(", ")}, not ${wanted.join(", ")}`);
}

/** Without its claims the template does not grow either: new replicas would get what the others may not have. */
function growthRefused({ growthRefused }: TemplateFacts): Hold | undefined {
  return growthRefused === true ? hold("growth-refused", "claims", "the growth is refused") : undefined;
}

/** An admission check says no. To go around it by re-creating the set would be to defy it. */
function editRefused({ editRefusal }: TemplateFacts): Hold | undefined {
  if (editRefusal === undefined) return undefined;
  const reason = `the API server refuses the new size: ${editRefusal.message}`;
  return { id: "edit-refused", reason, lookAgain: { at: editRefusal.at + DRY_RUN_HOLDS } };
}

function notObserved({ set }: TemplateFacts): Hold | undefined {
  if (isObserved(set)) return undefined;
  return hold("not-observed", "set", "the StatefulSet controller has not seen the latest change of the set yet");
}

/** Whether the StatefulSet controller acts by what the set says now, and by nothing older. */
export function isObserved(set: StatefulSet): boolean {
  return (set.status?.observedGeneration ?? 0) >= (set.metadata.generation ?? 0);
}

function finalizer({ set }: TemplateFacts): Hold | undefined {
  const [first] = foreignFinalizers(set);
  if (first === undefined) return undefined;
  return hold(
    "finalizer",
    "set",
    `finalizer ${first}: its owner would take the deletion for a real one; remove it first`,
  );
}

function tooYoung({ set, now }: TemplateFacts): Hold | undefined {
  const created = fromTimestamp(set.metadata.creationTimestamp);
  if (created === undefined || now - created >= MIN_AGE) return undefined;
  const at = created + MIN_AGE;
  return {
    id: "too-young",
    reason: `the set was created just now; looks again at ${toTimestamp(at)}`,
    lookAgain: { at },
  };
}

/** An object that is valid as it lives may be refused as a new one: some fields are checked on creation only. */
function createRefused({ set, dryRun }: TemplateFacts, sizes: TemplateSizes): Hold | undefined {
  if (dryRun?.refusal === undefined || !semanticallyEqual(dryRun.object, setToCreate(set, sizes))) return undefined;
  const reason = `the API server would refuse to create the set again: ${dryRun.refusal}`;
  return { id: "create-refused", reason, lookAgain: { at: dryRun.at + DRY_RUN_HOLDS } };
}

function hold(id: HoldId, on: "gates" | "set" | "pods" | "claims", reason: string): Hold {
  return { id, reason, lookAgain: { on } };
}

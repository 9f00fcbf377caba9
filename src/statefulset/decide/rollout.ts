/**
 * In which order claims are grown, and which to start now.
 *
 * The unit is a member: all claims of one ordinal, which are one pod's and start together. Members go from the highest
 * ordinal down, as StatefulSets update pods and as KEP-4650 plans for claims: ordinal 0 is what applications like to
 * make their leader, so it goes last. Claims without a pod come after all members, and nothing ever waits for them.
 *
 * Nothing is remembered: what is done, under way or failed is read from the plans each time, so any process can go on
 * where another stopped.
 */
import type { Rollout } from "../types.ts";
import type { ClaimPlan } from "./plan-claims.ts";

/** A request that is to be changed now. */
export type Startable = Extract<ClaimPlan, { kind: "grow" | "recover" }>;

/** A claim that says no: by the storage, or because something is in its way that does not go by itself. */
export type Stopper = Extract<ClaimPlan, { kind: "failed" | "blocked" }>;

export interface RolloutStep {
  /** Change these requests now, in this order. */
  readonly start: readonly Startable[];
  /** These are due, but not yet: others come first, or the rollout has stopped. */
  readonly held: readonly Startable[];
  /** Set when failures keep back what is held; naming them in `goOnDespite`, or mending them, resumes. */
  readonly stoppedBy: readonly Stopper[];
  /**
   * Whether the order has nothing more to show. False while canaries are under way, one by one until all have had their turn,
   * and after a failure that stops others; always true where claims wait for nothing but room.
   */
  readonly proven: boolean;
  /** Why something is held, for people; empty when nothing is. */
  readonly reason: string;
}

interface Member {
  readonly ordinal: number;
  readonly plans: readonly ClaimPlan[];
}

export const DEFAULT_MAX_CONCURRENT = 10;

/** What to start now. The plans may be in any order. */
export function rolloutStep(plans: readonly ClaimPlan[], rollout: Rollout = {}): RolloutStep {
  const members = membersOf(plans.filter((plan) => plan.inRange));
  const beyond = membersOf(plans.filter((plan) => !plan.inRange));
  const mode = rollout.mode ?? "Parallel";
  // A member of which nothing is bound can neither prove nor disprove anything: it would be waited for in vain.
  const canaries = members.filter((member) => member.plans.some(tells)).slice(0, rollout.canary ?? 0);
  const stoppers = stoppersOf(members, canaries, rollout);
  const proven = canaries.every(isSettled);

  const start: Startable[] = [];
  const held: Startable[] = [];
  let busy = members.filter((member) => isBusy(member, mode)).length;
  const limit = mode === "OneByOne" ? 1 : Math.max(1, rollout.maxConcurrent ?? DEFAULT_MAX_CONCURRENT);
  for (const member of members) {
    const due = member.plans.filter(isStartable);
    if (due.length === 0) continue;
    const mayStart = stoppers.length === 0 && (proven || canaries.includes(member)) && busy < limit;
    // Its claims go together: what is left of a member that has begun is not new work.
    if (mayStart || hasBegun(member)) {
      start.push(...due);
      if (!isBusy(member, mode)) busy++;
    } else {
      // Going back is always in order: it ends a failure and asks the storage for less.
      start.push(...due.filter((plan) => plan.kind === "recover"));
      held.push(...due.filter((plan) => plan.kind === "grow"));
    }
  }
  const leftovers = beyond.flatMap((member) => member.plans.filter(isStartable));
  if (held.length === 0 && stoppers.length === 0) start.push(...leftovers);
  else held.push(...leftovers);

  const stoppedBy = held.length > 0 ? stoppers : [];
  return {
    start,
    held,
    stoppedBy,
    proven: proven && stoppers.length === 0 && (mode !== "OneByOne" || members.every(isSettled)),
    reason: reasonFor(held, stoppedBy, canaries, proven, limit),
  };
}

function membersOf(plans: readonly ClaimPlan[]): Member[] {
  const byOrdinal = Map.groupBy(plans, (plan) => plan.ordinal);
  return [...byOrdinal].map(([ordinal, plans]) => ({ ordinal, plans })).sort((a, b) => b.ordinal - a.ordinal);
}

/** The failures that keep others from starting. */
function stoppersOf(members: readonly Member[], canaries: readonly Member[], rollout: Rollout): Stopper[] {
  const forgiven = new Set(rollout.goOnDespite);
  const stops = (member: Member): boolean =>
    (rollout.onFailure ?? (rollout.mode === "OneByOne" || canaries.includes(member) ? "Stop" : "Continue")) === "Stop";
  return members
    .filter(stops)
    .flatMap((member) => member.plans.filter(isStopper))
    .filter((plan) => !forgiven.has(plan.name));
}

function isStopper(plan: ClaimPlan): plan is Stopper {
  if (plan.kind === "failed") return true;
  return plan.kind === "blocked" && plan.because !== "being-deleted" && plan.because !== "disputed";
}

/** Whether nothing more is to be learned from a member. */
function isSettled(member: Member): boolean {
  return member.plans.every((plan) => isOver(plan) || !tells(plan));
}

/** Nothing more will come of it; a failure that matters is found by `stoppersOf`. */
function isOver(plan: ClaimPlan): boolean {
  return plan.kind === "done" || plan.kind === "leave" || plan.kind === "failed" || plan.kind === "blocked";
}

function isStartable(plan: ClaimPlan): plan is Startable {
  return plan.kind === "grow" || plan.kind === "recover";
}

/**
 * Whether a member keeps others waiting. One by one that means until its claims really have the size. In parallel it is
 * only about how busy the storage is: a file system that waits for its pod to come up is no work for the storage, and
 * growth must not wait for pods.
 */
function isBusy(member: Member, mode: "Parallel" | "OneByOne"): boolean {
  return member.plans.some(
    (plan) => plan.kind === "waiting" && (plan.for === "resizer" || (plan.for !== "binding" && mode === "OneByOne")),
  );
}

/** Whether one of the member's claims has been asked for its desired size. */
function hasBegun(member: Member): boolean {
  return member.plans.some((plan) => plan.kind === "waiting" && plan.for !== "binding" && plan.from.equals(plan.to));
}

/** Whether growing this claim, now or ever, says something about growing the others. */
function tells(plan: ClaimPlan): boolean {
  return !(
    plan.kind === "missing" ||
    (plan.kind === "waiting" && plan.for === "binding") ||
    (plan.kind === "blocked" && plan.because === "being-deleted")
  );
}

function reasonFor(
  held: readonly Startable[],
  stoppedBy: readonly Stopper[],
  canaries: readonly Member[],
  proven: boolean,
  limit: number,
): string {
  if (held.length === 0) return "";
  const [first] = stoppedBy;
  if (first !== undefined) {
    const more = stoppedBy.length > 1 ? ` and ${stoppedBy.length - 1} more` : "";
    return `stopped: ${first.name}${more} failed: ${first.reason}`;
  }
  if (!proven) return `waits for the canaries: ordinal ${canaries.map((member) => member.ordinal).join(", ")}`;
  return limit === 1
    ? "one ordinal at a time, from the highest down"
    : `at most ${limit} ordinals at a time, from the highest down`;
}

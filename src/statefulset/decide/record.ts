/**
 * What the record of a growth tells people: a phase, one row per claim, and three conditions.
 *
 * `Ready`: everything has its size. `Progressing`: something is under way, or goes on by itself later. `Stalled`: somebody
 * has to do something, and the message says what.
 */
import { toTimestamp } from "../../core/clock.ts";
import { Quantity } from "../../core/quantity.ts";
import { semanticallyEqual } from "../../core/semantic-equal.ts";
import type { Condition } from "../../core/types.ts";
import type { ClaimRow, ClaimState, Phase, VolumeExpansionStatus } from "../types.ts";
import type { FollowStep } from "./follow-template.ts";
import type { HoldId } from "./holds.ts";
import type { ClaimPlan } from "./plan-claims.ts";
import type { RolloutStep } from "./rollout.ts";
import type { TemplateWay } from "./template-way.ts";

export interface Progress {
  readonly plans: readonly ClaimPlan[];
  readonly rollout: RolloutStep;
  /** Undefined while the set is being re-created and there is none. */
  readonly way: TemplateWay | undefined;
  readonly recreation: FollowStep;
  /** Why nothing is started at all: what preflight refuses, a wish that cannot be read. Undefined: not checked yet. */
  readonly refusals: readonly string[] | undefined;
  /** Pods that are being restarted so that their volumes can grow. */
  readonly restarting: readonly string[];
  /** Which custom resource asks for it, and for what (`asking`); undefined when none does. */
  readonly asks?: string | undefined;
}

/** What keeps a record from being `Ready`, in the order of what matters most to the reader. */
interface Verdict {
  readonly phase: Phase;
  readonly ready?: boolean;
  readonly stalled?: boolean;
  readonly reason: string;
  readonly message: string;
}

/** Holds that go by themselves; for the others somebody must act. */
const PASSING: ReadonlySet<HoldId> = new Set([
  "set-deleting",
  "claims-held",
  "claims-open",
  "not-observed",
  "rollout",
  "scaling",
  "restarting",
  "pod-deleting",
  "pod-not-adopted",
  "claim-deleting",
  "too-young",
]);

/**
 * The status after a look at everything; the journal in it is not touched. The same object when nothing changed, so that
 * nothing is written. `generation` is the record's.
 */
export function summarize(
  progress: Progress,
  before: VolumeExpansionStatus | undefined,
  generation: number,
  now: number,
): VolumeExpansionStatus {
  const verdict = judge(progress);
  const { ready = false, stalled = false, reason } = verdict;
  const message = progress.asks === undefined ? verdict.message : `${progress.asks}: ${verdict.message}`;
  const conditions = [
    condition("Ready", ready, reason, message),
    condition("Progressing", !ready && !stalled, reason, message),
    condition("Stalled", stalled, reason, message),
  ].map((next) => withTransitionTime(next, before?.conditions, now));
  const members = progress.plans.filter((plan) => plan.inRange);
  const after: VolumeExpansionStatus = {
    ...before,
    observedGeneration: generation,
    phase: verdict.phase,
    done: `${members.filter(hasSize).length}/${members.length}`,
    claims: rows(progress, before?.claims ?? []),
    conditions,
  };
  return before !== undefined && semanticallyEqual(before, after) ? before : after;
}

function judge({ plans, rollout, way, recreation, refusals, restarting }: Progress): Verdict {
  if (refusals === undefined)
    return { phase: "Checking", reason: "Checking", message: "looks whether this can be done" };
  if (refusals.length > 0) return { phase: "Stopped", stalled: true, reason: "Refused", message: refusals.join("; ") };

  const members = plans.filter((plan) => plan.inRange);
  const trouble = members.filter(isTrouble);
  const open = members.filter(isOpen);
  const done = `${members.filter(hasSize).length} of ${members.length} claims have their size`;
  if (rollout.stoppedBy.length > 0)
    return { phase: "Stopped", stalled: true, reason: "ClaimFailed", message: rollout.reason };
  if (restarting.length > 0) {
    return { phase: "Restarting", reason: "RestartingPods", message: `restarts ${restarting.join(", ")}; ${done}` };
  }
  const [first] = trouble;
  if (first !== undefined) {
    const message = `${first.name}: ${first.reason}; ${done}`;
    return { phase: open.length > 0 ? "Growing" : "Stopped", stalled: true, reason: "ClaimFailed", message };
  }
  const inUse = open.find((plan) => plan.kind === "waiting" && plan.for === "release");
  if (inUse !== undefined) {
    const message = `${inUse.name}: ${inUse.reason}; ${done}`;
    return { phase: "Growing", stalled: true, reason: "VolumeInUse", message };
  }
  if (open.length > 0) {
    const message = [done, rollout.reason].filter((part) => part !== "").join("; ");
    return { phase: "Growing", reason: "Growing", message };
  }
  return judgeTemplate(way, recreation, done);
}

function judgeTemplate(way: TemplateWay | undefined, recreation: FollowStep, done: string): Verdict {
  const phase = "UpdatingTemplate";
  if (way?.kind === "wait") {
    const message = `${done}; the template follows later: ${way.holds.map((hold) => hold.reason).join("; ")}`;
    const stalled = way.holds.some(({ id }) => !PASSING.has(id));
    return { phase, stalled, reason: "TemplateDeferred", message };
  }
  if (recreation.kind === "wait") return { phase, reason: "Recreating", message: recreation.reason };
  if (way?.kind === "up-to-date" && recreation.kind === "nothing") {
    return { phase: "Done", ready: true, reason: "Grown", message: `${done}, and so has the template` };
  }
  return {
    phase,
    reason: way?.kind === "patch" ? "Patching" : "Recreating",
    message: `${done}; the template is being changed`,
  };
}

/** At least what is wanted, and nothing under way about it. A claim that does not exist yet is made with its size. */
function hasSize(plan: ClaimPlan): boolean {
  return !isTrouble(plan) && !isOpen(plan);
}

/** A claim that is being deleted is somebody's doing, not a failure; the set makes a new one. */
function isTrouble(plan: ClaimPlan): boolean {
  return plan.kind === "failed" || (plan.kind === "blocked" && plan.because !== "being-deleted");
}

/** Whether there is still something to come for this claim. One that does not exist yet comes from the template. */
function isOpen(plan: ClaimPlan): boolean {
  switch (plan.kind) {
    case "grow":
    case "recover":
      return true;
    case "waiting":
      return plan.for !== "binding" || plan.from.lessThan(plan.to);
    case "missing":
    case "done":
    case "leave":
    case "failed":
    case "blocked":
      return false;
  }
}

function rows({ plans, rollout }: Progress, before: readonly ClaimRow[]): ClaimRow[] {
  const known = new Map(before.map((row) => [row.name, row]));
  const held = new Set(rollout.held.map(({ name }) => name));
  return plans.map((plan) => ({
    name: plan.name,
    from: startOf(plan, known.get(plan.name)),
    to: plan.to.toString(),
    capacity: plan.kind === "missing" ? "" : plan.capacity.toString(),
    state: stateOf(plan, held.has(plan.name)),
    message: plan.kind === "done" ? "" : plan.reason,
  }));
}

/** Where this growth began: what an unfinished row said, else what the claim has now. */
function startOf(plan: ClaimPlan, row: ClaimRow | undefined): string {
  if (plan.kind === "missing") return "";
  if (row !== undefined && row.from !== "" && row.to === plan.to.toString()) return row.from;
  if (row !== undefined && row.from !== "" && row.state !== "Done" && row.state !== "Left") return row.from;
  return (plan.capacity.moreThan(Quantity.zero) ? plan.capacity : plan.from).toString();
}

function stateOf(plan: ClaimPlan, held: boolean): ClaimState {
  switch (plan.kind) {
    case "grow":
      return held ? "Pending" : "Growing";
    case "recover":
      return "Recovering";
    case "waiting":
      return plan.for === "resizer" ? "Growing" : plan.for === "binding" ? "Pending" : "Waiting";
    case "missing":
      return "Pending";
    case "done":
      return "Done";
    case "leave":
      return "Left";
    case "failed":
      return "Failed";
    case "blocked":
      return "Blocked";
  }
}

function condition(type: string, holds: boolean, reason: string, message: string): Condition {
  return { type, status: holds ? "True" : "False", reason, message };
}

/** A condition that says the same as before keeps its transition time. */
function withTransitionTime(next: Condition, before: readonly Condition[] | undefined, now: number): Condition {
  const old = before?.find(({ type }) => type === next.type);
  const since = old?.status === next.status ? old.lastTransitionTime : undefined;
  return { ...next, lastTransitionTime: since ?? toTimestamp(now) };
}

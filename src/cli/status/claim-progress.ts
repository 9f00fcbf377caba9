/** How far one claim is, from what the rules say about it. */
import { readClaim } from "../../core/claim.ts";
import { Quantity } from "../../core/quantity.ts";
import type { PersistentVolumeClaim } from "../../core/types.ts";
import type { ClaimPlan } from "../../statefulset/decide/plan-claims.ts";
import type { ClaimRow, ClaimState } from "../../statefulset/types.ts";
import type { ClaimProgress, Outcome } from "./report.ts";

export interface ClaimContext {
  /** Undefined for a claim that does not exist yet. */
  readonly claim: PersistentVolumeClaim | undefined;
  /** What the record of the set's growth says about it, when that is about the same size. */
  readonly row: ClaimRow | undefined;
  /** Why nobody asks it for its size yet; empty when that is not known. */
  readonly held: string;
  /** Whether pods are restarted for it where its driver needs that. */
  readonly restarts: boolean;
}

export function progressOf(plan: ClaimPlan, { claim, row, held, restarts }: ClaimContext): ClaimProgress {
  const state = stateOf(plan);
  return {
    name: plan.name,
    from: plan.kind === "missing" ? "" : row?.from || startOf(plan),
    to: plan.to.toString(),
    capacity: plan.kind === "missing" || plan.capacity.equals(Quantity.zero) ? "" : plan.capacity.toString(),
    state,
    outcome: outcomeOf(plan, restarts),
    why: whyOf(plan, held),
    progress: state === "Done" || state === "Left" ? 1 : claim === undefined ? 0 : wayBehind(claim),
  };
}

function startOf(plan: Exclude<ClaimPlan, { kind: "missing" }>): string {
  return (plan.capacity.moreThan(Quantity.zero) ? plan.capacity : plan.from).toString();
}

/** A claim whose request is still the old one has not been asked: whoever looks now finds nobody at work on it. */
function stateOf(plan: ClaimPlan): ClaimState {
  switch (plan.kind) {
    case "grow":
    case "missing":
      return "Pending";
    case "recover":
      return "Recovering";
    case "waiting":
      return plan.for === "resizer" ? "Growing" : plan.for === "binding" ? "Pending" : "Waiting";
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

/** A claim that waits to be bound, or goes away, is not stuck: what it lacks is nothing that growing could give. */
function outcomeOf(plan: ClaimPlan, restarts: boolean): Outcome {
  switch (plan.kind) {
    case "grow":
    case "recover":
      return "growing";
    case "waiting":
      if (plan.for === "binding") return plan.from.lessThan(plan.to) ? "growing" : "done";
      return plan.for === "release" && !restarts ? "stuck" : "growing";
    case "failed":
      return "stuck";
    case "blocked":
      return plan.because === "being-deleted" ? "done" : "stuck";
    case "missing":
    case "done":
    case "leave":
      return "done";
  }
}

function whyOf(plan: ClaimPlan, held: string): string {
  if (plan.kind === "done") return "";
  if (plan.kind === "grow") return held || `is yet to be asked for ${plan.to}`;
  return plan.reason;
}

/** By the stage that the claim records: sizes jump, and nobody tells how far the storage is in between. */
function wayBehind(claim: PersistentVolumeClaim): number {
  const { state, request, capacity = Quantity.zero } = readClaim(claim);
  switch (state) {
    case "none":
      return capacity.lessThan(request) ? 0.1 : 0;
    case "controller-in-progress":
    case "controller-infeasible":
      return 0.3;
    case "node-pending":
      return 0.6;
    case "node-in-progress":
    case "node-infeasible":
      return 0.8;
  }
}

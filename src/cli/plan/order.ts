/** In which order the claims of a plan take their turns, as rows of the report. */
import { Quantity } from "../../core/quantity.ts";
import type { ClaimPlan } from "../../statefulset/decide/plan-claims.ts";
import { DEFAULT_MAX_CONCURRENT, rolloutStep } from "../../statefulset/decide/rollout.ts";
import type { PlannedClaim } from "./report.ts";

/** Everything at once and whatever fails: what is left of the rules of rollout then is the order alone. */
const NO_LIMIT = { mode: "Parallel", maxConcurrent: Number.POSITIVE_INFINITY, onFailure: "Continue" } as const;

/**
 * The rows in the order of their turns, and that order in words. The first turn is what starts at once; the others follow
 * as those before them get done, as many at a time as the rollout takes. All claims of one ordinal share a turn. Claims
 * that nothing is done about have none, and stand with their ordinal.
 */
export function inOrder(plans: readonly ClaimPlan[]): { claims: PlannedClaim[]; order: string } {
  const now = rolloutStep(plans);
  const atOnce = new Set(now.start.map(({ ordinal }) => ordinal));
  const all = new Set(rolloutStep(plans, NO_LIMIT).start.map(({ ordinal }) => ordinal));
  const turns = new Map([...atOnce].map((ordinal) => [ordinal, 1]));
  for (const [place, ordinal] of [...all].filter((each) => !atOnce.has(each)).entries()) {
    turns.set(ordinal, 2 + Math.floor(place / DEFAULT_MAX_CONCURRENT));
  }
  const sorted = plans.toSorted((a, b) => Number(b.inRange) - Number(a.inRange) || b.ordinal - a.ordinal);
  return { claims: sorted.map((plan) => rowOf(plan, turns.get(plan.ordinal))), order: now.reason };
}

/** The row of one claim; `turn` is that of its ordinal. */
export function rowOf(plan: ClaimPlan, turn: number | undefined): PlannedClaim {
  const changes = plan.kind === "grow" || plan.kind === "recover";
  const missing = plan.kind === "missing";
  return {
    name: plan.name,
    now: missing ? "" : plan.from.toString(),
    after: (changes || missing ? plan.to : plan.from).toString(),
    capacity: missing || plan.capacity.equals(Quantity.zero) ? "" : plan.capacity.toString(),
    ...(changes && turn !== undefined ? { turn } : {}),
    action: plan.kind,
    reason: plan.reason,
  };
}

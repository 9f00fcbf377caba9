/** In which order the claims of a plan take their turns, as rows of the report. */
import { Quantity } from "../../core/quantity.ts";
import type { ClaimPlan } from "../../statefulset/decide/plan-claims.ts";
import { type RolloutStep, rolloutStep } from "../../statefulset/decide/rollout.ts";
import type { Rollout } from "../../statefulset/types.ts";
import type { PlannedClaim, PlannedTemplate } from "./report.ts";

/**
 * The rows in the order of their turns, that order in words, and the step that it begins with. The first turn is what starts
 * at once; each of the others is what starts when all before it have their size. Claims that nothing is done about have no turn,
 * and stand with their ordinal; so do those that a failure holds back.
 */
export function inOrder(
  plans: readonly ClaimPlan[],
  rollout: Rollout | undefined,
): { claims: PlannedClaim[]; order: string; first: RolloutStep } {
  const turns = new Map<string, number>();
  const first = rolloutStep(plans, rollout);
  let rest = plans;
  for (let step = first, turn = 1; step.start.length > 0; turn++) {
    for (const { name } of step.start) turns.set(name, turn);
    rest = rest.map((plan) => (plan.kind === "waiting" || turns.has(plan.name) ? asDone(plan) : plan));
    step = rolloutStep(rest, rollout);
  }
  const sorted = plans.toSorted((a, b) => Number(b.inRange) - Number(a.inRange) || b.ordinal - a.ordinal);
  return { claims: sorted.map((plan) => rowOf(plan, turns.get(plan.name))), order: first.reason, first };
}

/** What a template may wait for besides the order of the claims. */
export interface TemplateWaits {
  /** The API server takes the edit, and its own controller grows all claims then. */
  readonly takesEdits: boolean;
  /** A custom resource wants the sizes. */
  readonly fromResource: boolean;
}

/** When the template has its turn, as the rules of statefulset/decide/claim-holds.ts have it. */
export function templateTurn(
  first: RolloutStep,
  rollout: Rollout | undefined,
  { takesEdits, fromResource }: TemplateWaits,
): PlannedTemplate["follows"] {
  if (fromResource || (!first.proven && rollout?.mode === "OneByOne")) return "after-the-claims";
  if (!first.proven) return "after-the-canaries";
  return takesEdits && first.held.length > 0 ? "after-the-last-turn" : "with-the-claims";
}

function asDone(plan: ClaimPlan): ClaimPlan {
  return plan.kind === "missing" ? plan : { ...plan, kind: "done" };
}

/** The row of one claim. */
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

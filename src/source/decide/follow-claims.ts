/** What one custom resource means for claims that no StatefulSet made, and that follow it by label. */
import type { StorageClasses } from "../../admission/storage-classes.ts";
import type { FieldError } from "../../admission/verdict.ts";
import type { Gates } from "../../core/gates.ts";
import { Quantity } from "../../core/quantity.ts";
import type { PersistentVolumeClaim } from "../../core/types.ts";
import { type ClaimPlan, planClaim, refusedByServer } from "../../statefulset/decide/plan-claims.ts";
import type { Startable } from "../../statefulset/decide/rollout.ts";
import { failureOf } from "./follow-set.ts";
import type { ClaimStanding, TemplateGrowth } from "./growth.ts";
import { notASize } from "./not-a-size.ts";
import type { Target } from "./targets.ts";

export interface FollowClaimsFacts {
  readonly target: Target;
  /** Those that the target selects. */
  readonly claims: readonly PersistentVolumeClaim[];
  readonly classes: StorageClasses;
  readonly gates: Gates;
  /** What the API server said about claims that it refused to change lately. */
  readonly refused: ReadonlyMap<string, string>;
}

export interface ClaimsFollowing {
  readonly errors: readonly FieldError[];
  readonly growth: readonly TemplateGrowth[];
  /** What to ask of which claim now: all at once, each for itself. */
  readonly start: readonly Startable[];
}

/**
 * The rules are those for the claims of a set: only up; a larger one is left alone; one whose expansion failed for good goes back to
 * a lower size. Of several sizes for the same claims the first counts.
 */
export function followClaims({ target, claims, refused, ...around }: FollowClaimsFacts): ClaimsFollowing {
  const [wished] = target.templates;
  if (wished === undefined) return { errors: [], growth: [], start: [] };
  const { template, size, written, path } = wished;
  if (size === undefined) return { errors: [notASize(path, written)], growth: [], start: [] };
  const plans = claims.map((claim): ClaimPlan => {
    const plan = planClaim(
      { claim, template, ordinal: 0, inRange: true },
      { size },
      { ...around, beyondReplicas: true },
    );
    const answer = refused.get(plan.name);
    return isStartable(plan) && answer !== undefined ? refusedByServer(plan, answer) : plan;
  });
  // There is no set whose template could be behind.
  const growth: TemplateGrowth = { template, wish: size, inSet: "follows", claims: plans.flatMap(standingOf) };
  return { errors: [], growth: [growth], start: plans.filter(isStartable) };
}

function isStartable(plan: ClaimPlan): plan is Startable {
  return plan.kind === "grow" || plan.kind === "recover";
}

function standingOf(plan: ClaimPlan): TemplateGrowth["claims"] {
  if (plan.kind === "missing" || (plan.kind === "blocked" && plan.because === "being-deleted")) return [];
  const { name, template, from: request } = plan;
  const capacity = plan.capacity.moreThan(Quantity.zero) ? plan.capacity : undefined;
  return [{ claim: { name, template, request, capacity, failure: failureOf(plan) }, standing: wordFor(plan) }];
}

function wordFor(plan: Exclude<ClaimPlan, { kind: "missing" }>): ClaimStanding {
  switch (plan.kind) {
    case "grow":
    case "recover":
      return "grow";
    case "failed":
    case "blocked":
      return "failed";
    case "waiting":
      // A claim that is not bound yet gets a volume of the size it asks for.
      if (plan.for === "binding") return "done";
      return plan.for === "release" ? "failed" : "growing";
    case "done":
    case "leave":
      return "done";
  }
}

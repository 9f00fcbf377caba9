import type { CheckResult } from "../../admission/preflight/preflight.ts";
import type { QuotaForecast } from "../../admission/preflight/quota-forecast.ts";
import type { ClaimPlan } from "../../statefulset/decide/plan-claims.ts";
import type { PlannedQuota, PlanReport } from "./report.ts";

/** What comes of a plan: one check that refuses is enough to keep everything from starting. */
export function verdictOf(
  checks: readonly CheckResult[],
  plans: readonly ClaimPlan[],
  templateIsThere: boolean,
): PlanReport["verdict"] {
  if (checks.some(({ outcome }) => outcome === "refuse")) return "refused";
  const changes = plans.some(({ kind }) => kind === "grow" || kind === "recover");
  return changes || !templateIsThere ? "would-be-done" : "nothing-to-do";
}

export function quotaLines(forecast: readonly QuotaForecast[]): readonly PlannedQuota[] {
  return forecast.map(({ quota, resource, before, after, limit }) => ({
    quota,
    resource,
    before: before.toString(),
    after: after.toString(),
    limit: limit.toString(),
  }));
}

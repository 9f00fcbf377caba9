/** The plan for a claim on its own. */

import { validateClaimUpdate } from "../../admission/claim-update.ts";
import { asking } from "../../admission/preflight/asking.ts";
import type { PreflightFacts } from "../../admission/preflight/facts.ts";
import { podsToRestart } from "../../admission/preflight/node-or-offline.ts";
import { preflight } from "../../admission/preflight/preflight.ts";
import { quotaForecast } from "../../admission/preflight/quota-forecast.ts";
import { readClaim } from "../../core/claim.ts";
import type { Quantity } from "../../core/quantity.ts";
import type { PersistentVolumeClaim } from "../../core/types.ts";
import { claimsOf } from "../../statefulset/decide/claim-ownership.ts";
import { type ClaimPlan, planClaim } from "../../statefulset/decide/plan-claims.ts";
import { claimFacts } from "../../statefulset/decide/preflight-facts.ts";
import type { Evidence } from "./evidence.ts";
import type { PlanOptions } from "./options.ts";
import { rowOf } from "./order.ts";
import type { PlanReport } from "./report.ts";
import { assumedClasses, type Surroundings, surroundingsOf } from "./surroundings.ts";
import { quotaLines, verdictOf } from "./verdict.ts";

/** What would happen to the claim if it asked for this; without a size, what happens to it as it is. */
export function planOneClaim(
  claim: PersistentVolumeClaim,
  asked: Quantity | undefined,
  evidence: Evidence,
  options: PlanOptions,
): PlanReport {
  const view = readClaim(claim);
  const around = surroundingsOf(view.namespace, evidence, options.gates);
  const to = asked ?? view.request;
  const plan = planFor(claim, to, around, options);
  const facts: PreflightFacts = {
    claims: [claimFacts(claim, plan, around)],
    set: undefined,
    memberOf: membership(claim, evidence),
    classes: around.classes,
    drivers: around.drivers,
    quotas: around.quotas,
    limitRanges: around.limitRanges,
    gates: options.gates,
  };
  const checks = preflight(facts);
  return {
    target: { kind: "PersistentVolumeClaim", namespace: view.namespace, name: view.name },
    verdict: verdictOf(checks, [plan], true),
    sizes: [
      {
        name: view.name,
        from: view.request.toString(),
        to: to.toString(),
        because: asked === undefined ? "as-is" : "asked",
      },
    ],
    claims: [rowOf(plan, 1)],
    order: "",
    quota: quotaLines(quotaForecast(facts)),
    restarts: podsToRestart(facts),
    restartPods: "Never",
    checks,
    notRead: evidence.notRead,
  };
}

function planFor(claim: PersistentVolumeClaim, to: Quantity, around: Surroundings, { gates }: PlanOptions): ClaimPlan {
  const plan = planClaim(
    { claim, template: "", ordinal: 0, inRange: true },
    { size: to },
    {
      classes: around.classes ?? assumedClasses(),
      // A person who edits a claim asks nobody's leave but the API server's.
      gates: { ...gates, StatefulSetVolumeExpansion: true },
      beyondReplicas: true,
    },
  );
  // A set leaves a larger claim alone while it may still succeed. A person who asks for less is asked no questions, as
  // long as the API server takes it; an expansion that is under way may then still be finished (KEP-1790).
  const lowers = (plan.kind === "leave" || plan.kind === "waiting") && plan.to.lessThan(plan.from);
  if (!lowers || validateClaimUpdate(claim, asking(claim, to), gates).length > 0) return plan;
  return { ...plan, kind: "recover", reason: "asks for less; an expansion that is under way may still be finished" };
}

/** The set that the claim belongs to, if one that is given has it among its own. */
function membership(claim: PersistentVolumeClaim, { snapshot }: Evidence): PreflightFacts["memberOf"] {
  for (const set of snapshot.StatefulSet.values()) {
    const [owned] = claimsOf(set, [claim], snapshot.StatefulSet.values()).owned;
    if (owned !== undefined) return { set: set.metadata.name, template: owned.template };
  }
  return undefined;
}

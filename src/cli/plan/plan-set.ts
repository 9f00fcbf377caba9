/** The plan for a StatefulSet: the rules of statefulset/ and admission/ asked about a snapshot. */

import { podsToRestart } from "../../admission/preflight/node-or-offline.ts";
import { preflight } from "../../admission/preflight/preflight.ts";
import { quotaForecast } from "../../admission/preflight/quota-forecast.ts";
import { OutgrowError } from "../../core/errors.ts";
import type { Pod, StatefulSet } from "../../core/types.ts";
import { claimsOf } from "../../statefulset/decide/claim-ownership.ts";
import { type DesiredSize, desiredSizes } from "../../statefulset/decide/desired-sizes.ts";
import { claimOrder, planClaims } from "../../statefulset/decide/plan-claims.ts";
import { preflightFacts } from "../../statefulset/decide/preflight-facts.ts";
import { podsOf } from "../../statefulset/decide/references.ts";
import { isRestarting, restartStep } from "../../statefulset/decide/restart-step.ts";
import { templateTarget } from "../../statefulset/decide/template-target.ts";
import { type TemplateWay, templateWay } from "../../statefulset/decide/template-way.ts";
import { checkWish, type Wish } from "../../statefulset/decide/wish.ts";
import { wishOf } from "../../statefulset/decide/wish-of.ts";
import type { VolumeExpansion } from "../../statefulset/types.ts";
import { overRecord } from "../growth-flags.ts";
import type { Evidence } from "./evidence.ts";
import type { PlanOptions } from "./options.ts";
import { inOrder, templateTurn } from "./order.ts";
import type { PlannedTemplate, PlanReport } from "./report.ts";
import { assumedClasses, type Surroundings, surroundingsOf } from "./surroundings.ts";
import { quotaLines, verdictOf } from "./verdict.ts";

/**
 * What would happen to the set and its claims. `asked` are sizes from the command line; they go before the set's own wish,
 * which holds for the other templates. Throws `OBJECT_MISSING` for a template that the set does not have.
 */
export function planSet(set: StatefulSet, asked: Wish, evidence: Evidence, options: PlanOptions): PlanReport {
  const { namespace = "default", name } = set.metadata;
  const around = surroundingsOf(namespace, evidence, options.gates);
  const desired = desiredWith(set, evidence.record, asked);
  const how = overRecord(options.how, evidence.record?.spec);
  const plans = planClaims({
    set,
    desired,
    claims: around.claims,
    others: evidence.snapshot.StatefulSet.values(),
    classes: around.classes ?? assumedClasses(),
    gates: options.gates,
    ...claimOrder(how),
  });
  const { claims, order, first } = inOrder(plans, how.rollout);
  const follows = templateTurn(first, how.rollout, {
    takesEdits: evidence.answer?.takesEdits === true,
    fromResource: options.fromResource === true || evidence.record?.spec.wishedBy !== undefined,
  });
  const restart = restartStep({
    set,
    plans,
    claims: around.claims,
    pods: around.pods === undefined ? [] : podsOf(set, around.pods),
    mode: how.restartPods,
    now: options.now,
  });
  const { way, template } = planTemplate(set, desired, around, evidence, {
    ...options,
    how,
    restarting: around.pods !== undefined && isRestarting(restart),
  });
  const facts = preflightFacts(set, desired, plans, way, {
    ...around,
    gates: options.gates,
    evenIfOwned: how.evenIfOwned === true,
  });
  const checks = preflight(facts);
  return {
    target: { kind: "StatefulSet", namespace, name },
    verdict: verdictOf(checks, plans, way.kind === "up-to-date"),
    sizes: desired.map(({ template, templateSize, size, from }) => ({
      name: template,
      from: templateSize.toString(),
      to: size.toString(),
      because: asked.has(template) ? "asked" : from === "wish" ? "wish" : "as-is",
    })),
    claims,
    order,
    template: { ...template, follows },
    quota: quotaLines(quotaForecast(facts)),
    restarts: podsToRestart(facts),
    restartPods: how.restartPods ?? "Never",
    checks,
    notRead: evidence.notRead,
  };
}

/**
 * What is wanted of the set when this is asked for on top of the wish that it has, itself or by its record. Throws
 * `OBJECT_MISSING` for a template that it does not have.
 */
export function desiredWith(
  set: StatefulSet,
  record: VolumeExpansion | undefined,
  asked: Wish,
): readonly DesiredSize[] {
  const [problem] = checkWish(asked, set);
  if (problem !== undefined) throw new OutgrowError("OBJECT_MISSING", problem.message);
  return desiredSizes(set, new Map([...(wishOf(set, record) ?? []), ...asked]));
}

function planTemplate(
  set: StatefulSet,
  desired: readonly DesiredSize[],
  around: Surroundings,
  { snapshot, answer }: Evidence,
  { gates, how, now, restarting }: PlanOptions & { readonly restarting: boolean },
): { way: TemplateWay; template: Omit<PlannedTemplate, "follows"> } {
  const { owned, disputed } = claimsOf(set, around.claims, snapshot.StatefulSet.values());
  const claims = [...owned, ...disputed];
  const pods = around.pods === undefined ? assumedPods(set) : podsOf(set, around.pods);
  // Where nobody has asked: no release of Kubernetes takes the edit so far.
  const way = templateWay({
    set,
    desired,
    claims,
    pods,
    takesEdits: answer?.takesEdits ?? false,
    dryRun: answer?.dryRun,
    restarting,
    gates,
    evenIfOwned: how.evenIfOwned ?? false,
    now,
  });
  const target = templateTarget(desired, claims);
  const changes = desired.flatMap(({ template, templateSize }) => {
    const size = target.get(template) ?? templateSize;
    return size.equals(templateSize) ? [] : [{ template, from: templateSize.toString(), to: size.toString() }];
  });
  const holds = way.kind === "wait" ? way.holds.map(({ id, reason }) => ({ id, reason })) : [];
  return { way, template: { way: way.kind, changes, reason: reasonFor(way), holds } };
}

function reasonFor(way: TemplateWay): string {
  switch (way.kind) {
    case "up-to-date":
      return "stays as it is";
    case "patch":
      return "the API server takes this edit, so the set is patched";
    case "re-create":
      return "the API server does not take this edit, so the set is re-created around its running pods";
    case "wait":
      return "later: it is held up, and follows when that is over";
  }
}

/** Where no pods are given, those that the set's own status speaks of. */
function assumedPods(set: StatefulSet): readonly Pod[] {
  const { apiVersion = "apps/v1", metadata, status } = set;
  const owner = { apiVersion, kind: "StatefulSet", name: metadata.name, uid: metadata.uid ?? "", controller: true };
  return Array.from({ length: status?.replicas ?? 0 }, (_, index) => ({
    metadata: {
      name: `${metadata.name}-${index}`,
      labels: { "controller-revision-hash": status?.updateRevision ?? "" },
      ownerReferences: [owner],
    },
    spec: {},
  }));
}

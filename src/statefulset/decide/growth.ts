/**
 * Everything about the claims of one set, decided at once: what is wanted, what is in the way of it, and which requests
 * to change now. Where nothing may be started, `refusals` says why, and nothing is.
 */
import { type CheckResult, preflight } from "../../admission/preflight/preflight.ts";
import type { StorageClasses } from "../../admission/storage-classes.ts";
import { messageOf } from "../../core/errors.ts";
import type { Gates } from "../../core/gates.ts";
import type { LimitRange, PersistentVolumeClaim, Pod, ResourceQuota, StatefulSet } from "../../core/types.ts";
import type { VolumeExpansion } from "../types.ts";
import { type DesiredSize, desiredSizes } from "./desired-sizes.ts";
import { mayChangeOwned } from "./follow-template.ts";
import { type ClaimPlan, claimOrder, planClaims, refusedByServer } from "./plan-claims.ts";
import { preflightFacts, usersByClaim } from "./preflight-facts.ts";
import { podsOf } from "./references.ts";
import { type RestartStep, restartStep } from "./restart-step.ts";
import { type RolloutStep, rolloutStep } from "./rollout.ts";
import type { TemplateWay } from "./template-way.ts";
import { checkWish } from "./wish.ts";
import { wishOf } from "./wish-of.ts";

export interface GrowthFacts {
  /** The live set; while it is being re-created and gone, the saved one. */
  readonly set: StatefulSet;
  readonly record: VolumeExpansion | undefined;
  /** The claims of the namespace, or at least those that are called like the set's. */
  readonly claims: readonly PersistentVolumeClaim[];
  /** The other sets that call claims the same. */
  readonly others: readonly StatefulSet[];
  /** The pods of the namespace, or at least the set's. */
  readonly pods: readonly Pod[];
  readonly classes: StorageClasses;
  readonly quotas: readonly ResourceQuota[];
  readonly limitRanges: readonly LimitRange[];
  readonly gates: Gates;
  /** What the API server said about claims that it refused to change lately. */
  readonly refused: ReadonlyMap<string, string>;
  readonly now: number;
}

export interface Growth {
  readonly desired: readonly DesiredSize[];
  readonly plans: readonly ClaimPlan[];
  readonly rollout: RolloutStep;
  /** Why nothing is started at all; empty when nothing speaks against it. */
  readonly refusals: readonly string[];
  readonly restart: RestartStep;
}

/** `wayOf` tells how the template would follow, for sizes that can be read. */
export function decideGrowth(facts: GrowthFacts, wayOf: (desired: readonly DesiredSize[]) => TemplateWay): Growth {
  const { set, record } = facts;
  const problems = [...nameProblems(facts), ...wishProblems(set, record)];
  if (problems.length > 0) {
    return { desired: [], plans: [], rollout: rolloutStep([]), refusals: problems, restart: { kind: "nothing" } };
  }
  const { rollout: order = {}, restartPods } = record?.spec ?? {};
  const desired = desiredSizes(set, wishOf(set, record));
  const plans = planClaims({ ...facts, ...claimOrder(record?.spec), desired }).map((plan) =>
    withAnswer(plan, facts.refused),
  );
  const rollout = rolloutStep(plans, order);
  const refusals = isUnderWay(plans, record) ? [] : refusalsOf(facts, desired, plans, wayOf(desired));
  const restart = restartStep({ ...facts, pods: podsOf(set, facts.pods), plans, mode: restartPods });
  return { desired, plans, rollout, refusals, restart };
}

/**
 * Whether there is something that people should find in a record: a size to be reached, or something in its way. With the
 * gate off nothing new begins, and only who has asked for something is told so.
 */
export function isWorthTelling({ desired, plans, refusals }: Growth, way: TemplateWay, gates: Gates): boolean {
  if (!gates.StatefulSetVolumeExpansion && desired.length > 0 && desired.every(({ from }) => from === "template")) {
    return false;
  }
  if (refusals.length > 0 || way.kind !== "up-to-date") return true;
  return plans.some(({ kind, ...plan }) => {
    switch (kind) {
      case "grow":
      case "recover":
      case "failed":
        return true;
      case "waiting":
        return "for" in plan && plan.for !== "binding";
      case "blocked":
        return "because" in plan && plan.because !== "being-deleted" && plan.because !== "disputed";
      case "missing":
      case "done":
      case "leave":
        return false;
    }
  });
}

/**
 * Whether the storage has not yet given every claim what a custom resource wants of it, so that the template waits (claim-holds.ts).
 * Who wrote the size on the set itself goes back there, whatever the template says by then, and waits for nothing.
 */
export function isOpenForSource({ plans }: Growth, record: VolumeExpansion | undefined): boolean {
  if (record?.spec.wishedBy === undefined) return false;
  return plans.some((plan) => {
    switch (plan.kind) {
      case "grow":
      case "recover":
      case "failed":
        return true;
      case "waiting":
        return plan.for === "resizer" || plan.for === "release";
      case "blocked":
        return plan.because !== "being-deleted" && plan.because !== "disputed";
      case "missing":
      case "done":
      case "leave":
        return false;
    }
  });
}

/** A record is found by the set's name, so it must be called like it. */
function nameProblems({ set, record }: GrowthFacts): string[] {
  const { name } = set.metadata;
  if (record === undefined || record.spec.statefulSetName === name) return [];
  return [
    `the record is called ${name} and names StatefulSet ${record.spec.statefulSetName}; a record has the name of its set`,
  ];
}

function wishProblems(set: StatefulSet, record: VolumeExpansion | undefined): string[] {
  try {
    const wish = wishOf(set, record);
    return wish === undefined ? [] : checkWish(wish, set).map(({ message }) => message);
  } catch (error) {
    return [messageOf(error)];
  }
}

function withAnswer(plan: ClaimPlan, refused: ReadonlyMap<string, string>): ClaimPlan {
  const message = refused.get(plan.name);
  if (message === undefined || (plan.kind !== "grow" && plan.kind !== "recover")) return plan;
  return refusedByServer(plan, message);
}

/**
 * Preflight is about starting. What it would say of a growth that has begun (a quota that is used up by now, a claim that
 * has failed) shows in the claims themselves, and does not take back what runs.
 */
function isUnderWay(plans: readonly ClaimPlan[], record: VolumeExpansion | undefined): boolean {
  const { status } = record ?? {};
  if (status?.savedStatefulSet !== undefined) return true;
  if (status?.phase === undefined || status.phase === "Checking") return false;
  if (status.conditions?.some(({ reason }) => reason === "Refused") === true) return false;
  const rows = new Map((status.claims ?? []).map(({ name, to }) => [name, to]));
  return plans.every(({ name, to }) => rows.get(name) === undefined || rows.get(name) === to.toString());
}

function refusalsOf(
  facts: GrowthFacts,
  desired: readonly DesiredSize[],
  plans: readonly ClaimPlan[],
  way: TemplateWay,
): readonly string[] {
  const users = usersByClaim(facts.pods);
  const found = preflight(
    preflightFacts(facts.set, desired, plans, way, {
      ...facts,
      drivers: undefined,
      evenIfOwned: mayChangeOwned(facts.record),
      volumeOf: () => undefined,
      usersOf: ({ metadata }) => users.get(metadata.name) ?? [],
    }),
  );
  return found
    .filter((result) => stopsAll(result, desired, plans))
    .map(({ message, wayOut }) => (wayOut === undefined ? message : `${message}; ${wayOut}`));
}

/**
 * Claims that are stuck have a row of their own each, and hold up the others as the rollout says. A size below the template
 * is a mistake only as long as no claim has gone back to it: then it is how a failure was recovered from.
 */
function stopsAll({ id, outcome }: CheckResult, desired: readonly DesiredSize[], plans: readonly ClaimPlan[]): boolean {
  if (outcome !== "refuse" || id === "claims-stuck") return false;
  return id !== "size-below" || !desired.filter(isLowered).every(({ template }) => wentBack(template, plans));
}

function isLowered({ size, templateSize }: DesiredSize): boolean {
  return size.lessThan(templateSize);
}

function wentBack(template: string, plans: readonly ClaimPlan[]): boolean {
  return plans.some((plan) => plan.template === template && plan.kind !== "missing" && plan.from.equals(plan.to));
}

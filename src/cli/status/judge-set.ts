/** How far one StatefulSet is. Its claims tell what is; its record tells what its controller thinks of it. */
import { messageOf } from "../../core/errors.ts";
import { DEFAULT_GATES } from "../../core/gates.ts";
import { Quantity } from "../../core/quantity.ts";
import type { PersistentVolumeClaim, StatefulSet } from "../../core/types.ts";
import { claimsOf } from "../../statefulset/decide/claim-ownership.ts";
import { type DesiredSize, desiredSizes } from "../../statefulset/decide/desired-sizes.ts";
import { type ClaimPlan, claimOrder, planClaim, planClaims } from "../../statefulset/decide/plan-claims.ts";
import { rolloutStep } from "../../statefulset/decide/rollout.ts";
import { templateTarget, withTemplateSizes } from "../../statefulset/decide/template-target.ts";
import { checkWish, type Wish } from "../../statefulset/decide/wish.ts";
import { wishOf } from "../../statefulset/decide/wish-of.ts";
import type { ClaimRow, VolumeExpansion } from "../../statefulset/types.ts";
import { assumedClasses } from "../plan/surroundings.ts";
import { progressOf } from "./claim-progress.ts";
import type { Picture } from "./picture.ts";
import type { ClaimProgress, Growth, Outcome } from "./report.ts";

interface SetContext {
  /** The claims and the StatefulSets of the namespace. */
  readonly claims: readonly PersistentVolumeClaim[];
  readonly neighbours: readonly StatefulSet[];
  readonly record: VolumeExpansion | undefined;
  readonly picture: Picture;
}

export function judgeSet(set: StatefulSet, { claims, neighbours, record, picture }: SetContext): Growth {
  const { desired, problem } = wanted(set, record, picture.wishes?.sets.get(set.metadata.name));
  const spec = record?.spec;
  const rules = {
    classes: picture.classes ?? assumedClasses(),
    gates: DEFAULT_GATES,
    ...claimOrder(spec),
  };
  const ofSet = planClaims({ set, desired, claims, others: neighbours, ...rules });
  const verdict = verdictOf(record, ofSet);
  const { owned, disputed } = claimsOf(set, claims, neighbours);
  const byName = new Map(owned.map((each) => [each.claim.metadata.name, each]));
  const plans = ofSet.map((plan) => {
    // The set leaves alone what somebody else asked one of its claims for; that grows or fails all the same.
    const member = byName.get(plan.name);
    return member !== undefined && growsByItself(plan) ? planClaim(member, { size: plan.from }, rules) : plan;
  });
  const rows = new Map(verdict.rows.map((row) => [row.name, row]));
  const objects = new Map(claims.map((claim) => [claim.metadata.name, claim]));
  const step = rolloutStep(plans, spec?.rollout);
  const held = new Set(step.held.map(({ name }) => name));
  const refused = verdict.stalled ? verdict.message : "";
  const sizes = templateTarget(desired, [...owned, ...disputed]);
  const templateBehind = withTemplateSizes(set, sizes) !== set && picture.records !== undefined;
  const progress = plans
    .toSorted((a, b) => Number(b.inRange) - Number(a.inRange) || b.ordinal - a.ordinal)
    .map((plan) =>
      progressOf(plan, {
        claim: objects.get(plan.name),
        row: rows.get(plan.name),
        held: held.has(plan.name) ? step.reason : refused,
        restarts: rules.restarts,
      }),
    );
  const { namespace = "default", name } = set.metadata;
  return {
    kind: "StatefulSet",
    namespace,
    name,
    outcome: problem !== undefined ? "stuck" : outcomeOf(progress, verdict, templateBehind),
    ...(verdict.phase === undefined ? {} : { phase: verdict.phase }),
    ...(spec?.wishedBy && { wishedBy: { kind: spec.wishedBy.kind, name: spec.wishedBy.name } }),
    ...(step.stoppedBy.length > 0 && { stoppedBy: step.stoppedBy.map((each) => each.name) }),
    message: problem ?? verdict.message,
    claims: progress,
  };
}

function growsByItself(plan: ClaimPlan): plan is Extract<ClaimPlan, { kind: "leave" }> {
  return plan.kind === "leave" && plan.inRange && plan.capacity.lessThan(plan.from);
}

/** A wish that cannot be read, or names no template of the set: the templates count, and somebody has to mend it. */
function wanted(
  set: StatefulSet,
  record: VolumeExpansion | undefined,
  ofResource: Wish | undefined,
): { desired: readonly DesiredSize[]; problem?: string } {
  try {
    const wish = ofResource ?? wishOf(set, record) ?? new Map();
    const [problem] = checkWish(wish, set);
    return { desired: desiredSizes(set, wish), ...(problem && { problem: problem.message }) };
  } catch (error) {
    return { desired: desiredSizes(set, new Map()), problem: messageOf(error) };
  }
}

interface Verdict {
  readonly phase: NonNullable<VolumeExpansion["status"]>["phase"];
  readonly stalled: boolean;
  readonly message: string;
  readonly rows: readonly ClaimRow[];
}

const NO_VERDICT: Verdict = { phase: undefined, stalled: false, message: "", rows: [] };

/** What the record says, if it is about what is wanted now, sizes and order: the controller may not have seen them yet. */
function verdictOf(record: VolumeExpansion | undefined, plans: readonly ClaimPlan[]): Verdict {
  const { phase, observedGeneration, conditions = [], claims: rows = [] } = record?.status ?? {};
  const { generation = 0 } = record?.metadata ?? {};
  const targets = new Map(rows.map(({ name, to }) => [name, Quantity.tryParse(to)]));
  const isAboutThis = plans.every(({ name, to }) => targets.get(name)?.equals(to) === true);
  if (phase === undefined || !isAboutThis || (observedGeneration ?? generation) < generation) return NO_VERDICT;
  const stalled = conditions.find(({ type }) => type === "Stalled")?.status === "True";
  const message = conditions.find(({ type }) => type === "Ready")?.message ?? "";
  return { phase, stalled, message: phase === "Done" ? "" : message, rows };
}

/** One claim that failed does not end it while another still grows. */
function outcomeOf(claims: readonly ClaimProgress[], { phase, stalled }: Verdict, templateBehind: boolean): Outcome {
  const stopped = stalled && phase === "Stopped";
  if (claims.some(({ outcome }) => outcome === "growing")) return stopped ? "stuck" : "growing";
  if (stopped || claims.some(({ outcome }) => outcome === "stuck")) return "stuck";
  if (phase === "Done" || !templateBehind) return "done";
  return stalled ? "stuck" : "growing";
}

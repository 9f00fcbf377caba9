/**
 * What one custom resource means for one StatefulSet: what is wrong with its sizes, what must grow, what the set's record is to ask
 * for, and what stands against it.
 */
import type { StorageClasses } from "../../admission/storage-classes.ts";
import { type FieldError, forbidden } from "../../admission/verdict.ts";
import type { Gates } from "../../core/gates.ts";
import { Quantity } from "../../core/quantity.ts";
import { semanticallyEqual } from "../../core/semantic-equal.ts";
import { type ClaimTemplate, type PersistentVolumeClaim, STORAGE, type StatefulSet } from "../../core/types.ts";
import type { Wish } from "../../core/wish.ts";
import { desiredSizes } from "../../statefulset/decide/desired-sizes.ts";
import { type ClaimPlan, claimOrder, planClaims } from "../../statefulset/decide/plan-claims.ts";
import { asking } from "../../statefulset/decide/wish-of.ts";
import type { VolumeExpansion, VolumeExpansionSpec } from "../../statefulset/types.ts";
import { growthWanted, type SourceClaim, type TemplateGrowth, wishesFor } from "./growth.ts";
import { notASize } from "./not-a-size.ts";
import type { Target, WishedTemplate } from "./targets.ts";
import { sized, validateSourceGrowth } from "./validate.ts";

/** Who asks, as a record says it. */
export type WishedBy = NonNullable<VolumeExpansionSpec["wishedBy"]>;

export interface FollowSetFacts {
  readonly by: WishedBy;
  readonly target: Target;
  /** The live set; while it is being re-created and gone, the saved one. */
  readonly set: StatefulSet;
  readonly record: VolumeExpansion | undefined;
  /** The claims that are called like the set's, and the other sets that call theirs the same. */
  readonly claims: readonly PersistentVolumeClaim[];
  readonly others: readonly StatefulSet[];
  readonly classes: StorageClasses;
  readonly gates: Gates;
}

export interface SetFollowing {
  readonly errors: readonly FieldError[];
  readonly growth: readonly TemplateGrowth[];
  /** What the record is to ask for; undefined: it is left as it is, or not made at all. */
  readonly wish: Wish | undefined;
  /** What stands against the growth as a whole, in the words of the record. */
  readonly refusals: readonly string[];
}

export function followSet(facts: FollowSetFacts): SetFollowing {
  const { target, set, record, classes, by } = facts;
  const errors = errorsOf(target, set, classes);
  if (errors.length > 0) return { errors, growth: [], wish: undefined, refusals: [] };
  const growth = growthWanted(target.templates.map(asTemplate), set, claimsOf(facts));
  return { errors, growth, wish: wishOf(growth, record, by), refusals: refusalsOf(record, by) };
}

/** Whether the record carries the sizes of this very resource. */
export function isAskedBy(record: VolumeExpansion | undefined, by: WishedBy): boolean {
  const { source, kind, name } = record?.spec.wishedBy ?? {};
  return source === by.source && kind === by.kind && name === by.name;
}

/** Claims that scaling down, or taking a cluster offline, left behind: who brings the pods back expects them grown. */
export const BEYOND_REPLICAS = "Grow";

function errorsOf(target: Target, set: StatefulSet, classes: StorageClasses): FieldError[] {
  if (target.listPath !== undefined) {
    const templates = target.templates.flatMap(({ claimTemplate }) => claimTemplate ?? []);
    return validateSourceGrowth({ templates, statefulSet: set, classes, path: target.listPath });
  }
  return target.templates.flatMap(({ template, size, written, path }) => {
    if (size === undefined) return [notASize(path, written)];
    const inSet = set.spec.volumeClaimTemplates?.find(({ metadata }) => metadata.name === template);
    if (inSet === undefined) {
      return [forbidden(path, `StatefulSet "${set.metadata.name}" has no claim template "${template}"`)];
    }
    const templates = [sized(inSet, size)];
    return validateSourceGrowth({ templates, statefulSet: set, classes, path }).map((error) => ({ ...error, path }));
  });
}

function asTemplate({ template, size, claimTemplate }: WishedTemplate): ClaimTemplate {
  if (claimTemplate !== undefined) return claimTemplate;
  const requests = size === undefined ? {} : { [STORAGE]: size.toString() };
  return { metadata: { name: template }, spec: { resources: { requests } } };
}

/** The claims as the rules of growing see them, with what they say about those that cannot get there. */
function claimsOf({ target, set, record, ...facts }: FollowSetFacts): SourceClaim[] {
  const sizes = new Map(target.templates.flatMap(({ template, size }) => (size ? [[template, size] as const] : [])));
  const order = claimOrder({ beyondReplicas: BEYOND_REPLICAS, ...record?.spec });
  const plans = planClaims({ ...facts, ...order, set, desired: desiredSizes(set, sizes) });
  const rows = new Map((record?.status?.claims ?? []).map((row) => [row.name, row]));
  return plans.flatMap((plan) => {
    if (plan.kind === "missing" || (!plan.inRange && !order.beyondReplicas) || isNobodysFailure(plan)) return [];
    const row = rows.get(plan.name);
    const refused = row?.state === "Blocked" && row.to === plan.to.toString() ? row.message : undefined;
    const { name, template, from: request } = plan;
    const capacity = plan.capacity.moreThan(Quantity.zero) ? plan.capacity : undefined;
    return [{ name, template, request, capacity, failure: failureOf(plan, record?.spec.restartPods) ?? refused }];
  });
}

function isNobodysFailure(plan: ClaimPlan): boolean {
  return plan.kind === "blocked" && (plan.because === "being-deleted" || plan.because === "disputed");
}

/**
 * Why a claim cannot get to its size before somebody acts; undefined while it may. A volume that grows only while it is not in use
 * waits for somebody to stop its pod, unless pods are restarted for that.
 */
export function failureOf(plan: ClaimPlan, restartPods?: VolumeExpansionSpec["restartPods"]): string | undefined {
  const isInUse = plan.kind === "waiting" && plan.for === "release" && restartPods !== "WhenNeeded";
  return plan.kind === "failed" || plan.kind === "blocked" || isInUse ? plan.reason : undefined;
}

/**
 * A record is begun when there is something to grow. From then on it says what the resource says, so that it does not change
 * with each step that has been taken; a template that is ahead of the resource is not asked to go down.
 */
function wishOf(
  growth: readonly TemplateGrowth[],
  record: VolumeExpansion | undefined,
  by: WishedBy,
): Wish | undefined {
  if (wishesFor(growth).size === 0 && !isAskedBy(record, by)) return undefined;
  const open = growth.filter(({ inSet }) => inSet === "behind" || inSet === "follows");
  return new Map(open.map(({ template, wish }) => [template, wish]));
}

/** Reasons that concern the growth as a whole; what is wrong with single claims is known from the claims themselves. */
const AS_A_WHOLE: readonly string[] = ["Refused", "TemplateDeferred"];

function refusalsOf(record: VolumeExpansion | undefined, by: WishedBy): string[] {
  if (record === undefined || !isAskedBy(record, by)) return [];
  const { conditions = [], observedGeneration } = record.status ?? {};
  if (observedGeneration !== record.metadata.generation) return [];
  const stalled = conditions.find(({ type, status }) => type === "Stalled" && status === "True");
  if (stalled === undefined || !AS_A_WHOLE.includes(stalled.reason ?? "")) return [];
  return [(stalled.message ?? "").replace(`${asking(record)}: `, "")];
}

/** Whether a record says all of this already. */
export function isTold(
  record: VolumeExpansion | undefined,
  spec: Pick<VolumeExpansionSpec, "claims" | "wishedBy" | "recreatedBy">,
): boolean {
  return (
    record !== undefined &&
    semanticallyEqual(record.spec.claims ?? [], spec.claims ?? []) &&
    semanticallyEqual(record.spec.wishedBy, spec.wishedBy) &&
    record.spec.recreatedBy === spec.recreatedBy
  );
}

/**
 * What is to be done about each claim of a StatefulSet so that it has the desired size (KEP-661).
 *
 * | request, compared with what is desired    |                                                                     |
 * |-------------------------------------------|---------------------------------------------------------------------|
 * | below                                     | `grow`, also while an earlier expansion runs or the pod is not ready |
 * | equal, and the capacity is there          | `done`                                                              |
 * | equal, and it is not                      | `waiting`, or `failed` when the storage said no                     |
 * | above, capacity at least what is desired  | `leave`: nothing ever shrinks                                       |
 * | above, capacity below, failed for good    | `recover`: the request is lowered to what is desired (KEP-1790)     |
 * | above, capacity below, not failed         | `waiting`: it may still succeed, and then is left alone             |
 *
 * Where a step is due but cannot be taken, the claim is `blocked`, with the way out. Neither pods nor the template are
 * looked at: a disk that is full is grown although its pod is not ready, and whether the template has followed already
 * says nothing about the claims.
 */
import { classObstacle, explainObstacle } from "../../admission/claim-resize.ts";
import type { StorageClasses } from "../../admission/storage-classes.ts";
import { type ClaimView, readClaim } from "../../core/claim.ts";
import type { Gates } from "../../core/gates.ts";
import { Quantity } from "../../core/quantity.ts";
import type { PersistentVolumeClaim, StatefulSet } from "../../core/types.ts";
import type { VolumeExpansionSpec } from "../types.ts";
import { claimsOf, type OwnedClaim } from "./claim-ownership.ts";
import type { DesiredSize } from "./desired-sizes.ts";

export interface ClaimsFacts {
  readonly set: StatefulSet;
  readonly desired: readonly DesiredSize[];
  /** The claims of the namespace, or more. */
  readonly claims: Iterable<PersistentVolumeClaim>;
  /** The other StatefulSets of the namespace, as far as known. */
  readonly others?: Iterable<StatefulSet>;
  readonly classes: StorageClasses;
  readonly gates: Gates;
  /** Whether claims of ordinals that have no pod are grown too. */
  readonly beyondReplicas: boolean;
  /** Whether pods that are in the way are restarted. @default false */
  readonly restarts?: boolean;
}

/** What the spec of a record says about claims. */
export function claimOrder({
  beyondReplicas,
  restartPods,
}: Pick<VolumeExpansionSpec, "beyondReplicas" | "restartPods"> = {}): Required<
  Pick<ClaimsFacts, "beyondReplicas" | "restarts">
> {
  return { beyondReplicas: beyondReplicas === "Grow", restarts: restartPods === "WhenNeeded" };
}

/** What every plan says. `reason` is a sentence for people. */
interface Planned {
  readonly name: string;
  readonly template: string;
  readonly ordinal: number;
  /** False for a claim that scaling down left behind: it never holds up the others. */
  readonly inRange: boolean;
  /** The desired size. */
  readonly to: Quantity;
  readonly reason: string;
}

interface Existing extends Planned {
  /** What the decision was based on. A patch names both, so that it is refused when the claim has changed since. */
  readonly uid: string;
  readonly resourceVersion: string;
  /** The request as it stands. */
  readonly from: Quantity;
  /** What the pod really has; zero while unknown, as Kubernetes reads it. */
  readonly capacity: Quantity;
}

/** Why a step that is due cannot be taken. `being-deleted` and `disputed` are nobody's failure. */
export type Obstacle =
  | "being-deleted"
  | "disputed"
  | "lost"
  | "no-class"
  | "class-missing"
  | "class-rigid"
  | "growing-is-off"
  | "recovery-is-off"
  | "refused";

export type ClaimPlan =
  /** Raise the request from `from` to `to`. */
  | (Existing & { readonly kind: "grow" })
  /** Lower the request from `from` to `to`, which is still above the capacity: the larger size failed for good. */
  | (Existing & { readonly kind: "recover" })
  /** It has the desired size. */
  | (Existing & { readonly kind: "done" })
  /** It has or asks for more than what is desired, or is not to be touched; that is fine. */
  | (Existing & { readonly kind: "leave" })
  /**
   * Somebody else is at work: the binder, the resizer, or the node (a pod must mount the volume for that). Or a pod is in
   * the way (`release`): the driver grows only volumes that are not in use.
   */
  | (Existing & { readonly kind: "waiting"; readonly for: "binding" | "resizer" | "node" | "release" })
  /** The request is right, but the storage refused it, in these words. A lower wish recovers. */
  | (Existing & { readonly kind: "failed"; readonly message: string })
  | (Existing & { readonly kind: "blocked"; readonly because: Obstacle })
  /** The claim does not exist yet; the StatefulSet makes it with the pod. */
  | (Planned & { readonly kind: "missing" });

/**
 * One plan per claim of the set, those that do not exist yet included, by ordinal and then by template. Throws
 * `OBJECT_MALFORMED` for a claim whose sizes cannot be read.
 */
export function planClaims(facts: ClaimsFacts): readonly ClaimPlan[] {
  const sizes = new Map(facts.desired.map((desired, index) => [desired.template, { ...desired, index }]));
  const { owned, disputed, missing } = claimsOf(facts.set, facts.claims, facts.others);
  const plans: ClaimPlan[] = [];
  for (const claim of owned) {
    const desired = sizes.get(claim.template);
    if (desired !== undefined) plans.push(planClaim(claim, desired, facts));
  }
  for (const claim of disputed) {
    const desired = sizes.get(claim.template);
    if (desired !== undefined)
      plans.push(blocked(existing(claim, desired.size), "disputed", disputeText(claim.rivals)));
  }
  for (const claim of missing) {
    const desired = sizes.get(claim.template);
    if (desired === undefined) continue;
    const reason = `does not exist yet; it will be made from the template (${desired.templateSize}) together with its pod`;
    plans.push({ ...claim, kind: "missing", inRange: true, to: desired.size, reason });
  }
  const place = ({ template }: ClaimPlan): number => sizes.get(template)?.index ?? 0;
  return plans.sort((a, b) => a.ordinal - b.ordinal || place(a) - place(b));
}

/** The plan for one claim that is there. Also for a claim on its own, as if it were the one member of a set. */
export function planClaim(
  owned: OwnedClaim,
  desired: Pick<DesiredSize, "size">,
  facts: Pick<ClaimsFacts, "classes" | "gates" | "beyondReplicas" | "restarts">,
): ClaimPlan {
  const claim = readClaim(owned.claim);
  const base = existing(owned, desired.size);
  if (!owned.inRange && !facts.beyondReplicas) {
    return { ...base, kind: "leave", reason: `ordinal ${base.ordinal} has no pod; it is grown only when asked for` };
  }
  if (claim.deleting) {
    return blocked(
      base,
      "being-deleted",
      "is being deleted and goes when no pod uses it any more; save its data if it is needed",
    );
  }
  if (claim.phase === "Lost") {
    return blocked(
      base,
      "lost",
      `its volume ${claim.volumeName} is gone; restore the volume, or delete the claim to get a new one`,
    );
  }
  if (claim.phase !== "Bound") {
    return {
      ...base,
      kind: "waiting",
      for: "binding",
      reason: "is not bound to a volume yet; only a bound claim can grow",
    };
  }
  if (base.from.lessThan(base.to)) return planGrowth(base, claim, facts);
  if (base.from.equals(base.to)) return follow(base, claim, facts);
  return planLarger(base, claim, facts);
}

/** The request is below the desired size. */
function planGrowth(
  base: Existing,
  claim: ClaimView,
  { classes, gates }: Pick<ClaimsFacts, "classes" | "gates">,
): ClaimPlan {
  if (!gates.StatefulSetVolumeExpansion) {
    return blocked(base, "growing-is-off", "feature gate StatefulSetVolumeExpansion is off; nothing new is started");
  }
  const { className = "" } = claim;
  const obstacle = className === "" ? ({ kind: "no-class" } as const) : classObstacle(className, classes);
  if (obstacle !== undefined) return blocked(base, obstacle.kind, explainObstacle(obstacle));
  return { ...base, kind: "grow", reason: `grows from ${base.from} to ${base.to}` };
}

/** The request is what is desired. */
function follow(base: Existing, claim: ClaimView, { restarts = false }: Pick<ClaimsFacts, "restarts">): ClaimPlan {
  if (base.capacity.atLeast(base.to)) return { ...base, kind: "done", reason: `has ${base.capacity}` };
  const failure = failureOf(claim);
  if (failure !== undefined && isInUse(claim)) {
    const wayOut = restarts ? "its pod is restarted in its turn" : "stop its pod, or set restartPods: WhenNeeded";
    const reason = `the driver grows this volume only while no pod uses it: ${failure}; ${wayOut}`;
    return { ...base, kind: "waiting", for: "release", reason };
  }
  if (failure !== undefined) {
    const reason = `the storage refused ${base.to}: ${failure}; ask for less, but more than ${base.capacity}`;
    return { ...base, kind: "failed", message: failure, reason };
  }
  return waiting(base, claim);
}

/** The request is above the desired size. */
function planLarger(base: Existing, claim: ClaimView, { gates }: Pick<ClaimsFacts, "gates">): ClaimPlan {
  const failure = failureOf(claim);
  if (base.capacity.atLeast(base.to)) {
    const reason =
      failure !== undefined && base.capacity.lessThan(base.from)
        ? `has ${base.capacity}; growing to ${base.from} failed, and only a size above ${base.capacity} can take that back`
        : `asks for ${base.from}, more than ${base.to}; a claim is never made smaller`;
    return { ...base, kind: "leave", reason };
  }
  if (failure === undefined) return waiting(base, claim);
  if (!gates.RecoverExpansionFailure) {
    return blocked(
      base,
      "recovery-is-off",
      "feature gate RecoverExpansionFailure is off; turn it on to go back to a smaller size",
    );
  }
  return {
    ...base,
    kind: "recover",
    reason: `growing to ${base.from} failed (${failure}); goes for ${base.to} instead`,
  };
}

function waiting(base: Existing, claim: ClaimView): ClaimPlan {
  const onNode =
    claim.state === "node-pending" || claim.state === "node-in-progress" || claim.conditions.has("file-system-pending");
  return onNode
    ? {
        ...base,
        kind: "waiting",
        for: "node",
        reason: `the node is to grow the file system to ${base.from}; a pod must mount it for that`,
      }
    : { ...base, kind: "waiting", for: "resizer", reason: `the storage is growing to ${base.from}` };
}

/**
 * Why the recorded expansion has failed for good, in the words of the claim; undefined while it may still succeed. A
 * NodeResizeError alone proves nothing: kubelet sets it on a timeout, too, and goes on trying.
 */
function failureOf(claim: ClaimView): string | undefined {
  const [controller, node] = [claim.conditions.get("controller-error"), claim.conditions.get("node-error")];
  if (claim.state === "node-infeasible") return node?.message || "the node cannot grow the file system to that size";
  if (isOfAnotherSize(claim)) return undefined;
  if (claim.state === "controller-infeasible")
    return controller?.message || "the driver cannot make a volume of that size";
  if (claim.state === "node-pending" || claim.state === "node-in-progress") return undefined;
  return controller === undefined ? undefined : controller.message || "the driver refused";
}

/**
 * Whether what the controller recorded is not what is asked for now: the request has changed since, and the resizer goes for
 * the new size at once (KEP-1790). What is not above the capacity is the record of an expansion that is over.
 */
function isOfAnotherSize({ allocated, capacity = Quantity.zero, request }: ClaimView): boolean {
  return allocated?.moreThan(capacity) === true && !allocated.equals(request);
}

/** CSI has one code for "volume in use": FAILED_PRECONDITION of ControllerExpandVolume. It is tried again when the pod is gone. */
function isInUse(claim: ClaimView): boolean {
  const message = claim.conditions.get("controller-error")?.message ?? "";
  return claim.state !== "controller-infeasible" && /\bcode = FailedPrecondition\b/.test(message);
}

function existing({ claim, template, ordinal, inRange }: OwnedClaim, to: Quantity): Existing {
  const { name, uid, request, capacity = Quantity.zero } = readClaim(claim);
  const { resourceVersion = "" } = claim.metadata;
  return { name, uid, resourceVersion, template, ordinal, inRange, from: request, to, capacity, reason: "" };
}

/** The plan after the API server has refused to carry it out, in its own words. */
export function refusedByServer(plan: Extract<ClaimPlan, { kind: "grow" | "recover" }>, message: string): ClaimPlan {
  return { ...plan, kind: "blocked", because: "refused", reason: `the API server refused ${plan.to}: ${message}` };
}

function blocked(base: Existing, because: Obstacle, reason: string): ClaimPlan {
  return { ...base, kind: "blocked", because, reason };
}

function disputeText(rivals: readonly string[]): string {
  return `its name also fits StatefulSet ${rivals.join(", ")} and its labels do not tell whose it is; label it for one of them`;
}

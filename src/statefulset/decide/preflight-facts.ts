/** What preflight is told about a set: from what the rules of this folder decided. The checks are in admission/preflight. */
import type { ClaimFacts, ClaimUser, PreflightFacts, SetFacts } from "../../admission/preflight/facts.ts";
import { readClaim } from "../../core/claim.ts";
import type { PersistentVolume, PersistentVolumeClaim, Pod, StatefulSet } from "../../core/types.ts";
import type { DesiredSize } from "./desired-sizes.ts";
import type { ClaimPlan } from "./plan-claims.ts";
import { controllerOf } from "./references.ts";
import type { TemplateWay } from "./template-way.ts";

/** What is around the claims of a set; what is not known is undefined. */
export interface SetSurroundings
  extends Pick<PreflightFacts, "classes" | "drivers" | "quotas" | "limitRanges" | "gates"> {
  readonly claims: Iterable<PersistentVolumeClaim>;
  readonly evenIfOwned: boolean;
  volumeOf(claim: PersistentVolumeClaim): PersistentVolume | undefined;
  usersOf(claim: PersistentVolumeClaim): readonly ClaimUser[] | undefined;
}

export function preflightFacts(
  set: StatefulSet,
  desired: readonly DesiredSize[],
  plans: readonly ClaimPlan[],
  way: TemplateWay,
  around: SetSurroundings,
): PreflightFacts {
  const { classes, drivers, quotas, limitRanges, gates } = around;
  const objects = new Map([...around.claims].map((claim) => [claim.metadata.name, claim]));
  return {
    claims: plans.flatMap((plan) => {
      const object = objects.get(plan.name);
      return object === undefined ? [] : [claimFacts(object, plan, around)];
    }),
    set: setFacts(set, desired, way, around.evenIfOwned),
    memberOf: undefined,
    classes,
    drivers,
    quotas,
    limitRanges,
    gates,
  };
}

export function claimFacts(
  object: PersistentVolumeClaim,
  plan: ClaimPlan,
  around: Pick<SetSurroundings, "volumeOf" | "usersOf">,
): ClaimFacts {
  return {
    object,
    view: readClaim(object),
    to: plan.to,
    step: plan.kind === "grow" || plan.kind === "recover" ? plan.kind : "none",
    stuck: stuckReason(plan),
    volume: around.volumeOf(object),
    users: around.usersOf(object),
  };
}

function setFacts(set: StatefulSet, desired: readonly DesiredSize[], way: TemplateWay, evenIfOwned: boolean): SetFacts {
  const owner = controllerOf(set);
  return {
    name: set.metadata.name,
    retention: set.spec.persistentVolumeClaimRetentionPolicy,
    sizes: desired.map(({ template, templateSize, size }) => ({ template, now: templateSize, desired: size })),
    way: way.kind,
    holds: way.kind === "wait" ? way.holds : [],
    owner: owner === undefined ? undefined : `${owner.kind} ${owner.name}`,
    evenIfOwned,
  };
}

/** Class and driver have checks of their own; a claim that is left alone or on its way is not stuck. */
function stuckReason(plan: ClaimPlan): string | undefined {
  if (plan.kind === "failed" || (plan.kind === "waiting" && plan.for === "binding")) return plan.reason;
  return plan.kind === "blocked" && !plan.because.startsWith("class-") ? plan.reason : undefined;
}

/** By claim, the pods that have it on a node. A pod that has finished does not use its volumes any more. */
export function usersByClaim(pods: Iterable<Pod>): ReadonlyMap<string, readonly ClaimUser[]> {
  const users = new Map<string, ClaimUser[]>();
  for (const { metadata, spec, status } of pods) {
    if ((spec.nodeName ?? "") === "" || status?.phase === "Succeeded" || status?.phase === "Failed") continue;
    for (const { name, persistentVolumeClaim, ephemeral } of spec.volumes ?? []) {
      // The claim of an ephemeral volume is called after the pod and the volume.
      const claim = persistentVolumeClaim?.claimName ?? (ephemeral === undefined ? "" : `${metadata.name}-${name}`);
      const user = { pod: metadata.name, readOnly: persistentVolumeClaim?.readOnly === true };
      if (claim !== "") users.set(claim, [...(users.get(claim) ?? []), user]);
    }
  }
  return users;
}

/**
 * POST pods/NAME/eviction: deletes a pod unless its disruption budget says no (upstream registry/core/pod/storage
 * EvictionREST). The budget is charged before the pod is deleted, so that two evictions never share one allowance.
 */
import { toTimestamp } from "../../../core/clock.ts";
import type { ApiContext, Target } from "../handlers/context.ts";
import { deleteObject, deleteOptionsOf } from "../handlers/delete.ts";
import type { Action } from "../handlers/dispatch.ts";
import { get, isList, isObject, type Json, type JsonObject } from "../json.ts";
import type { Kind } from "../kinds/kind.ts";
import { metadataOf, textOf } from "../lifecycle/metadata.ts";
import { rewrite } from "../objects/rewrite.ts";
import { type LabelSelector, selectorFromObject } from "../selectors/label-selector.ts";
import { badRequest, internalError, StatusError } from "../status-error.ts";
import { DONE, readActionBody } from "./body.ts";
import { objectAt, withCondition } from "./pod-condition.ts";

export const evictPod: Action = async (context, target, caller, body) => {
  const { object: eviction, options } = readActionBody("policy/v1", "Eviction", caller, body);
  const name = target.name ?? "";
  const namespace = target.namespace ?? "";
  if (textOf(eviction, "name") !== name) throw badRequest("name in URL does not match name in Eviction object");
  const given = deleteOptionsOf(objectAt(eviction, "deleteOptions"), caller.query);
  const dryRun = options.dryRun || given.dryRun;
  const { kind } = target.resource;
  const pod = context.objects.get(kind, namespace, name);
  if (!needsNoBudget(pod)) await chargeBudget(context, namespace, pod, dryRun);
  if (!dryRun) await mark(context, target, name);
  await deleteObject(context, { ...target, name, subresource: undefined }, caller, { ...given, dryRun });
  return { code: 201, object: DONE };
};

/** It disrupts nothing that is not disrupted already. */
function needsNoBudget(pod: JsonObject): boolean {
  const phase = get(objectAt(pod, "status"), "phase");
  return phase === "Succeeded" || phase === "Failed" || phase === "Pending" || textOf(pod, "deletionTimestamp") !== "";
}

async function mark({ objects, clock }: ApiContext, { resource, namespace }: Target, name: string): Promise<void> {
  const condition = {
    type: "DisruptionTarget",
    reason: "EvictionByEvictionAPI",
    message: "Eviction API: evicting",
  };
  await rewrite(objects, resource.kind, namespace, name, (pod) => withCondition(pod, condition, clock.now()));
}

async function chargeBudget(context: ApiContext, namespace: string, pod: JsonObject, dryRun: boolean): Promise<void> {
  const resource = context.catalog.find("policy", "v1", "poddisruptionbudgets");
  if (resource === undefined) return;
  const { kind } = resource;
  const [budget, another] = context.objects.all(kind, namespace).filter((each) => covers(each, pod));
  if (another !== undefined) {
    throw internalError(
      "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
    );
  }
  if (budget === undefined || isSpare(budget, pod)) return;
  const charge = (current: JsonObject): JsonObject => charged(kind, current, textOf(pod, "name"), context.clock.now());
  if (dryRun) charge(budget);
  else await rewrite(context.objects, kind, namespace, textOf(budget, "name"), charge);
}

function covers(budget: JsonObject, pod: JsonObject): boolean {
  const selector = get(objectAt(budget, "spec"), "selector");
  let matcher: LabelSelector;
  try {
    matcher = selectorFromObject(isObject(selector) ? selector : undefined);
  } catch (error) {
    // A budget whose selector makes no sense covers nothing.
    if (error instanceof StatusError) return false;
    throw error;
  }
  return matcher.matches(objectAt(metadataOf(pod), "labels") as Record<string, string>);
}

/** An unready pod is no part of what the budget protects, as long as that is healthy without it. */
function isSpare(budget: JsonObject, pod: JsonObject): boolean {
  const conditions = get(objectAt(pod, "status"), "conditions");
  const ready = (isList(conditions) ? conditions : []).some(
    (each) => isObject(each) && get(each, "type") === "Ready" && get(each, "status") === "True",
  );
  if (ready) return false;
  if (get(objectAt(budget, "spec"), "unhealthyPodEvictionPolicy") === "AlwaysAllow") return true;
  const { currentHealthy, desiredHealthy } = counts(budget);
  return currentHealthy >= desiredHealthy && desiredHealthy > 0;
}

function counts(
  budget: JsonObject,
): Record<"currentHealthy" | "desiredHealthy" | "disruptionsAllowed" | "seen", number> {
  const status = objectAt(budget, "status");
  const number = (value: Json | undefined): number => (typeof value === "number" ? value : 0);
  return {
    currentHealthy: number(get(status, "currentHealthy")),
    desiredHealthy: number(get(status, "desiredHealthy")),
    disruptionsAllowed: number(get(status, "disruptionsAllowed")),
    seen: number(get(status, "observedGeneration")),
  };
}

const MAX_DISRUPTED = 2000;
const VIOLATES = "Cannot evict pod as it would violate the pod's disruption budget.";

/** The budget with one disruption less. Throws 429 when it has none to give. */
function charged(kind: Kind, budget: JsonObject, pod: string, now: number): JsonObject {
  const name = textOf(budget, "name");
  const { disruptionsAllowed, currentHealthy, desiredHealthy, seen } = counts(budget);
  const generation = get(metadataOf(budget), "generation");
  if (typeof generation === "number" && seen < generation) {
    throw tooMany(`The disruption budget ${name} is still being processed by the server.`, 10);
  }
  const status = objectAt(budget, "status");
  const disrupted = objectAt(status, "disruptedPods");
  if (disruptionsAllowed < 0) throw forbidden(kind, name, "pdb disruptions allowed is negative");
  if (Object.keys(disrupted).length > MAX_DISRUPTED) {
    throw forbidden(kind, name, "DisruptedPods map too big - too many evictions not confirmed by PDB controller");
  }
  if (disruptionsAllowed === 0) {
    throw tooMany(
      currentHealthy <= desiredHealthy
        ? `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`
        : `The disruption budget ${name} does not allow evicting pods currently`,
    );
  }
  return {
    ...budget,
    status: {
      ...status,
      disruptionsAllowed: disruptionsAllowed - 1,
      disruptedPods: { ...disrupted, [pod]: toTimestamp(now) },
    },
  };
}

function tooMany(message: string, retryAfterSeconds = 0): StatusError {
  const causes = [{ reason: "DisruptionBudget", message }];
  return new StatusError(429, "TooManyRequests", VIOLATES, causes, { retryAfterSeconds });
}

function forbidden(kind: Kind, name: string, why: string): StatusError {
  return new StatusError(
    403,
    "Forbidden",
    `${kind.singular}.${kind.group} ${JSON.stringify(name)} is forbidden: ${why}`,
  );
}

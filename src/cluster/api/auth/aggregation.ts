/**
 * ClusterRoles that gather the rules of others (upstream pkg/controller/clusterroleaggregation): `view`, `edit` and `admin`
 * grow with every role that is labelled for them.
 */
import type { Clock } from "../../../core/clock.ts";
import { semanticallyEqual } from "../../../core/semantic-equal.ts";
import type { LabelSelector } from "../../../core/types.ts";
import { prefixOf, StoreError } from "../../store/index.ts";
import { get, isList, isObject, type Json, type JsonObject } from "../json.ts";
import { resourceName } from "../kinds/kind.ts";
import { metadataOf, textOf } from "../lifecycle/metadata.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { applyConfiguration } from "../patch/ownership/index.ts";
import { selectorFromObject } from "../selectors/label-selector.ts";
import { StatusError } from "../status-error.ts";
import { CLUSTER_ROLE } from "./stored-kinds.ts";

const MANAGER = "clusterrole-aggregation-controller";
const TYPE = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole" } as const;

/**
 * The rules that an aggregating role should have, given all ClusterRoles by name: those of each selector in turn, each rule
 * once, never its own. Undefined for a role that gathers nothing. Throws `StatusError` for a selector that makes no sense.
 */
export function aggregatedRules(role: JsonObject, all: readonly JsonObject[]): readonly Json[] | undefined {
  const selectors = selectorsOf(role);
  if (selectors === undefined) return undefined;
  const rules: Json[] = [];
  for (const selector of selectors) {
    const { matches } = selectorFromObject(selector);
    for (const other of all) {
      if (textOf(other, "name") === textOf(role, "name") || !matches(labelsOf(other))) continue;
      for (const rule of rulesOf(other)) if (!rules.some((each) => semanticallyEqual(each, rule))) rules.push(rule);
    }
  }
  return rules;
}

/** One role may gather what another has gathered. Longer chains are settled by the writes that they bring about. */
const MAX_ROUNDS = 10;

/** Brings every aggregating role to the rules that it should have, until none lacks any. */
export async function settleAggregation(objects: ObjectStore, clock: Clock): Promise<void> {
  let changed = true;
  for (let round = 0; changed && round < MAX_ROUNDS; round++) {
    changed = false;
    for (const role of objects.all(CLUSTER_ROLE)) changed = (await settleRole(objects, role, clock)) || changed;
  }
}

/** Whether the role had to be written. What somebody else wrote meanwhile is left for the next round, which it brings about. */
async function settleRole(objects: ObjectStore, role: JsonObject, clock: Clock): Promise<boolean> {
  // Most gather nothing: the others are not read for those.
  if (selectorsOf(role) === undefined) return false;
  try {
    const rules = aggregatedRules(role, objects.all(CLUSTER_ROLE));
    if (rules === undefined || semanticallyEqual(rules, rulesOf(role))) return false;
    const config = { ...TYPE, metadata: { name: textOf(role, "name") }, rules };
    const request = { ...TYPE, manager: MANAGER, now: clock.now() };
    await objects.replace(CLUSTER_ROLE, role, applyConfiguration(role, config, true, request));
    return true;
  } catch (error) {
    if (error instanceof StatusError) return false;
    throw error;
  }
}

export interface Aggregation {
  /** Resolves when it writes no more. May be called twice. */
  stop(): Promise<void>;
}

/** Settles now, and whenever a ClusterRole was written, until it is stopped or the store closes. `failed` hears of what ends it. */
export function startAggregation(objects: ObjectStore, clock: Clock, failed: (error: unknown) => void): Aggregation {
  let stopped = false;
  let watch = objects.store.watch(prefixOf(resourceName(CLUSTER_ROLE)), objects.store.revision);

  async function run(): Promise<void> {
    await settleAggregation(objects, clock);
    for await (const _ of watch) await settleAggregation(objects, clock);
  }
  async function runOn(): Promise<void> {
    for (;;) {
      try {
        return await run();
      } catch (error) {
        if (stopped || (error instanceof StoreError && error.reason === "Closed")) return;
        if (!(error instanceof StoreError && error.reason === "Compacted")) return failed(error);
        // Settling looks at everything: what was missed does not matter.
        watch = objects.store.watch(prefixOf(resourceName(CLUSTER_ROLE)), objects.store.revision);
      }
    }
  }
  const running = runOn();
  return {
    async stop() {
      stopped = true;
      watch.stop();
      await running;
    },
  };
}

function selectorsOf(role: JsonObject): readonly LabelSelector[] | undefined {
  const rule = get(role, "aggregationRule");
  const selectors = isObject(rule) ? get(rule, "clusterRoleSelectors") : undefined;
  if (!isObject(rule)) return undefined;
  return isList(selectors) ? (selectors as unknown as readonly LabelSelector[]) : [];
}

function rulesOf(role: JsonObject): readonly Json[] {
  const rules = get(role, "rules");
  return isList(rules) ? rules : [];
}

function labelsOf(object: JsonObject): Readonly<Record<string, string>> {
  return (get(metadataOf(object), "labels") ?? {}) as Readonly<Record<string, string>>;
}

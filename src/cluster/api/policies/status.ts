/**
 * The status of ValidatingAdmissionPolicies: that they were seen, and what is odd about their expressions (upstream
 * pkg/controller/validatingadmissionpolicystatus).
 */
import type { Clock } from "../../../core/clock.ts";
import { prefixOf, StoreError } from "../../store/index.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { get, isObject, type Json, type JsonObject } from "../json.ts";
import { resourceName } from "../kinds/kind.ts";
import { metadataOf, textOf } from "../lifecycle/metadata.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { applyConfiguration } from "../patch/ownership/index.ts";
import { StatusError } from "../status-error.ts";
import { inTurns } from "../steps.ts";
import { engine } from "./lazy-engine.ts";
import { POLICY_GROUP, policySpec } from "./policy.ts";

const MANAGER = "validatingadmissionpolicy-status";
const TYPE = { apiVersion: `${POLICY_GROUP}/v1`, kind: "ValidatingAdmissionPolicy" } as const;

export interface StatusOptions {
  readonly objects: ObjectStore;
  readonly catalog: Catalog;
  readonly clock: Clock;
  /** Lets others have their turn. */
  readonly turn: () => Promise<void>;
  /** Hears of what ends it. */
  readonly report: (error: unknown) => void;
}

/** Looks at policies now, and whenever one was written, until it is stopped or the store closes. `stop` may be called twice. */
export function startPolicyStatus(options: StatusOptions): { stop(): Promise<void> } {
  const { store } = options.objects;
  const prefix = prefixOf(resourceName({ plural: "validatingadmissionpolicies", group: POLICY_GROUP }));
  let stopped = false;
  let watch = store.watch(prefix, store.revision);

  async function run(): Promise<void> {
    await settle(options);
    for await (const _ of watch) await settle(options);
  }
  async function runOn(): Promise<void> {
    for (;;) {
      try {
        return await run();
      } catch (error) {
        if (stopped || (error instanceof StoreError && error.reason === "Closed")) return;
        if (!(error instanceof StoreError && error.reason === "Compacted")) return options.report(error);
        // It looks at all of them: what was missed does not matter.
        watch = store.watch(prefix, store.revision);
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

async function settle({ objects, catalog, clock, turn }: StatusOptions): Promise<void> {
  const kind = catalog.findKind(TYPE.apiVersion, TYPE.kind)?.kind;
  if (kind === undefined) return;
  for (const policy of objects.all(kind)) {
    const generation = numberIn(metadataOf(policy), "generation");
    const status = get(policy, "status");
    if (isObject(status) && numberIn(status, "observedGeneration") >= generation) continue;
    const warnings = await engine.use(({ typeWarnings }) => inTurns(typeWarnings(policySpec(policy), catalog), turn));
    const typeChecking: JsonObject =
      warnings.length === 0 ? {} : { expressionWarnings: warnings.map((each): Json => ({ ...each })) };
    const wish = { observedGeneration: generation, typeChecking };
    const config = { ...TYPE, metadata: { name: textOf(policy, "name") }, status: wish };
    const request = { ...TYPE, manager: MANAGER, subresource: "status", now: clock.now() };
    try {
      await objects.replace(kind, policy, applyConfiguration(policy, config, true, request));
    } catch (error) {
      // Somebody wrote it meanwhile: that brings it here again.
      if (!(error instanceof StatusError)) throw error;
    }
  }
}

function numberIn(object: JsonObject, key: string): number {
  const value = get(object, key);
  return typeof value === "number" ? value : 0;
}

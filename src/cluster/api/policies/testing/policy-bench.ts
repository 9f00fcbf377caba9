/** Policies on a store of their own, and requests to them. */
import { noMetrics } from "../../../../kube/metrics.ts";
import { openMemoryStore } from "../../../store/index.ts";
import type { AdmissionRequest } from "../../admission/plugin.ts";
import { reinvoking } from "../../admission/reinvocation.ts";
import { createAuthorizer } from "../../auth/authorizer.ts";
import { type Catalog, createCatalog } from "../../catalog/catalog.ts";
import { readStrictly } from "../../decode/index.ts";
import { withDefaults } from "../../defaults/defaults.ts";
import { complete, expectedOf, inVersion } from "../../handlers/shape.ts";
import type { JsonObject } from "../../json.ts";
import { textOf } from "../../lifecycle/metadata.ts";
import { createObjectStore, type ObjectStore } from "../../objects/object-store.ts";
import { resourceOf } from "../../webhooks/testing/hook-bench.ts";
import { createPolicies, createPolicyMetrics, type Policies, type PolicyOptions } from "../index.ts";

export interface PolicyBench {
  readonly objects: ObjectStore;
  readonly catalog: Catalog;
  readonly policies: Policies;
  /** Stores objects with their defaults; one of that name is replaced. */
  put(...objects: JsonObject[]): Promise<void>;
  remove(object: JsonObject): Promise<void>;
  /** Asks all policies, as the server would; gives the object as it would be stored. */
  admit(request: AdmissionRequest): Promise<JsonObject | undefined>;
  close(): Promise<void>;
}

export function openPolicyBench(options: Partial<PolicyOptions> = {}): PolicyBench {
  const store = openMemoryStore();
  const objects = createObjectStore(store);
  const catalog = createCatalog();
  const policies = createPolicies({
    objects,
    catalog,
    authorizer: createAuthorizer(objects),
    inVersion,
    decode: (resource, object) => readStrictly(object, expectedOf(resource)),
    complete: (resource, object) => complete(resource, object, "Ignore", () => {}),
    metrics: createPolicyMetrics(noMetrics),
    turn: async () => {},
    ...options,
  });
  const mutate = reinvoking([], [policies.mutating]);
  const find = (object: JsonObject) =>
    objects.find(resourceOf(catalog, object).kind, textOf(object, "namespace") || undefined, textOf(object, "name"));
  return {
    objects,
    catalog,
    policies,
    async put(...all) {
      for (const object of all) {
        const { kind } = resourceOf(catalog, object);
        const stored = find(object);
        await (stored === undefined
          ? objects.create(kind, withDefaults(object))
          : objects.replace(kind, stored, withDefaults(object)));
      }
    },
    async remove(object) {
      const stored = find(object);
      if (stored !== undefined) await objects.remove(resourceOf(catalog, object).kind, stored);
    },
    async admit(request) {
      const object = request.object === undefined ? undefined : await mutate({ ...request, object: request.object });
      await policies.validating.validate?.({ ...request, object });
      return object;
    },
    close: () => store.close(),
  };
}

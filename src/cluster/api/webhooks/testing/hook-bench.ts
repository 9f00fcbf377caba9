/** Webhooks on a store of their own, and requests to them. */
import { randomUUID } from "node:crypto";
import { silentLogger } from "../../../../kube/logger.ts";
import { openMemoryStore } from "../../../store/index.ts";
import type { AdmissionRequest } from "../../admission/plugin.ts";
import { reinvoking } from "../../admission/reinvocation.ts";
import { createAuthorizer } from "../../auth/authorizer.ts";
import { type Catalog, createCatalog } from "../../catalog/catalog.ts";
import type { Resource } from "../../catalog/resource.ts";
import { withDefaults } from "../../defaults/defaults.ts";
import type { JsonObject } from "../../json.ts";
import { textOf } from "../../lifecycle/metadata.ts";
import { createObjectStore, type ObjectStore } from "../../objects/object-store.ts";
import { canonicalObject } from "../../protobuf/canonical.ts";
import { createWebhooks, type WebhookOptions, type Webhooks } from "../create-webhooks.ts";

export interface HookBench {
  readonly objects: ObjectStore;
  readonly catalog: Catalog;
  readonly webhooks: Webhooks;
  /** Stores an object with its defaults; one of that name is replaced. */
  put(object: JsonObject): Promise<void>;
  /** Asks all webhooks, as the server would; gives the object as it would be stored. */
  admit(request: AdmissionRequest): Promise<JsonObject | undefined>;
  close(): Promise<void>;
}

export function openHookBench(options: Partial<WebhookOptions> = {}): HookBench {
  const store = openMemoryStore();
  const objects = createObjectStore(store);
  const catalog = createCatalog();
  const webhooks = createWebhooks({
    objects,
    catalog,
    complete: (_, object) => canonicalObject(withDefaults(object)),
    newUid: randomUUID,
    logger: silentLogger,
    authorizer: createAuthorizer(objects),
    ...options,
  });
  const { mutating, deletions, validating } = webhooks;
  const mutate = reinvoking([], [mutating]);
  return {
    objects,
    catalog,
    webhooks,
    async put(object) {
      const { kind } = resourceOf(catalog, object);
      const stored = objects.find(kind, textOf(object, "namespace") || undefined, textOf(object, "name"));
      await (stored === undefined
        ? objects.create(kind, withDefaults(object))
        : objects.replace(kind, stored, withDefaults(object)));
    },
    async admit(request) {
      let { object } = request;
      if (object !== undefined) object = await mutate({ ...request, object });
      for (const plugin of [deletions, validating]) await plugin.validate?.({ ...request, object });
      return object;
    },
    async close() {
      await webhooks.close();
      await store.close();
    },
  };
}

export function resourceOf(catalog: Catalog, object: JsonObject): Resource {
  const { apiVersion, kind } = object as { apiVersion: string; kind: string };
  const found = catalog.findKind(apiVersion, kind);
  if (found === undefined) throw new Error(`no such kind is served: ${kind}`);
  return found;
}

/** A request about this object, as the administrator would make it. */
export function requestFor(
  catalog: Catalog,
  operation: AdmissionRequest["operation"],
  object: JsonObject,
  more: Partial<AdmissionRequest> = {},
): AdmissionRequest {
  return {
    operation,
    resource: resourceOf(catalog, object),
    subresource: undefined,
    namespace: textOf(object, "namespace") || undefined,
    name: textOf(object, "name"),
    object: operation === "DELETE" ? undefined : object,
    old: operation === "CREATE" ? undefined : object,
    options: {},
    user: { name: "admin", groups: ["system:masters", "system:authenticated"] },
    dryRun: false,
    warn: () => {},
    ...more,
  };
}

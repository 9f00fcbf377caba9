/** The API server as one thing: every part put together, ready to be given requests. */
import type { KeyObject } from "node:crypto";
import type { Registry } from "@prometheus-io/client";
import type { Clock } from "../../core/clock.ts";
import type { Gates } from "../../core/gates.ts";
import type { Logger } from "../../kube/logger.ts";
import type { Metrics } from "../../kube/metrics.ts";
import type { RevisionedStore } from "../store/index.ts";
import { bindPod } from "./actions/bind-pod.ts";
import { evictPod } from "./actions/evict-pod.ts";
import { builtInPlugins } from "./admission/built-in.ts";
import { createCatalog } from "./catalog/catalog.ts";
import type { ApiContext } from "./handlers/context.ts";
import type { Actions } from "./handlers/dispatch.ts";
import type { Chance } from "./lifecycle/create.ts";
import { createObjectStore } from "./objects/object-store.ts";
import { createApiServer, type Handle } from "./serve/api-server.ts";
import { createDocuments } from "./serve/documents.ts";
import { createApiMetrics } from "./serve/metrics.ts";
import { createWatchers } from "./serve/watchers.ts";
import { StatusError } from "./status-error.ts";

export interface ApiOptions {
  readonly store: RevisionedStore;
  readonly gates: Gates;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** What /metrics shows. */
  readonly registry: Registry;
  readonly clock: Clock;
  readonly chance: Chance;
  /** Whoever has it may do everything. */
  readonly adminToken: string;
  /** Signs the tokens of service accounts. */
  readonly serviceAccountKey: KeyObject;
  /** The certificate of the authority that vouches for the server, in PEM: pods are given it. */
  readonly ca: string;
  /** `127.0.0.1:6443`, once it is known. */
  readonly address: () => string;
}

export interface Api {
  readonly handle: Handle;
  /** Ends all watches; no more begin. */
  endWatches(): void;
  stop(): Promise<void>;
}

/** Resolves when everything that is stored is served. */
export async function createApi(options: ApiOptions): Promise<Api> {
  const { store, gates, logger, metrics, registry, clock, chance, adminToken, address } = options;
  const objects = createObjectStore(store);
  const catalog = createCatalog();
  const plugins = builtInPlugins({ objects, catalog, gates, clock });
  const context: ApiContext = { objects, catalog, gates, clock, chance, plugins };
  const actions: Actions = new Map([
    ["pods/binding", bindPod],
    ["pods/eviction", evictPod],
  ]);
  const watchers = createWatchers(context);
  const handle = createApiServer({
    context,
    actions,
    access: {
      authenticate(headers) {
        if (headers.authorization === `Bearer ${adminToken}`) return { name: "admin", groups: ["system:masters"] };
        throw new StatusError(401, "Unauthorized", "Unauthorized");
      },
      authorize: () => {},
    },
    documents: createDocuments({
      catalog,
      address,
      metrics: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
    }),
    watchers,
    metrics: createApiMetrics(
      metrics,
      () => performance.now(),
      () => watchers.count,
    ),
    logger,
  });
  return { handle, endWatches: () => watchers.stop(), stop: async () => watchers.stop() };
}

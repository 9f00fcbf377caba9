/** The API server as one thing: every part put together, ready to be given requests. */
import type { Registry } from "@prometheus-io/client";
import type { Gates } from "../../core/gates.ts";
import type { Logger } from "../../kube/logger.ts";
import type { Metrics } from "../../kube/metrics.ts";
import type { Timers } from "../../kube/timers.ts";
import type { Connection } from "../../kube/transport/connection.ts";
import type { RevisionedStore } from "../store/index.ts";
import { bindPod } from "./actions/bind-pod.ts";
import { evictPod } from "./actions/evict-pod.ts";
import { noContainers, nothingBehind } from "./actions/no-containers.ts";
import { answerReviews } from "./actions/reviews.ts";
import { issueTokens } from "./actions/token.ts";
import { builtInPlugins } from "./admission/built-in.ts";
import { startEventSweeper } from "./admission/expiry.ts";
import { createLookup, rowOf, storedClasses } from "./admission/lookup.ts";
import { reinvoking } from "./admission/reinvocation.ts";
import { createServiceAddresses, type ServiceAddresses } from "./admission/service-addresses.ts";
import { startAggregation } from "./auth/aggregation.ts";
import { createAuthenticator } from "./auth/authenticator.ts";
import { createAuthorizer } from "./auth/authorizer.ts";
import { ensureBootstrap } from "./auth/bootstrap.ts";
import { escalationCheck } from "./auth/escalation.ts";
import { impersonate } from "./auth/impersonation.ts";
import type { SigningKey } from "./auth/jwt.ts";
import { CONFIGURATION_PATH, FOR_AN_HOUR, KEYS_PATH, keySet, openIdConfiguration } from "./auth/openid.ts";
import { REVIEW_KINDS } from "./auth/review-kinds.ts";
import { signerCheck } from "./auth/signers.ts";
import { createCatalog } from "./catalog/catalog.ts";
import type { Resource } from "./catalog/resource.ts";
import { readyForRules, startDefinitions, terminatingDefinitions } from "./crd/index.ts";
import { readStrictly } from "./decode/index.ts";
import type { ApiContext } from "./handlers/context.ts";
import type { Actions } from "./handlers/dispatch.ts";
import { complete, expectedOf, inVersion } from "./handlers/shape.ts";
import { turn } from "./handlers/turns.ts";
import type { JsonObject } from "./json.ts";
import { resourceName } from "./kinds/kind.ts";
import type { Chance } from "./lifecycle/create.ts";
import { createObjectStore } from "./objects/object-store.ts";
import { createPolicies, createPolicyMetrics, startPolicyStatus } from "./policies/index.ts";
import { type Access, createApiServer } from "./serve/api-server.ts";
import { createDocuments } from "./serve/documents.ts";
import type { Handle } from "./serve/exchange.ts";
import { connectInside } from "./serve/inside.ts";
import { createApiMetrics } from "./serve/metrics.ts";
import { type HttpHandle, overHttp } from "./serve/over-http.ts";
import { overHttp2, type StreamHandle } from "./serve/over-http2.ts";
import { createWatchers } from "./serve/watchers.ts";
import { createWebhooks } from "./webhooks/create-webhooks.ts";
import { createServiceResolver } from "./webhooks/resolve-service.ts";

export interface ApiOptions {
  readonly store: RevisionedStore;
  readonly gates: Gates;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** What /metrics shows. */
  readonly registry: Registry;
  readonly clock: Timers;
  readonly chance: Chance;
  /** Whoever has it may do everything. */
  readonly adminToken: string;
  /** Signs the tokens of service accounts. */
  readonly signingKey: SigningKey;
  /** Whether the status of policies is written, as kube-controller-manager does it beside a stock server. */
  readonly tellsPolicies: boolean;
  /** Called for each watcher that was cut off because it did not read. */
  readonly onSlowReader: () => void;
}

export interface Api {
  /** Requests that come before the API is ready wait for that. */
  readonly handle: HttpHandle;
  readonly handleStream: StreamHandle;
  /** For who lives in this process: nothing goes over the network. */
  connect(): Connection;
  /** Resolves when everything that a cluster has, and everything that is stored, is served. `port`: where clients reach it. */
  begin(port: number): Promise<void>;
  /** Ends all watches; no more begin. */
  endWatches(): void;
  /** Resolves when nothing is written any more. May be called twice. */
  stop(): Promise<void>;
}

export function createApi(options: ApiOptions): Api {
  const { store, gates, logger, metrics, registry, clock, chance, adminToken, signingKey } = options;
  const objects = createObjectStore(store);
  const catalog = createCatalog();
  const authenticator = createAuthenticator({ adminToken, serviceAccountKey: signingKey, objects, clock });
  const authorizer = createAuthorizer(objects);
  const completed = (resource: Resource, object: JsonObject): JsonObject =>
    complete(resource, object, "Ignore", () => {});
  const webhooks = createWebhooks({
    objects,
    catalog,
    complete: completed,
    newUid: () => chance.uid(),
    logger,
    resolveService: createServiceResolver(objects, catalog),
    authorizer,
  });
  const policies = createPolicies({
    objects,
    catalog,
    authorizer,
    inVersion,
    decode: (resource, object) => readStrictly(object, expectedOf(resource)),
    complete: completed,
    metrics: createPolicyMetrics(metrics),
    turn,
  });
  const plugins = builtInPlugins({ objects, catalog, gates, clock }, (own) => [
    terminatingDefinitions,
    escalationCheck(authorizer),
    signerCheck(authorizer),
    policies.params,
    policies.ready,
    webhooks.ready,
    { name: "MutatingAdmission", mutate: reinvoking(own, [policies.mutating, webhooks.mutating]) },
    // Also of rules that a webhook has added.
    readyForRules,
    webhooks.deletions,
    policies.validating,
    webhooks.validating,
  ]);
  const lookup = createLookup(objects, catalog);
  const serviceKind = rowOf(catalog, { apiVersion: "v1", kind: "Service" });
  let services: ServiceAddresses | undefined;
  const context: ApiContext = {
    objects,
    catalog,
    gates,
    clock,
    chance,
    plugins,
    classes: storedClasses(lookup),
    // Made when the first service is written: those that a cluster begins with are stored by then.
    get services() {
      services ??= createServiceAddresses(objects.all(serviceKind), serviceKind, chance);
      return services;
    },
  };
  const review = answerReviews({ authorizer, authenticator });
  const actions: Actions = new Map([
    ["bindings", bindPod],
    ["pods/binding", bindPod],
    ["pods/eviction", evictPod],
    ...["attach", "exec", "log", "portforward"].map((each) => [`pods/${each}`, noContainers] as const),
    ...["nodes", "pods", "services"].map((each) => [`${each}/proxy`, nothingBehind] as const),
    ["serviceaccounts/token", issueTokens(signingKey)],
    ...REVIEW_KINDS.map((kind) => [resourceName(kind), review] as const),
  ]);

  const access: Access = (headers, attempt, warn) => {
    const asked = authenticator.authenticate(headers, warn);
    if (attempt === undefined) return asked;
    const what = attempt();
    const identity = impersonate(asked, headers, what, authorizer);
    authorizer.require(identity, what);
    return identity;
  };
  let address = "";
  const watchers = createWatchers(context);
  const serve = createApiServer({
    context,
    actions,
    access,
    documents: createDocuments({
      catalog,
      clock,
      address: () => address,
      metrics: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
      more: {
        [CONFIGURATION_PATH]: {
          contentType: "application/json",
          content: () => openIdConfiguration(address),
          cacheControl: FOR_AN_HOUR,
        },
        [KEYS_PATH]: {
          contentType: "application/jwk-set+json",
          content: () => keySet(signingKey),
          cacheControl: FOR_AN_HOUR,
        },
      },
    }),
    watchers,
    metrics: createApiMetrics(
      metrics,
      () => performance.now(),
      () => watchers.count,
    ),
    logger,
  });

  const failed = (error: unknown): void => logger.error({ err: error }, "work in the background failed");
  const begun = Promise.withResolvers<void>();
  begun.promise.catch(() => {}); // told by `begin`
  const background: { stop(): Promise<void> }[] = [];
  let isReady = false;
  const handle: Handle = (request, reply) =>
    isReady ? serve(request, reply) : begun.promise.then(() => serve(request, reply));
  return {
    handle: overHttp(handle, options.onSlowReader),
    handleStream: overHttp2(handle),
    connect: () => connectInside(handle),
    async begin(port) {
      try {
        address = `127.0.0.1:${port}`;
        await ensureBootstrap({ objects, clock, chance, port });
        const definitions = startDefinitions({ objects, catalog, clock, turn, report: failed });
        const events = startEventSweeper({
          objects,
          kinds: [rowOf(catalog, { apiVersion: "v1", kind: "Event" })],
          timers: clock,
          onError: failed,
        });
        background.push(definitions, startAggregation(objects, clock, failed), events);
        await definitions.ready;
        // Policies may be about what definitions bring.
        if (options.tellsPolicies)
          background.push(startPolicyStatus({ objects, catalog, clock, turn, report: failed }));
        isReady = true;
        begun.resolve();
      } catch (error) {
        begun.reject(error);
        throw error;
      }
    },
    endWatches: () => watchers.stop(),
    async stop() {
      watchers.stop();
      await Promise.all(background.map((each) => each.stop()));
      await webhooks.close();
    },
  };
}

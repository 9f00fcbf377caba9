/**
 * Admission webhooks: programs outside that may change or refuse what is to be stored. Mutating ones are asked one after
 * the other, validating ones all at once (upstream admission/plugin/webhook/{mutating,validating}/dispatcher.go).
 */
import { messageOf } from "../../../core/errors.ts";
import type { Logger } from "../../../kube/logger.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../admission/plugin.ts";
import { type Course, createReinvocations, type Reinvocable } from "../admission/reinvocation.ts";
import type { Authorizer } from "../auth/authorizer.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Resource } from "../catalog/resource.ts";
import { expressions } from "../expressions/lazy-expressions.ts";
import { isList, isObject, type Json, type JsonObject, jsonEqual } from "../json.ts";
import { textOf } from "../lifecycle/metadata.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { jsonPatch } from "../patch/json-patch.ts";
import { badRequest } from "../status-error.ts";
import { type CallHook, createCallHook, type Invocation, type ResolveService } from "./call-hook.ts";
import type { Hook } from "./hook.ts";
import { createHookList } from "./hook-list.ts";
import { isExempt, isNamespace } from "./match.ts";
import { CallFailed, internal, outOfTime } from "./refusal.ts";
import { createServiceResolver } from "./resolve-service.ts";
import { inVersion } from "./review.ts";
import { type Calling, shouldCall } from "./should-call.ts";
import { createHookTransport, type HookTransport } from "./transport.ts";

export interface WebhookOptions {
  readonly objects: ObjectStore;
  readonly catalog: Catalog;
  /**
   * What the server makes of an object that a webhook has patched: fields that are not known taken away, defaults filled in.
   * Throws when it cannot be an object of this resource.
   */
  readonly complete: (resource: Resource, object: JsonObject) => JsonObject;
  /** A new uid, for each question. */
  readonly newUid: () => string;
  readonly logger: Logger;
  /** Answers what conditions ask. */
  readonly authorizer: Authorizer;
  /** Where a `clientConfig.service` leads; by what is stored of Services and EndpointSlices unless given. */
  readonly resolveService?: ResolveService;
  readonly transport?: HookTransport;
}

export interface Webhooks {
  readonly mutating: Reinvocable;
  /** A deletion has no object to change, and yet mutating webhooks may ask to hear of it. */
  readonly deletions: AdmissionPlugin;
  readonly validating: AdmissionPlugin;
  /** To come before configurations are looked at, when one is written: they may have conditions. */
  readonly ready: AdmissionPlugin;
  /** Cuts the connections to webhooks. May be called twice. */
  close(): Promise<void>;
}

type Round = Parameters<Course>[1];

/** How long all webhooks of one request may take together: a request of upstream's ends after that. */
const REQUEST_TIMEOUT = 34_000;

export function createWebhooks(options: WebhookOptions): Webhooks {
  const { objects, catalog, complete, newUid, logger } = options;
  const { resolveService = createServiceResolver(objects, catalog), transport = createHookTransport() } = options;
  const calling: Calling = { objects, catalog, authorizer: options.authorizer };
  const call = createCallHook({ transport, resolveService, newUid });
  const mutatingHooks = createHookList(objects, "mutatingwebhookconfigurations");
  const validatingHooks = createHookList(objects, "validatingwebhookconfigurations");

  function mutate(
    hooks: readonly Hook[],
  ): (request: AdmissionRequest, round: Round) => Promise<JsonObject | undefined> {
    const limit = AbortSignal.timeout(REQUEST_TIMEOUT);
    const again = createReinvocations();
    let left: JsonObject | undefined;
    return async (request, round) => {
      let current = request;
      if (round === "second" && current.object !== left) again.objectChanged();
      for (const hook of hooks) {
        const called = shouldCall(hook, current, calling);
        const kind = called instanceof Promise ? await called : called;
        if (kind === undefined || (round === "second" && !again.wanted(hook.id))) continue;
        const invocation: Invocation = { hook, kind, mutating: true };
        const patch = await askTolerantly(call, current, invocation, { limit, logger });
        const object = patch === undefined ? current.object : patched(current, invocation, patch, complete);
        if (object !== current.object) again.objectChanged();
        current = { ...current, object };
        if (hook.reinvoked) again.called(hook.id);
      }
      left = current.object;
      return left;
    };
  }

  async function validate(hooks: readonly Hook[], request: AdmissionRequest): Promise<void> {
    const invocations: Invocation[] = [];
    for (const hook of hooks) {
      const called = shouldCall(hook, request, calling);
      const kind = called instanceof Promise ? await called : called;
      if (kind !== undefined) invocations.push({ hook, kind, mutating: false });
    }
    if (invocations.length === 0) return;
    const limit = AbortSignal.timeout(REQUEST_TIMEOUT);
    const asked = invocations.map((invocation) => askTolerantly(call, request, invocation, { limit, logger }));
    // All are heard to their end; of several refusals the client is told that of the first in order.
    for (const outcome of await Promise.allSettled(asked)) {
      if (outcome.status === "rejected") throw outcome.reason;
    }
  }

  const hooksFor = (list: () => readonly Hook[], { resource }: AdmissionRequest): readonly Hook[] =>
    isExempt(resource) ? [] : list();

  // Without webhooks nothing is awaited: most clusters have none, and every write comes by here.
  return {
    mutating: {
      begin(request) {
        const hooks = hooksFor(mutatingHooks, request);
        if (hooks.length === 0) return undefined;
        const course = mutate(hooks);
        return (now, round) => course(now, round).then((object) => object ?? now.object);
      },
    },
    deletions: {
      name: "MutatingAdmissionWebhook",
      validate: (request) => {
        const hooks = request.operation === "DELETE" ? hooksFor(mutatingHooks, request) : [];
        return hooks.length === 0 ? undefined : mutate(hooks)(request, "first").then(() => {});
      },
    },
    validating: {
      name: "ValidatingAdmissionWebhook",
      validate: (request) => {
        const hooks = hooksFor(validatingHooks, request);
        return hooks.length === 0 ? undefined : validate(hooks, request);
      },
    },
    ready: {
      name: "WebhookConditions",
      mutate: ({ resource, object }) =>
        isExempt(resource) && hasConditions(object) ? expressions.use(() => object) : object,
    },
    close: () => transport.close(),
  };
}

/** It may be anything yet: it is not validated. */
function hasConditions({ webhooks = [] }: JsonObject): boolean {
  return isList(webhooks) && webhooks.some((each) => isObject(each) && isList(each["matchConditions"]));
}

interface Asking {
  readonly limit: AbortSignal;
  readonly logger: Logger;
}

/** Asks, and carries out the webhook's failurePolicy: a failed call is no answer, or the end of the request. */
async function askTolerantly(
  call: CallHook,
  request: AdmissionRequest,
  invocation: Invocation,
  { limit, logger }: Asking,
): Promise<Json | undefined> {
  try {
    return await call(request, invocation, limit);
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    if (!invocation.hook.failsOpen) throw internal(error.message);
    if (limit.aborted) throw outOfTime();
    logger.warn({ webhook: invocation.hook.name }, `${error.message}; the request goes on, as its failurePolicy says`);
    return undefined;
  }
}

function patched(
  { object, resource, subresource, namespace }: AdmissionRequest,
  { hook, kind }: Invocation,
  patch: Json,
  complete: WebhookOptions["complete"],
): JsonObject {
  const name = JSON.stringify(hook.name);
  if (object === undefined) {
    throw internal(
      `admission webhook ${name} attempted to modify the object, which is not supported for this operation`,
    );
  }
  let result: Json;
  try {
    result = jsonPatch(inVersion(object, resource.kind, kind), patch);
  } catch {
    throw internal(`the patch of admission webhook ${name} does not apply to the object`);
  }
  if (!isObject(result)) throw internal(`the patch of admission webhook ${name} leaves no object`);
  const speaks = resource.kind.subresources.find((each) => each.name === subresource)?.speaks;
  // A Scale or an Eviction is no object of the resource: it has no defaults.
  if (speaks !== undefined) return jsonEqual(object, result) ? object : result;
  if (!isNamespace(resource.kind) && textOf(result, "namespace") !== (namespace ?? "")) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  try {
    result = complete(resource, inVersion(result, kind, resource.kind));
  } catch (error) {
    throw internal(`what the patch of admission webhook ${name} leads to is not understood: ${messageOf(error)}`);
  }
  return jsonEqual(object, result) ? object : result;
}

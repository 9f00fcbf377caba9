/** Asks one webhook about one request. */
import { messageOf } from "../../../core/errors.ts";
import type { AdmissionRequest } from "../admission/plugin.ts";
import type { Json } from "../json.ts";
import type { Kind } from "../kinds/kind.ts";
import { BadAnswer, readAnswer } from "./answer.ts";
import { postFailed, replyFailed } from "./go-words.ts";
import type { Hook } from "./hook.ts";
import { CallFailed, denied, noDryRun } from "./refusal.ts";
import { admissionReview } from "./review.ts";
import type { Address, HookCall, HookReply, HookTransport } from "./transport.ts";
import { boundWarnings } from "./warnings.ts";

export interface ServiceName {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** Where a service is to be reached from this process. Throws an error whose message says why it is not, and the way out. */
export type ResolveService = (service: ServiceName) => Address | Promise<Address>;

export interface Calling {
  readonly transport: HookTransport;
  readonly resolveService: ResolveService;
  readonly newUid: () => string;
}

/** A hook to call, and the kind in whose version it wants to see the request. */
export interface Invocation {
  readonly hook: Hook;
  readonly kind: Kind;
  readonly mutating: boolean;
}

/** Calls of one webhook at a time. More means that it writes what it is called for, and so calls itself. */
const MAX_UNDER_WAY = 256;

export type CallHook = (
  request: AdmissionRequest,
  invocation: Invocation,
  signal: AbortSignal,
) => Promise<Json | undefined>;

/**
 * Makes the function that calls a webhook and gives its JSON patch, if it has one. It rejects with `StatusError` when the
 * webhook denies the request or may not be called in a dry run, and with `CallFailed` for what failurePolicy decides on.
 */
export function createCallHook(calling: Calling): CallHook {
  const underWay = new Map<string, number>();

  return async (request, invocation, signal) => {
    const { hook } = invocation;
    const count = underWay.get(hook.id) ?? 0;
    if (count >= MAX_UNDER_WAY) {
      throw new CallFailed(hook.name, `${count} calls of it are under way; does it write what it is called for?`);
    }
    underWay.set(hook.id, count + 1);
    try {
      return await callHook(calling, request, invocation, signal);
    } finally {
      const left = (underWay.get(hook.id) ?? 1) - 1;
      if (left === 0) underWay.delete(hook.id);
      else underWay.set(hook.id, left);
    }
  };
}

async function callHook(
  calling: Calling,
  request: AdmissionRequest,
  { hook, kind, mutating }: Invocation,
  signal: AbortSignal,
): Promise<Json | undefined> {
  if (request.dryRun && !hook.dryRun) throw noDryRun(hook.name);
  const version = hook.reviewVersion;
  if (version === undefined) {
    const reason = "webhook does not accept known AdmissionReview versions (v1, v1beta1)";
    throw new CallFailed(hook.name, `could not create admission objects: ${reason}`);
  }
  const uid = calling.newUid();
  const body = JSON.stringify(admissionReview(request, { uid, version, kind }));
  const reply = await post(calling, hook, body, signal);
  const answer = attempt(hook, () => readAnswer(reply.body, { uid, version, mutating }));
  boundWarnings(answer.warnings).forEach(request.warn);
  if (!answer.allowed) throw denied(hook.name, answer.result);
  return answer.patch;
}

function attempt<T>(hook: Hook, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof BadAnswer ? new CallFailed(hook.name, error.message) : error;
  }
}

async function post(calling: Calling, hook: Hook, body: string, signal: AbortSignal): Promise<HookReply> {
  const call = await prepare(calling, hook, body);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(hook.timeoutSeconds * 1000)]);
  let reply: HookReply;
  try {
    reply = await calling.transport.post(call, limit);
  } catch (error) {
    throw new CallFailed(hook.name, `failed to call webhook: ${postFailed(call, error)}`);
  }
  const failure = replyFailed(reply);
  if (failure !== undefined) throw new CallFailed(hook.name, `failed to call webhook: ${failure}`);
  return reply;
}

async function prepare({ resolveService }: Calling, hook: Hook, body: string): Promise<HookCall> {
  const { service, caBundle = "" } = hook.client;
  const ca = caBundle === "" ? undefined : Buffer.from(caBundle, "base64").toString("utf8");
  const call: HookCall = { ...urlOf(hook), body, ca };
  if (service === undefined) return call;
  const { namespace, name, port = 443 } = service;
  try {
    return { ...call, address: await resolveService({ namespace, name, port }) };
  } catch (error) {
    throw new CallFailed(hook.name, `failed to call webhook: Post ${JSON.stringify(call.shown)}: ${messageOf(error)}`);
  }
}

/** The path without its last slash, and the time that the webhook has, as upstream's client writes them. */
function urlOf({ name, client, timeoutSeconds }: Hook): Pick<HookCall, "url" | "shown"> {
  const { url: given = "", service } = client;
  const base =
    service === undefined
      ? given
      : `https://${service.name}.${service.namespace}.svc:${service.port ?? 443}${service.path ?? ""}`;
  // The name of a service may be anything, also what can be no host.
  if (!URL.canParse(base)) throw new CallFailed(name, `could not get REST client: ${JSON.stringify(base)} is no URL`);
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/+$/, "");
  url.searchParams.set("timeout", `${timeoutSeconds}s`);
  const shown = service === undefined ? url.href : url.href.replace(/\.svc(?=\/)/, ".svc:443");
  return { url, shown };
}

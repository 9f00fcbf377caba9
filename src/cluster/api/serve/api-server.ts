/**
 * The API: who asks, what for, whether they may, and then the handler. Every refusal is a Status; whatever goes wrong
 * inside is told as one, too, and logged.
 */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import type { Logger } from "../../../kube/logger.ts";
import type { Identity } from "../auth/identity.ts";
import type { Attempt } from "../auth/rbac.ts";
import type { RequestHeaders } from "../auth/request-headers.ts";
import { writerForRefusal } from "../encode/choose.ts";
import { readWatchForm } from "../handlers/answer.ts";
import type { ApiContext, Body, Caller, Target } from "../handlers/context.ts";
import { type Actions, dispatch } from "../handlers/dispatch.ts";
import { prepareWatch } from "../handlers/watch.ts";
import { type RequestPath, readPath } from "../http/request-path.ts";
import { checkTimeout } from "../http/request-timeout.ts";
import { methodNotAllowed, notSupported, type Subject, toStatus, unknownPath } from "../http/status.ts";
import { notFound } from "../lifecycle/refusals.ts";
import { StatusError } from "../status-error.ts";
import { attemptOf, isLongRunning, verbOf } from "./attempt.ts";
import type { ApiReply, ApiRequest, Handle } from "./exchange.ts";
import type { ApiMetrics, Done } from "./metrics.ts";
import { type Watchers } from "./watchers.ts";

/** Who somebody is, and what they may do: throws 401 for credentials that are not good, 403 for what is not allowed. */
export type Access = (
  headers: RequestHeaders,
  attempt: (() => Attempt) | undefined,
  warn: (text: string) => void,
) => Identity;

/** What the server tells about itself: discovery, OpenAPI, version, health. Undefined for a path that is none of these. */
export type Documents = (
  path: RequestPath,
  url: RequestUrl,
  headers: IncomingHttpHeaders,
) => Document | undefined | Promise<Document | undefined>;

/** The path as it was sent, and the query. */
export interface RequestUrl {
  readonly path: string;
  readonly query: URLSearchParams;
}

export interface Document {
  /** @default 200 */
  readonly code?: number;
  readonly text: string | Buffer;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Other methods are refused. Most documents are given whatever the method is, as upstream. */
  readonly getOnly?: boolean;
}

export interface ApiServerOptions {
  readonly context: ApiContext;
  readonly actions: Actions;
  readonly access: Access;
  readonly documents: Documents;
  readonly watchers: Watchers;
  readonly metrics: ApiMetrics;
  readonly logger: Logger;
  /** The largest body that is read. @default 3 MiB, as in Kubernetes */
  readonly maxBodyBytes?: number;
}

const MAX_BODY_BYTES = 3 * 1024 * 1024;

export function createApiServer(options: ApiServerOptions): Handle {
  const { context, actions, access, documents, watchers, metrics, logger, maxBodyBytes = MAX_BODY_BYTES } = options;

  /** Answers, or begins to: what goes on is not waited for. */
  async function serve(request: ApiRequest, reply: ApiReply, exchange: Exchange): Promise<Ongoing | undefined> {
    const { method } = request;
    const url = urlOf(request);
    const { query } = url;
    const path = url.path.startsWith("/") ? readPath(url.path) : undefined;
    const warn = (text: string): void => noteWarning(exchange.warnings, text);
    const attempt = path === undefined ? undefined : () => attemptOf(method, path, query, url.path);
    if (path?.kind === "resource") exchange.subject = { group: path.group, plural: path.resource, name: path.name };
    if (path !== undefined && !isLongRunning(method, path, query)) checkTimeout(query);
    const user = access(credentialsIn(request), attempt, warn);
    exchange.isAllowed = true;
    if (path === undefined) throw unknownPath();
    if (path.kind !== "resource") {
      const document = await documents(path, url, request.headers);
      if (document === undefined) throw unknownPath();
      const { code = 200, text, contentType, headers, getOnly = false } = document;
      if (getOnly && method !== "GET") throw methodNotAllowed();
      reply.send(code, text, { ...UNCACHED, "content-type": contentType, ...headers });
      return undefined;
    }
    const target = targetOf(context, path);
    const verb = verbOf(method, path, query);
    exchange.verb = verb ?? method;
    exchange.resource = target.resource.kind.plural;
    const { kind, custom } = target.resource;
    if (verb === undefined || method === "HEAD" || !allows(target, verb)) {
      throw custom === undefined ? methodNotAllowed() : notSupported(kind, verb ?? method.toLowerCase());
    }
    const deprecation = custom?.deprecation ?? kind.deprecation;
    if (deprecation !== undefined) warn(deprecation);
    const caller: Caller = {
      user,
      userAgent: request.headers["user-agent"] ?? "",
      query,
      warn,
    };
    const { accept } = request.headers;
    if (verb === "watch") {
      const prepared = prepareWatch(context, target, caller);
      return { over: watchers.stream(reply, prepared, readWatchForm({ accept, caller, target })) };
    }
    const body = async (): Promise<Body> => ({
      bytes: await request.body(maxBodyBytes),
      contentType: request.headers["content-type"],
    });
    const answer = await dispatch(context, actions, { verb, target, caller, accept, body });
    reply.send(answer.code, answer.text, headersOf(answer.contentType, exchange.warnings));
    return undefined;
  }

  function refuse(request: ApiRequest, reply: ApiReply, error: unknown, exchange: Exchange): void {
    const refusal = asStatus(error, logger, request);
    if (reply.isBegun) {
      reply.cut();
      return;
    }
    const { accept, "user-agent": userAgent = "" } = request.headers;
    const writer = writerForRefusal(accept, urlOf(request).query, userAgent);
    const text = writer.object(JSON.stringify(toStatus(refusal, exchange.subject)));
    const headers = headersOf(writer.contentType, exchange.warnings);
    reply.send(refusal.code, text, { ...headers, ...refusalHeaders(refusal, exchange) });
  }

  /** Holds on to no more of the request than names it: this may go on for an hour, beside thousands of others. */
  function follow(
    { over }: Ongoing,
    { method, url }: ApiRequest,
    reply: ApiReply,
    { verb, resource }: Exchange,
    done: Done,
  ): Promise<void> {
    const isOver = (): void => done(verb, resource, reply.code);
    return over.then(isOver, (error: unknown) => {
      asStatus(error, logger, { method, url });
      reply.cut();
      isOver();
    });
  }

  return async (request, reply) => {
    const exchange: Exchange = { verb: "", resource: "", subject: {}, warnings: [], isAllowed: false };
    const done = metrics.begin();
    let ongoing: Ongoing | undefined;
    try {
      ongoing = await serve(request, reply, exchange);
    } catch (error) {
      refuse(request, reply, error, exchange);
    }
    if (ongoing !== undefined) return follow(ongoing, request, reply, exchange, done);
    done(exchange.verb, exchange.resource, reply.code);
    return undefined;
  };
}

/** An answer that has begun and goes on. */
interface Ongoing {
  readonly over: Promise<void>;
}

type Asked = Pick<ApiRequest, "method" | "url">;

/** Node joins headers that come several times, which would make one group of many. */
function credentialsIn(request: ApiRequest): RequestHeaders {
  return request.headers["impersonate-user"] === undefined ? request.headers : request.headersDistinct;
}

/** What is learned about a request on its way. */
interface Exchange {
  verb: string;
  /** The plural of what is served; empty for everything else, so that nobody makes metrics grow by asking. */
  resource: string;
  subject: Subject;
  readonly warnings: string[];
  /** Whoever asks may. */
  isAllowed: boolean;
}

const JSON_TYPE = "application/json";
/** What is true now may not be so in a moment. */
const UNCACHED = { "cache-control": "no-cache, private" } as const;

/** Of nearly all answers. */
const PLAIN_HEADERS = { ...UNCACHED, "content-type": JSON_TYPE } as const;

function headersOf(contentType: string | undefined, warnings: readonly string[]): OutgoingHttpHeaders {
  if (contentType === undefined && warnings.length === 0) return PLAIN_HEADERS;
  return { ...UNCACHED, "content-type": contentType ?? JSON_TYPE, ...warningHeader(warnings) };
}

/** Taken apart by hand: a parser of URLs would resolve `..` and `//` before anybody has looked. */
function urlOf({ url }: ApiRequest): RequestUrl {
  const mark = url.indexOf("?");
  if (mark === -1) return { path: url, query: NO_QUERY };
  return { path: url.slice(0, mark), query: new URLSearchParams(url.slice(mark + 1)) };
}

/** Most have none. Whoever is given a query only reads it. */
const NO_QUERY = new URLSearchParams();

/** Throws 404 for what is not served at this path. */
function targetOf({ catalog }: ApiContext, path: Extract<RequestPath, { kind: "resource" }>): Target {
  const { group, version, resource: plural, namespace, name, subresource } = path;
  const resource = catalog.find(group, version, plural);
  if (resource === undefined) throw unknownPath();
  const { kind } = resource;
  // A namespaced object is found in its namespace only; an object of the whole cluster, in none.
  if (kind.namespaced ? name !== undefined && namespace === undefined : namespace !== undefined) throw unknownPath();
  if (subresource !== undefined && !kind.subresources.some((each) => each.name === subresource)) {
    throw resource.custom === undefined ? unknownPath() : notFound(kind, name ?? "");
  }
  return { resource, namespace, name, subresource };
}

function allows({ resource: { kind }, subresource, namespace, name }: Target, verb: string): boolean {
  if (subresource !== undefined) {
    return kind.subresources.some((each) => each.name === subresource && each.verbs.includes(verb));
  }
  if (!kind.verbs.includes(verb)) return false;
  if (verb === "update" || verb === "patch") return name !== undefined;
  if (verb === "create") return name === undefined && (namespace !== undefined || !kind.namespaced);
  return verb !== "deletecollection" || namespace !== undefined || !kind.namespaced;
}

function asStatus(error: unknown, logger: Logger, { method, url }: Asked): StatusError {
  if (error instanceof StatusError) return error;
  const message = error instanceof Error ? error.message : String(error);
  logger.error({ method, url, err: error }, "a request failed inside the API server");
  return new StatusError(500, "InternalError", `Internal error occurred: ${message}`);
}

/** All warnings of an answer together, as in Kubernetes: they are in its head. */
const MAX_WARNING_CHARACTERS = 4096;

function noteWarning(warnings: string[], text: string): void {
  const length = warnings.reduce((sum, each) => sum + each.length, 0);
  if (length + text.length <= MAX_WARNING_CHARACTERS && !warnings.includes(text)) warnings.push(text);
}

/** kubectl prints them; quotes and backslashes are escaped, and nothing breaks a line. */
function warningHeader(warnings: readonly string[]): Record<string, string[]> {
  if (warnings.length === 0) return {};
  const quoted = (text: string): string =>
    text
      .replace(/[^\x20-\x7e]+/g, (part) => (/[\r\n\t]/.test(part) ? " " : encodeURIComponent(part)))
      .replace(/["\\]/g, "\\$&");
  return { warning: warnings.map((text) => `299 - "${quoted(text)}"`) };
}

/** Who may not ask at all has nothing guessed of what was answered, as upstream. */
function refusalHeaders({ code, about }: StatusError, { isAllowed }: Exchange): Record<string, string> {
  const { retryAfterSeconds = 0 } = about ?? {};
  return {
    ...(retryAfterSeconds > 0 && { "retry-after": String(retryAfterSeconds) }),
    ...(code === 403 && !isAllowed && { "x-content-type-options": "nosniff" }),
  };
}

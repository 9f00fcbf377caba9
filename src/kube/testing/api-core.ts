/**
 * A small but honest API server, without the wire: lists (paged, consistent), watches (from a version, streaming lists,
 * bookmarks, timeouts), reads and writes with their conflicts, and faults on demand. api-server.ts puts it behind HTTP,
 * virtual-transport.ts behind a network that exists in virtual time only.
 */
import type { KubeObject } from "../../core/types.ts";
import type { Timers } from "../timers.ts";
import { type ApiStore, createApiStore, storeKey } from "./api-store.ts";
import type { Fault } from "./faults.ts";
import { applyMergePatch, matchesSelectors, type Route, readPath, statusBody } from "./requests.ts";
import { type Connection, serveWatch } from "./serve-watch.ts";

export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
}

export type Answer =
  /** The connection breaks. */
  | { readonly kind: "drop" }
  /** Nothing ever comes. */
  | { readonly kind: "silence" }
  /** `cut`: the connection breaks within the body. `delay`: it takes this many milliseconds. */
  | {
      readonly kind: "json";
      readonly status: number;
      readonly body: unknown;
      readonly retryAfter?: number;
      readonly cut?: boolean;
      readonly delay?: number;
    }
  /** A stream: call it with the connection; call what it gives when the connection is closed. */
  | { readonly kind: "watch"; readonly serve: (connection: Connection) => () => void };

export interface ApiCoreOptions {
  /** How many events are remembered, for each kind. @default 1000 */
  readonly window?: number;
  /** Pages are no longer than this, whatever is asked for; servers may do so. */
  readonly maxPage?: number;
  /** `ignore`: like servers that never heard of it; `refuse`: like those where it is switched off. @default serve */
  readonly streamingLists?: "serve" | "ignore" | "refuse";
  /** Asked before each request is served. */
  readonly fault?: (request: ApiRequest) => Fault | undefined;
  readonly timers: Timers;
}

export interface ApiCore {
  /** The store behind a kind, by its plural. */
  store(plural: string): ApiStore;
  /** Forgets a kind, as if the server had been replaced by a new one. */
  reset(plural: string): void;
  /** Sends a bookmark on all watches of a kind that asked for them. */
  bookmark(plural: string): void;
  handle(request: ApiRequest): Answer;
}

export function createApiCore(options: ApiCoreOptions): ApiCore {
  const stores = new Map<string, ApiStore>();
  const bookmarks = new Map<string, Set<() => void>>();

  function store(plural: string): ApiStore {
    const known = stores.get(plural) ?? createApiStore(options.window);
    stores.set(plural, known);
    return known;
  }

  function bookmarksOf(plural: string): Set<() => void> {
    const known = bookmarks.get(plural) ?? new Set();
    bookmarks.set(plural, known);
    return known;
  }

  function watch(route: Route, { query }: ApiRequest, fault: Fault | undefined): Answer {
    const streaming = query.get("sendInitialEvents") === "true";
    if (streaming && options.streamingLists === "refuse") {
      return refuse(422, "Invalid", "sendInitialEvents is forbidden for watch unless WatchList is enabled");
    }
    return {
      kind: "watch",
      serve: (connection) =>
        serveWatch(
          {
            store: store(route.plural),
            query,
            matches: (object) => matchesSelectors(object, route, query),
            streaming: streaming && options.streamingLists !== "ignore",
            fault: fault?.kind === "watch" ? fault : undefined,
            timers: options.timers,
            bookmarks: bookmarksOf(route.plural),
          },
          connection,
        ),
    };
  }

  function list(route: Route, { query }: ApiRequest, fault: Fault | undefined): Answer {
    const objects = store(route.plural);
    const token = query.get("continue");
    const [now, after] = token === null ? [objects.revision, ""] : (JSON.parse(atob(token)) as [number, string]);
    // A replica that is behind has not forgotten more than the others.
    const behind = fault?.kind === "stale" && token === null ? now - fault.by : now;
    const revision = objects.list(behind) === undefined && token === null ? now : behind;
    const items = objects.list(revision);
    if (items === undefined) return refuse(410, "Expired", "The provided continue parameter is too old");
    const left = items.filter((item) => matchesSelectors(item, route, query) && storeKey(item.metadata) > after);
    const limit = query.get("limit");
    const page = limit === null ? left : left.slice(0, Math.min(Number(limit), options.maxPage ?? Number(limit)));
    const last = page.at(-1);
    const more = last !== undefined && page.length < left.length;
    const next = more ? { continue: btoa(JSON.stringify([revision, storeKey(last.metadata)])) } : {};
    return answer(200, { kind: "List", metadata: { resourceVersion: String(revision), ...next }, items: page });
  }

  function object(route: Route, request: ApiRequest): Answer {
    const objects = store(route.plural);
    const body = request.body as KubeObject & { preconditions?: { uid?: string; resourceVersion?: string } };
    const name = route.name ?? body.metadata.name;
    const key = storeKey({ namespace: route.namespace, name });
    const current = objects.get(key);
    if (request.method === "POST") {
      if (current !== undefined) return refuse(409, "AlreadyExists", `${route.plural} "${name}" already exists`);
      return answer(201, objects.put(body));
    }
    if (current === undefined) return refuse(404, "NotFound", `${route.plural} "${name}" not found`, { name });
    if (request.method === "GET") return answer(200, current);
    const wanted = request.method === "DELETE" ? body.preconditions : body.metadata;
    for (const field of ["uid", "resourceVersion"] as const) {
      if (wanted?.[field] !== undefined && wanted[field] !== current.metadata[field]) {
        return refuse(
          409,
          "Conflict",
          `Operation cannot be fulfilled on ${route.plural} "${name}": it has been modified`,
        );
      }
    }
    if (request.method === "DELETE") return answer(200, objects.remove(key));
    return answer(200, objects.put(request.method === "PUT" ? body : (applyMergePatch(current, body) as KubeObject)));
  }

  function serve(request: ApiRequest, fault: Fault | undefined): Answer {
    const route = readPath(request.path);
    if (route === undefined) return refuse(404, "NotFound", "the server could not find the requested resource");
    if (request.method !== "GET" || route.name !== undefined) return object(route, request);
    return request.query.get("watch") === "true" ? watch(route, request, fault) : list(route, request, fault);
  }

  return {
    store,
    reset: (plural) => void stores.delete(plural),
    bookmark: (plural) => bookmarksOf(plural).forEach((send) => send()),
    handle(request) {
      const fault = options.fault?.(request);
      switch (fault?.kind) {
        case "drop":
        case "silence":
          return { kind: fault.kind };
        case "status": {
          const { status, reason, retryAfter } = fault;
          return {
            ...answer(status, statusBody(status, reason, "injected")),
            ...(retryAfter === undefined ? {} : { retryAfter }),
          };
        }
        case "cut-body": {
          const served = serve(request, undefined);
          return served.kind === "json" ? { ...served, cut: true } : { kind: "drop" };
        }
        case "delay": {
          const served = serve(request, undefined);
          return served.kind === "json" ? { ...served, delay: fault.milliseconds } : served;
        }
        case "lost-answer":
          serve(request, undefined);
          return { kind: "drop" };
        case undefined:
        case "stale":
        case "watch":
          return serve(request, fault);
      }
    },
  };
}

function answer(status: number, body: unknown): Extract<Answer, { kind: "json" }> {
  return { kind: "json", status, body };
}

function refuse(status: number, reason: string, message: string, details?: object): Answer {
  return answer(status, statusBody(status, reason, message, details));
}

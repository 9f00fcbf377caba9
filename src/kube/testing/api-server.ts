/**
 * A small but honest API server over HTTP or HTTPS on this machine: lists (paged, consistent), watches (from a version,
 * from now, streaming lists, bookmarks, timeouts), reads and writes with their conflicts, and faults on demand.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { KubeObject } from "../../core/types.ts";
import { type ApiStore, createApiStore, storeKey } from "./api-store.ts";
import type { Fault } from "./faults.ts";
import { applyMergePatch, matchesSelectors, type Route, readPath, statusBody } from "./requests.ts";
import { serveWatch } from "./serve-watch.ts";

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
}

export interface ApiServerOptions {
  /** How many events are remembered, over all kinds. @default 1000 */
  readonly window?: number;
  /** `ignore`: like servers that never heard of it; `refuse`: like those where it is switched off. @default serve */
  readonly streamingLists?: "serve" | "ignore" | "refuse";
  readonly tls?: ServerOptions;
  /** Asked before each request is served. */
  readonly fault?: (request: SeenRequest) => Fault | undefined;
  /** Serves it instead of the simulation; true when it did. */
  readonly intercept?: (request: SeenRequest, response: ServerResponse) => boolean;
  /** How much faster than the clock `timeoutSeconds` runs. @default 1 */
  readonly speed?: number;
}

export interface ApiServer {
  readonly url: string;
  /** Every request that arrived, in order. */
  readonly requests: readonly SeenRequest[];
  /** Connections that are open now. */
  readonly connections: number;
  /** The store behind a kind, by its plural. */
  store(plural: string): ApiStore;
  /** Forgets a kind, as if the server had been replaced by a new one. */
  reset(plural: string): void;
  /** Sends a bookmark on all watches that asked for them. */
  bookmark(): void;
  /** Cuts all connections, as a crash does. */
  disconnect(): void;
  /** Cuts all connections, and refuses new ones until `listen`. */
  down(): Promise<void>;
  /** Comes back at the same address. */
  listen(): Promise<void>;
  close(): Promise<void>;
}

export async function startApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const stores = new Map<string, ApiStore>();
  const requests: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  const bookmarks = new Set<() => void>();
  let port = 0;
  let server: Server | undefined;

  function store(plural: string): ApiStore {
    const known = stores.get(plural) ?? createApiStore(options.window);
    stores.set(plural, known);
    return known;
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? "/", "http://server");
    const request: SeenRequest = {
      method: incoming.method ?? "GET",
      path: url.pathname,
      query: url.searchParams,
      headers: incoming.headers,
      body: await readBody(incoming),
    };
    requests.push(request);
    if (options.intercept?.(request, response) === true) return;
    const fault = options.fault?.(request);
    switch (fault?.kind) {
      case "drop":
        incoming.socket.destroy();
        return;
      case "silence":
        return;
      case "status":
        if (fault.retryAfter !== undefined) response.setHeader("retry-after", String(fault.retryAfter));
        send(response, fault.status, statusBody(fault.status, fault.reason, "injected"));
        return;
      case "cut-body": {
        const text = JSON.stringify({ kind: "List", metadata: {}, items: [{ metadata: { name: "half" } }] });
        response.writeHead(200, { "content-type": "application/json", "content-length": String(text.length) });
        response.write(text.slice(0, text.length >> 1), () => incoming.socket.destroy());
        return;
      }
      case undefined:
      case "stale":
      case "watch":
    }
    const route = readPath(request.path);
    if (route === undefined) {
      send(response, 404, statusBody(404, "NotFound", "the server could not find the requested resource"));
    } else if (request.method === "GET" && route.name === undefined) {
      serveCollection(route, request, fault, response);
    } else {
      serveObject(route, request, response);
    }
  }

  function serveCollection(
    route: Route,
    request: SeenRequest,
    fault: Fault | undefined,
    response: ServerResponse,
  ): void {
    const objects = store(route.plural);
    const { query } = request;
    const matches = (object: KubeObject): boolean => matchesSelectors(object, route, query);
    if (query.get("watch") === "true") {
      const streaming = query.get("sendInitialEvents") === "true";
      if (streaming && options.streamingLists === "refuse") {
        const message = "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled";
        send(response, 422, statusBody(422, "Invalid", message));
        return;
      }
      serveWatch({
        store: objects,
        response,
        query,
        matches,
        streaming: streaming && options.streamingLists !== "ignore",
        fault: fault?.kind === "watch" ? fault : undefined,
        speed: options.speed ?? 1,
        bookmarks,
      });
      return;
    }
    const token = query.get("continue");
    const [revision, after] = token === null ? [objects.revision, ""] : (JSON.parse(atob(token)) as [number, string]);
    const stale = fault?.kind === "stale" && token === null ? Math.max(1000, revision - fault.by) : revision;
    const items = objects.list(stale) ?? (fault?.kind === "stale" ? objects.list() : undefined);
    if (items === undefined) {
      send(response, 410, statusBody(410, "Expired", "The provided continue parameter is too old"));
      return;
    }
    const left = items.filter((item) => matches(item) && storeKey(item.metadata) > after);
    const page = left.slice(0, Number(query.get("limit") ?? left.length));
    const last = page.at(-1);
    const more = last !== undefined && page.length < left.length;
    send(response, 200, {
      kind: "List",
      metadata: {
        resourceVersion: String(stale),
        ...(more ? { continue: btoa(JSON.stringify([stale, storeKey(last.metadata)])) } : {}),
      },
      items: page,
    });
  }

  function serveObject(route: Route, request: SeenRequest, response: ServerResponse): void {
    const objects = store(route.plural);
    const body = request.body as KubeObject & { preconditions?: { uid?: string; resourceVersion?: string } };
    const name = route.name ?? body.metadata.name;
    const key = storeKey({ namespace: route.namespace, name });
    const current = objects.get(key);
    if (request.method === "POST") {
      if (current !== undefined) {
        send(response, 409, statusBody(409, "AlreadyExists", `${route.plural} "${name}" already exists`));
      } else {
        send(response, 201, objects.put(body));
      }
      return;
    }
    if (current === undefined) {
      send(response, 404, statusBody(404, "NotFound", `${route.plural} "${name}" not found`, { name }));
      return;
    }
    const wanted =
      request.method === "DELETE" ? body.preconditions : request.method === "GET" ? undefined : body.metadata;
    for (const field of ["uid", "resourceVersion"] as const) {
      if (wanted?.[field] !== undefined && wanted[field] !== current.metadata[field]) {
        const message = `Operation cannot be fulfilled on ${route.plural} "${name}": the object has been modified`;
        send(response, 409, statusBody(409, "Conflict", message));
        return;
      }
    }
    switch (request.method) {
      case "PUT":
        send(response, 200, objects.put(body));
        return;
      case "PATCH":
        send(response, 200, objects.put(applyMergePatch(current, body) as KubeObject));
        return;
      case "DELETE":
        send(response, 200, objects.remove(key));
        return;
      default:
        send(response, 200, current);
    }
  }

  function disconnect(): void {
    for (const socket of sockets) socket.destroy();
  }

  function listen(): Promise<void> {
    const handler = (incoming: IncomingMessage, response: ServerResponse): void => {
      serve(incoming, response).catch((error: unknown) => response.destroy(error as Error));
    };
    const created = options.tls === undefined ? createServer(handler) : createTlsServer(options.tls, handler);
    created.on("connection", (socket: Socket) => {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
      socket.on("error", () => {});
    });
    server = created;
    return new Promise((resolve, reject) => {
      created.on("error", reject);
      created.listen(port, "127.0.0.1", () => {
        ({ port } = created.address() as AddressInfo);
        resolve();
      });
    });
  }

  async function down(): Promise<void> {
    const closing = server;
    server = undefined;
    if (closing === undefined) return;
    const closed = new Promise<void>((resolve) => closing.close(() => resolve()));
    disconnect();
    await closed;
  }

  await listen();
  return {
    url: `${options.tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    requests,
    get connections() {
      return sockets.size;
    },
    store,
    reset: (plural) => void stores.delete(plural),
    bookmark: () => bookmarks.forEach((send) => send()),
    disconnect,
    down,
    listen,
    close: down,
  };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function readBody(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

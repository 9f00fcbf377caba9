/** The simulated API server (api-core.ts) behind HTTP or HTTPS, on this machine. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { systemTimers, type Timers } from "../timers.ts";
import { type Answer, type ApiCore, type ApiCoreOptions, type ApiRequest, createApiCore } from "./api-core.ts";

export interface ApiServerOptions extends Omit<ApiCoreOptions, "timers"> {
  readonly tls?: ServerOptions;
  /** Serves it instead of the simulation; true when it did. */
  readonly intercept?: (request: ApiRequest, response: ServerResponse) => boolean;
  /** The clock of `timeoutSeconds`. */
  readonly timers?: Timers;
}

export interface ApiServer extends Omit<ApiCore, "handle"> {
  readonly url: string;
  /** Every request that arrived, in order. */
  readonly requests: readonly ApiRequest[];
  /** Connections that are open now. */
  readonly connections: number;
  /** Cuts all connections, as a crash does. */
  disconnect(): void;
  /** Cuts all connections, and refuses new ones until `listen`. */
  down(): Promise<void>;
  /** Comes back at the same address. */
  listen(): Promise<void>;
  close(): Promise<void>;
}

export async function startApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const { tls, intercept, timers = systemTimers } = options;
  const core = createApiCore({ ...options, timers });
  const requests: ApiRequest[] = [];
  const sockets = new Set<Socket>();
  let port = 0;
  let server: Server | undefined;

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? "/", "http://server");
    const request: ApiRequest = {
      method: incoming.method ?? "GET",
      path: url.pathname,
      query: url.searchParams,
      headers: incoming.headers,
      body: await readBody(incoming),
    };
    requests.push(request);
    if (intercept?.(request, response) === true) return;
    const answer = core.handle(request);
    const delay = answer.kind === "json" ? answer.delay : undefined;
    if (delay === undefined) send(answer, response);
    else timers.after(delay, () => send(answer, response));
  }

  function listen(): Promise<void> {
    const handler = (incoming: IncomingMessage, response: ServerResponse): void => {
      serve(incoming, response).catch((error: unknown) => response.destroy(error as Error));
    };
    const created = tls === undefined ? createServer(handler) : createTlsServer(tls, handler);
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

  function disconnect(): void {
    for (const socket of sockets) socket.destroy();
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
    ...core,
    url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    requests,
    get connections() {
      return sockets.size;
    },
    disconnect,
    down,
    listen,
    close: down,
  };
}

function send(answer: Answer, response: ServerResponse): void {
  switch (answer.kind) {
    case "drop":
      response.destroy();
      return;
    case "silence":
      return;
    case "json": {
      const text = JSON.stringify(answer.body);
      response.writeHead(answer.status, {
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(text)),
        ...(answer.retryAfter === undefined ? {} : { "retry-after": String(answer.retryAfter) }),
      });
      if (answer.cut === true) response.write(text.slice(0, text.length >> 1), () => response.destroy());
      else response.end(text);
      return;
    }
    case "watch": {
      response.writeHead(200, { "content-type": "application/json" });
      response.flushHeaders();
      const closed = answer.serve({
        write: (text) => void response.write(text),
        end: () => void response.end(),
        // An empty line says nothing, but when it is out, everything before it is.
        cut: () => void response.write("\n", () => response.destroy()),
      });
      response.on("close", closed);
    }
  }
}

async function readBody(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

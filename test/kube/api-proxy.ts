/**
 * A proxy between one client and the API server: TLS ends here, under an authority of its own, and begins anew behind it.
 * Tests look at each request on its way, and decide what becomes of it and of its answer.
 */
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { Agent, type Dispatcher } from "undici";
import { parse, stringify } from "yaml";
import { createAuthority } from "../../src/kube/testing/certificates.ts";
import type { ControlPlane } from "./control-plane.ts";
import type { User } from "./credentials.ts";

export interface ProxiedRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly isWatch: boolean;
  /** As it was sent; empty where there is none. */
  readonly body: string;
}

/** What becomes of a request that has arrived. */
export type Passage =
  | { readonly kind: "pass" }
  /** The connection breaks, and the API server never hears of it. */
  | { readonly kind: "drop" }
  /** Somebody on the way answers it. */
  | { readonly kind: "answer"; readonly status: number; readonly reason: string; readonly retryAfter?: number };

/** What becomes of the answer to a request that was served. A watch is never held back; it can be `cut`. */
export type Return =
  | { readonly kind: "pass" }
  /** The connection breaks before the answer. */
  | { readonly kind: "lose" }
  /** It breaks in the middle of it; a watch, after this long. */
  | { readonly kind: "cut"; readonly afterMs?: number };

export interface ProxyHooks {
  readonly onRequest?: (request: ProxiedRequest) => Passage | Promise<Passage>;
  readonly onServed?: (request: ProxiedRequest, status: number) => Return | Promise<Return>;
}

export interface ApiProxy {
  /** Path of a kubeconfig that leads through this proxy. */
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

export const PASS = { kind: "pass" } as const;

/** Serves from when this resolves. `name` tells its kubeconfig from others of the same cluster. */
export async function startApiProxy(
  plane: Pick<ControlPlane, "url" | "ca" | "addUser">,
  user: User,
  name: string,
  { onRequest = () => PASS, onServed = () => PASS }: ProxyHooks,
): Promise<ApiProxy> {
  using authority = createAuthority();
  const { cert, key } = authority.issue("kubernetes", "IP:127.0.0.1");
  const upstream = new Agent({ connect: { ca: plane.ca }, bodyTimeout: 0, headersTimeout: 0 });
  const sockets = new Set<Socket>();

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? "/", plane.url);
    const { method = "GET" } = incoming;
    const body = method === "GET" ? null : await buffer(incoming);
    const request: ProxiedRequest = {
      method,
      path: url.pathname,
      query: url.searchParams,
      isWatch: url.searchParams.has("watch"),
      body: body?.toString() ?? "",
    };
    const passage = await onRequest(request);
    if (passage.kind === "drop") throw new Error("dropped");
    if (passage.kind === "answer") {
      answer(outgoing, passage);
      return;
    }
    const { host: _, connection: __, "content-length": ___, ...headers } = incoming.headers;
    const served = await upstream.request({
      origin: plane.url,
      path: `${url.pathname}${url.search}`,
      method: request.method,
      headers,
      body,
    });
    if (request.isWatch) {
      await passWatch(outgoing, served, await onServed(request, served.statusCode));
      return;
    }
    const content = Buffer.from(await served.body.arrayBuffer());
    const verdict = await onServed(request, served.statusCode);
    if (verdict.kind === "lose") throw new Error("lost");
    outgoing.writeHead(served.statusCode, served.headers);
    if (verdict.kind === "pass") outgoing.end(content);
    else {
      await new Promise((resolve) => outgoing.write(content.subarray(0, content.length / 2), resolve));
      throw new Error("cut");
    }
  }

  const server = createServer({ cert, key }, (incoming, outgoing) => {
    // Whatever goes wrong on either side looks to the other like a connection that breaks.
    handle(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  server.on("secureConnection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).once("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const through = await plane.addUser(`proxied-${name}`, user.token);
  const here = { url: `https://127.0.0.1:${port}`, ca: authority.ca.toString() };
  await writeFile(through.kubeconfig, await redirected(user.kubeconfig, here), { mode: 0o600 });

  return {
    kubeconfig: through.kubeconfig,
    async stop() {
      server.close();
      sockets.forEach((socket) => socket.destroy());
      await upstream.destroy();
    },
  };
}

/** The same kubeconfig, of the same user with the same namespace, for a server that is somewhere else. */
async function redirected(file: string, here: { readonly url: string; readonly ca: string }): Promise<string> {
  const config = parse(await readFile(file, "utf8")) as { clusters: [{ cluster: Record<string, string> }] };
  config.clusters[0].cluster = {
    server: here.url,
    "certificate-authority-data": Buffer.from(here.ca).toString("base64"),
  };
  return stringify(config);
}

async function passWatch(outgoing: ServerResponse, served: Dispatcher.ResponseData, verdict: Return): Promise<void> {
  outgoing.writeHead(served.statusCode, served.headers);
  outgoing.flushHeaders();
  const cutting = verdict.kind === "cut" ? AbortSignal.timeout(verdict.afterMs ?? 0) : undefined;
  await pipeline(served.body, outgoing, cutting === undefined ? {} : { signal: cutting });
}

function answer(outgoing: ServerResponse, { status, reason, retryAfter }: Extract<Passage, { kind: "answer" }>): void {
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (retryAfter !== undefined) headers["retry-after"] = String(retryAfter);
  const message = "said on the way to the API server";
  outgoing.writeHead(status, headers);
  outgoing.end(JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", code: status, reason, message }));
}

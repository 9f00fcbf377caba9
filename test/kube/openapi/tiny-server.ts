/** An API server that has nothing but documents, and keeps what it is sent: what kubectl makes of the documents alone. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Catalog } from "../../../src/cluster/api/catalog/catalog.ts";
import { readPath } from "../../../src/cluster/api/http/request-path.ts";
import type { JsonObject } from "../../../src/cluster/api/json.ts";
import { createDocuments } from "../../../src/cluster/api/serve/documents.ts";
import { createAuthority } from "../../../src/kube/testing/certificates.ts";

export interface Sent {
  readonly method: string;
  /** With the query. */
  readonly url: string;
  readonly contentType: string;
  readonly body: JsonObject;
}

export interface TinyServer {
  readonly url: string;
  readonly ca: string;
  /** Every path that was asked for, but objects. */
  readonly asked: Set<string>;
  /** Every write. */
  readonly sent: Sent[];
  stop(): Promise<void>;
}

export async function startTinyServer(catalog: Catalog): Promise<TinyServer> {
  const authority = createAuthority();
  const documents = createDocuments({
    catalog,
    clock: { now: () => Date.now() },
    address: () => "127.0.0.1",
    metrics: () => Promise.resolve({ text: "", contentType: "text/plain" }),
  });
  const asked = new Set<string>();
  const sent: Sent[] = [];
  const objects = new Map<string, JsonObject>();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "", "https://127.0.0.1");
    const path = readPath(url.pathname);
    const body = await text(request);
    const reply = (code: number, object: JsonObject) => {
      response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(object));
    };
    if (path?.kind === "resource") {
      const { method = "" } = request;
      if (method === "GET") {
        const found = objects.get(url.pathname);
        return reply(found === undefined ? 404 : 200, found ?? failure("no such object"));
      }
      const object = JSON.parse(body) as JsonObject;
      sent.push({ method, url: request.url ?? "", contentType: request.headers["content-type"] ?? "", body: object });
      const known = objects.get(url.pathname);
      if (method === "POST") objects.set(`${url.pathname}/${(object["metadata"] as { name: string }).name}`, object);
      return reply(method === "POST" ? 201 : 200, known ?? object);
    }
    asked.add(url.pathname);
    const document =
      path === undefined
        ? undefined
        : await documents(path, { path: url.pathname, query: url.searchParams }, request.headers);
    if (document === undefined) return reply(404, failure("the server could not find the requested resource"));
    const { code = 200, contentType, headers } = document;
    response.writeHead(code, { "content-type": contentType, ...headers }).end(document.text);
  }

  const server = createServer(authority.issue("tiny", "IP:127.0.0.1"), (request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ca: authority.ca.toString("utf8"),
    asked,
    sent,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      authority[Symbol.dispose]();
    },
  };
}

function failure(message: string): JsonObject {
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason: "NotFound", code: 404 };
}

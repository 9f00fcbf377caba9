/** Metrics and health over plain HTTP, as every CSI sidecar has them. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Registry } from "@prometheus-io/client";
import type { HttpOptions } from "./options.ts";

export interface Endpoint {
  readonly port: number;
  /** May be called twice. */
  stop(): Promise<void>;
}

export interface EndpointSources {
  readonly registry: Registry;
  /** What is wrong with the lease; undefined when nothing is, or when there is none. */
  readonly electionProblem: (() => string | undefined) | undefined;
}

/** Serves from when this resolves. Rejects when the address cannot be had. */
export async function startEndpoint(options: HttpOptions, sources: EndpointSources): Promise<Endpoint> {
  const { registry, electionProblem } = sources;
  const server = createServer((request, response) => {
    const answer = (status: number, body: string, type = "text/plain; charset=utf-8"): void => {
      response.writeHead(status, { "content-type": type }).end(body);
    };
    const [path = "/"] = (request.url ?? "/").split("?");
    if (request.method !== "GET" && request.method !== "HEAD") answer(405, "method not allowed\n");
    else if (path === options.metricsPath) {
      registry.metrics().then(
        (text) => answer(200, text, registry.contentType),
        (error: unknown) => answer(500, `${error}\n`),
      );
    } else if (path === "/healthz/leader-election" && options.health && electionProblem !== undefined) {
      const problem = electionProblem();
      answer(problem === undefined ? 200 : 500, problem === undefined ? "ok" : `internal server error: ${problem}\n`);
    } else if (path === "/healthz" && options.health) answer(200, "ok");
    else answer(404, "404 page not found\n");
  });
  server.listen(options.port, options.host);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

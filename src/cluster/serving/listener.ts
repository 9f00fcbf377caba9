/**
 * The HTTPS server, without any idea of what is served. It speaks HTTP/2 with those who ask for it, as client-go and kubectl do, and
 * HTTP/1.1 with all others.
 */
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { messageOf, OutgrowError } from "../../core/errors.ts";
import { type Logger, silentLogger } from "../../kube/logger.ts";
import { type Metrics, noMetrics } from "../../kube/metrics.ts";
import { StatusError } from "../api/status-error.ts";
import { type Connections, trackConnections } from "./connections.ts";
import { openHttp2Side, type ServerStream } from "./http2/index.ts";
import { DEFAULT_LISTENER_LIMITS, type ListenerLimits } from "./limits.ts";
import { internalFailure, refuse } from "./refusal.ts";
import { objectionTo } from "./request-guard.ts";
import { type ServingMetrics, servingMetrics } from "./serving-metrics.ts";

export interface ListenerOptions {
  /** In PEM. */
  readonly tls: { readonly cert: string; readonly key: string };
  /** @default 0: any that is free */
  readonly port?: number;
  /**
   * Called for every request that is well-formed and not foreign. What it throws becomes a Status if nothing was answered yet, and ends
   * the connection otherwise.
   */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;
  /** The same for requests of HTTP/2, which is not offered without it. */
  readonly handleStream?: (stream: ServerStream) => void | Promise<void>;
  /** What is left out has its default. */
  readonly limits?: Partial<ListenerLimits>;
  /** Called when the listener begins to stop, to end the answers that have no end. */
  readonly onStop?: () => void;
  readonly metrics?: Metrics;
  readonly logger?: Logger;
}

export interface Listener {
  readonly port: number;
  /** `https://127.0.0.1:6443` */
  readonly url: string;
  /** For `createStream`: counts a client that was cut off. */
  readonly onSlowReader: () => void;
  /**
   * Takes no more connections, has watches end, gives the requests under way this long to finish, and then closes what is still
   * open. Resolves when all is closed. May be called twice; the first call decides how long.
   */
  stop(graceMs: number): Promise<void>;
}

/** Only this machine can reach it. */
const ADDRESS = "127.0.0.1";

/** Resolves when the server listens. Rejects with `ADDRESS_UNUSABLE` when it cannot. */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const { tls, port = 0, handleStream, onStop, metrics = noMetrics, logger = silentLogger } = options;
  const limits = { ...DEFAULT_LISTENER_LIMITS, ...options.limits };
  // No certificate of a client is asked for. Without a word on whom to trust, Node reads in every authority of the world.
  const protocols = handleStream === undefined ? ["http/1.1"] : ["h2", "http/1.1"];
  const server = createServer({
    ...tls,
    ca: [],
    minVersion: "TLSv1.2",
    ALPNProtocols: protocols,
    ...httpOptions(limits),
  });
  server.maxConnections = limits.connections;
  // Bounded by their size. Node would leave out what comes after so many, without a word.
  server.maxHeadersCount = 0;
  await listen(server, port);
  const counts: ServingMetrics = servingMetrics(metrics, () => connections.count);
  const bound = (server.address() as AddressInfo).port;
  const http2 = handleStream && openHttp2Side(server, { port: bound, handle: handleStream, limits, counts, logger });
  const connections = trackConnections(server, (code) => counts.refused(code));
  server.on("drop", () => counts.dropped());
  // A connection that could not be accepted; the next may be.
  server.on("error", (error) => logger.error({ err: error }, "a connection failed"));
  serveRequests(server, bound, options, { connections, counts });

  let stopped: Promise<void> | undefined;
  return {
    port: bound,
    url: `https://${ADDRESS}:${bound}`,
    onSlowReader: () => counts.slowReader(),
    stop: (graceMs) => {
      stopped ??= (async () => {
        const closed = connections.close(graceMs);
        http2?.stop();
        onStop?.();
        await closed;
        counts.stop();
      })();
      return stopped;
    },
  };
}

function httpOptions({ headerBytes, headersMs, requestMs, idleMs }: ListenerLimits) {
  return {
    maxHeaderSize: headerBytes,
    handshakeTimeout: headersMs,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    // How often Node looks for requests that are late.
    connectionsCheckingInterval: Math.min(headersMs, requestMs, 5000),
    keepAliveTimeout: idleMs,
    // Ours to refuse, as a Status.
    requireHostHeader: false,
    insecureHTTPParser: false,
  };
}

async function listen(server: Server, port: number): Promise<void> {
  try {
    server.listen(port, ADDRESS);
    await once(server, "listening");
  } catch (error) {
    const wayOut = "name another port with --port, or none to have any free one";
    throw new OutgrowError("ADDRESS_UNUSABLE", `cannot listen: ${messageOf(error)}; ${wayOut}`, { cause: error });
  }
}

interface Bookkeeping {
  readonly connections: Connections;
  readonly counts: ServingMetrics;
}

type Exchange = readonly [IncomingMessage, ServerResponse];

function serveRequests(
  server: Server,
  port: number,
  { handle, logger = silentLogger }: ListenerOptions,
  books: Bookkeeping,
): void {
  const refuseEarly = ([request, response]: Exchange, error: StatusError): void => {
    books.counts.refused(error.code);
    // The body that was announced will not come, or will: what follows cannot be told from it.
    if (request.headers.expect !== undefined) response.setHeader("Connection", "close");
    refuse(response, error);
  };

  const serve = async ([request, response]: Exchange): Promise<void> => {
    try {
      await handle(request, response);
    } catch (error) {
      if (!(error instanceof StatusError)) logger.error({ err: error, url: request.url }, "a request failed");
      if (response.headersSent) response.destroy();
      else refuse(response, error instanceof StatusError ? error : internalFailure(messageOf(error)));
    }
  };

  const take = (exchange: Exchange, prepare?: () => void): void => {
    const [request, response] = exchange;
    books.connections.answering(response);
    const objection = objectionTo(request, port);
    if (objection !== undefined) {
      refuseEarly(exchange, objection);
      return;
    }
    prepare?.();
    void serve(exchange);
  };

  server.on("request", (...exchange: Exchange) => take(exchange));
  // A client that asks before it sends its body is told no before it does.
  server.on("checkContinue", (...exchange: Exchange) => take(exchange, () => exchange[1].writeContinue()));
  server.on("checkExpectation", (...exchange: Exchange) => {
    refuseEarly(exchange, new StatusError(417, "BadRequest", "the only expectation that is met is 100-continue"));
  });
}

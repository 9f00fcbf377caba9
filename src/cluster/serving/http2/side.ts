/** The side of the server that speaks HTTP/2: all its connections. */
import type { Server } from "node:https";
import type { TLSSocket } from "node:tls";
import { messageOf } from "../../../core/errors.ts";
import type { Logger } from "../../../kube/logger.ts";
import { StatusError } from "../../api/status-error.ts";
import type { ListenerLimits } from "../limits.ts";
import { internalFailure, refusalBody } from "../refusal.ts";
import { objectionToHead } from "../request-guard.ts";
import type { ServingMetrics } from "../serving-metrics.ts";
import { sendWhole } from "./answer.ts";
import { type Http2Connection, serveHttp2 } from "./connection.ts";
import type { ServerStream } from "./stream.ts";

export interface Http2SideOptions {
  /** The one that the server listens on. */
  readonly port: number;
  /** As that of the listener. */
  readonly handle: (stream: ServerStream) => void | Promise<void>;
  readonly limits: ListenerLimits;
  readonly counts: ServingMetrics;
  readonly logger: Logger;
}

export interface Http2Side {
  /** No more requests are taken; connections close when theirs are answered. */
  stop(): void;
}

/** How often somebody looks for what is late, at least. */
const CHECK_MS = 5000;

/** Takes the connections that speak HTTP/2 aside, before the server sees them as HTTP/1.1. */
export function openHttp2Side(server: Server, options: Http2SideOptions): Http2Side {
  const { limits, counts } = options;
  const connections = new Set<Http2Connection>();
  const take = (socket: TLSSocket): void => {
    const connection = serveHttp2(socket, {
      limits,
      take: (stream, objection) => answer(stream, objection, options),
      onSlowReader: () => counts.slowReader(),
    });
    connections.add(connection);
    socket.once("close", () => connections.delete(connection));
  };
  const others = server.listeners("secureConnection");
  server.removeAllListeners("secureConnection").on("secureConnection", (socket) => {
    if (socket.alpnProtocol === "h2") take(socket);
    else for (const listener of others) Reflect.apply(listener, server, [socket]);
  });
  const checks = setInterval(
    () => {
      const now = performance.now();
      for (const connection of connections) connection.check(now);
    },
    Math.min(limits.headersMs, limits.requestMs, limits.idleMs, CHECK_MS),
  );
  checks.unref();
  server.once("close", () => clearInterval(checks));
  return {
    stop() {
      for (const connection of connections) connection.goAway();
    },
  };
}

async function answer(
  stream: ServerStream,
  tooMuch: StatusError | undefined,
  { port, handle, counts, logger }: Http2SideOptions,
): Promise<void> {
  const objection = tooMuch ?? objectionToHead(stream.head, port) ?? unmetIn(stream);
  if (objection !== undefined) {
    counts.refused(objection.code);
    refuse(stream, objection);
    return;
  }
  if (stream.head.headers.expect !== undefined) stream.goOn();
  try {
    await handle(stream);
  } catch (error) {
    if (!(error instanceof StatusError)) logger.error({ err: error, url: stream.head.url }, "a request failed");
    if (stream.isBegun) stream.cut();
    else refuse(stream, error instanceof StatusError ? error : internalFailure(messageOf(error)));
  }
}

function unmetIn({ head }: ServerStream): StatusError | undefined {
  const { expect } = head.headers;
  return expect === undefined || expect.toLowerCase() === "100-continue" ? undefined : UNMET;
}

const UNMET = new StatusError(417, "BadRequest", "the only expectation that is met is 100-continue");

function refuse(stream: ServerStream, error: StatusError): void {
  sendWhole(stream, error.code, refusalBody(error));
}

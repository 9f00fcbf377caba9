/** Connections to one webhook. In a file of its own, which is imported when the first webhook is called. */
import { buildConnector, Pool } from "undici";
import { type HookCall, MAX_ANSWER_BYTES } from "./transport.ts";

const IDLE_TIMEOUT = 30_000;

/** As many connections as there are calls at the same time. Whoever has it closes it. */
export function createHookPool({ url, ca, address }: HookCall): Pool {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const trust = { ...(ca === undefined ? {} : { ca }), ...(address === undefined ? {} : { servername: host }) };
  const connector = buildConnector({ ...trust, timeout: 0, allowH2: false });
  return new Pool(url.origin, {
    // As many as there are calls: one that waits for another to end could wait for itself.
    connections: null,
    pipelining: 1,
    keepAliveTimeout: IDLE_TIMEOUT,
    // The caller's signal is the one limit in time.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: MAX_ANSWER_BYTES,
    connect:
      address === undefined
        ? connector
        : (options, callback) =>
            connector({ ...options, hostname: address.host, port: String(address.port) }, callback),
  });
}

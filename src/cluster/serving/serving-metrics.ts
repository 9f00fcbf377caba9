/** What the listener counts. */
import type { Metrics } from "../../kube/metrics.ts";

export interface ServingMetrics {
  /** A request was refused before anybody looked at what it asks for, with this status. */
  refused(code: number): void;
  /** A connection was closed because there are too many. */
  dropped(): void;
  /** A client of a stream was cut off. */
  slowReader(): void;
  /** Ends the counting of connections. */
  stop(): void;
}

export function servingMetrics(metrics: Metrics, connections: () => number): ServingMetrics {
  const refused = metrics.counter({
    name: "outgrow_server_refused_total",
    help: "Requests that were refused before they were looked at, by status.",
    labels: ["code"],
  });
  const dropped = metrics.counter({
    name: "outgrow_server_dropped_connections_total",
    help: "Connections that were closed because there were too many.",
    labels: [],
  });
  const slow = metrics.counter({
    name: "outgrow_server_slow_readers_total",
    help: "Streams that were cut because their client did not read.",
    labels: [],
  });
  const open = { name: "outgrow_server_connections", help: "Connections that are open.", labels: [] };
  const stop = metrics.observe(open, {}, connections);
  return {
    refused: (code) => refused.inc({ code: String(code) }),
    dropped: () => dropped.inc({}),
    slowReader: () => slow.inc({}),
    stop,
  };
}

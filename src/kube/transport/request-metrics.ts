/** What client-go counts about its requests, by the same names. */
import type { Metrics } from "../metrics.ts";
import type { RequestInfo } from "./transport.ts";

const BUCKETS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];

/** An `onRequest` for `createTransport`. `host` is the server's, as a label. */
export function requestMetrics(metrics: Metrics, host: string): (info: RequestInfo) => void {
  const total = metrics.counter({
    name: "rest_client_requests_total",
    help: "Requests to the API server, by the answer's status code.",
    labels: ["code", "host", "method"],
  });
  const duration = metrics.histogram({
    name: "rest_client_request_duration_seconds",
    help: "How long the API server took to answer.",
    labels: ["host", "verb"],
    buckets: BUCKETS,
  });
  return ({ method, watch, status, seconds }) => {
    total.inc({ code: status === 0 ? "<error>" : String(status), host, method });
    duration.observe({ host, verb: watch ? "WATCH" : method }, seconds);
  };
}

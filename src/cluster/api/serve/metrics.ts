/** What the server counts of its own work; served under /metrics. */
import type { Metrics } from "../../../kube/metrics.ts";

export interface ApiMetrics {
  /** A request begins; call what comes back when it is over. */
  begin(): Done;
}

export type Done = (verb: string, resource: string, code: number) => void;

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** `now` in milliseconds, from any moment on; `watchers`: how many watches are open. */
export function createApiMetrics(metrics: Metrics, now: () => number, watchers: () => number): ApiMetrics {
  const requests = metrics.counter({
    name: "outgrow_api_requests_total",
    help: "Requests to the embedded API server, by verb, resource and HTTP status.",
    labels: ["verb", "resource", "code"],
  });
  const durations = metrics.histogram({
    name: "outgrow_api_request_duration_seconds",
    help: "How long requests to the embedded API server took, without watches.",
    labels: ["verb"],
    buckets: SECONDS,
  });
  metrics.observe(
    { name: "outgrow_api_watches", help: "Watches that are open on the embedded API server.", labels: [] },
    {},
    watchers,
  );
  return {
    begin() {
      const started = now();
      return (verb, resource, code) => {
        requests.inc({ verb, resource, code: String(code) });
        if (verb !== "watch") durations.observe({ verb }, (now() - started) / 1000);
      };
    },
  };
}

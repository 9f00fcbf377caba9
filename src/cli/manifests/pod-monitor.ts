/** For clusters whose Prometheus is told by the Prometheus operator where metrics are. */
import type { InstallOptions } from "./options.ts";
import { type Explained, NAME, named, POD_LABELS } from "./part.ts";

export function podMonitor({ namespace }: InstallOptions): Explained {
  return {
    why: "Prometheus collects the metrics of every replica.",
    object: {
      apiVersion: "monitoring.coreos.com/v1",
      kind: "PodMonitor",
      metadata: named(NAME, namespace),
      spec: {
        selector: { matchLabels: { ...POD_LABELS } },
        podMetricsEndpoints: [{ port: "http", path: "/metrics" }],
      },
    },
  };
}

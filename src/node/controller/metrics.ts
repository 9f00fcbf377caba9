/** What is counted about growth on the node, under the names that the kubelet uses. */
import type { Metrics } from "../../kube/index.ts";
import type { AfterNodeAnswer } from "../decide/answer.ts";

/** `storage_operation_duration_seconds`, as the kubelet has it. */
const DURATIONS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 25, 50, 120, 300, 600];

export interface NodeMetrics {
  /** A call was answered after this long. */
  called(driver: string, result: AfterNodeAnswer["result"], seconds: number): void;
}

export function createNodeMetrics(metrics: Metrics): NodeMetrics {
  const durations = metrics.histogram({
    name: "storage_operation_duration_seconds",
    help: "How long storage operations took",
    labels: ["volume_plugin", "operation_name", "status"],
    buckets: DURATIONS,
  });
  const errors = metrics.counter({
    name: "storage_operation_errors_total",
    help: "Storage operations that failed",
    labels: ["volume_plugin", "operation_name"],
  });
  return {
    called(driver, result, seconds) {
      const labels = { volume_plugin: `kubernetes.io/csi:${driver}`, operation_name: "volume_fs_resize" };
      const failed = result === "failed" || result === "infeasible" || result === "in-doubt";
      durations.observe({ ...labels, status: failed ? "fail-unknown" : "success" }, seconds);
      if (failed) errors.inc(labels);
    },
  };
}

/** What Kubernetes counts about operations on volumes, under the names and in the buckets of its own components. */
import type { Metrics } from "./metrics.ts";

/** As kube-controller-manager and the kubelet have them. */
const BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 25, 50, 120, 300, 600];

/** `expand_volume` is kube-controller-manager's word, `volume_fs_resize` the kubelet's. */
export type StorageOperation = "expand_volume" | "volume_fs_resize";

export interface StorageOperationMetrics {
  /** A call to the driver was answered after this long. */
  ended(driver: string, how: "success" | "failure", seconds: number): void;
}

export function storageOperationMetrics(metrics: Metrics, operation: StorageOperation): StorageOperationMetrics {
  const durations = metrics.histogram({
    name: "storage_operation_duration_seconds",
    help: "How long storage operations took",
    labels: ["volume_plugin", "operation_name", "status"],
    buckets: BUCKETS,
  });
  const errors = metrics.counter({
    name: "storage_operation_errors_total",
    help: "Storage operations that failed",
    labels: ["volume_plugin", "operation_name"],
  });
  return {
    ended(driver, how, seconds) {
      const labels = { volume_plugin: `kubernetes.io/csi:${driver}`, operation_name: operation };
      durations.observe({ ...labels, status: how === "success" ? how : "fail-unknown" }, seconds);
      if (how === "failure") errors.inc(labels);
    },
  };
}

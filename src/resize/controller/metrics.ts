/** What is counted about growing claims: under the names that Kubernetes and the texts use, and under our own. */
import type { Metrics } from "../../kube/index.ts";
import type { AfterAnswer } from "../decide/answer.ts";

/** `storage_operation_duration_seconds`, as kube-controller-manager and the kubelet have it. */
const DURATIONS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 25, 50, 120, 300, 600];
/** From the request to a grown volume, which may wait for pods and retries: up to a day. */
const LONG = [1, 5, 15, 60, 300, 900, 3600, 14_400, 86_400];

export interface ResizeMetrics {
  /** A call was answered after this long. */
  called(after: AfterAnswer, seconds: number): void;
  /** The controller's part of a request is done, this long after it was first seen. */
  completed(seconds: number): void;
  /** A lowered request was tried. KEP-1790, Monitoring. */
  recovered(volume: string, succeeded: boolean): void;
  /** Reads the number of claims in each state whenever somebody asks. Gives back how to end that. */
  observeClaims(states: readonly string[], count: (state: string) => number): () => void;
}

export function createResizeMetrics(metrics: Metrics, driver: string): ResizeMetrics {
  const plugin = `kubernetes.io/csi:${driver}`;
  const expansions = metrics.counter({
    name: "outgrow_expansions_total",
    help: "Answers of the CSI driver to expansions, by what they came to",
    labels: ["driver", "result"],
  });
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
  const requests = metrics.histogram({
    name: "outgrow_request_duration_seconds",
    help: "From the moment a larger request was seen until the controller's part of it was done",
    labels: ["driver"],
    buckets: LONG,
  });
  const recoveries = metrics.counter({
    name: "operation_operation_volume_recovery_total",
    help: "Volumes whose failed expansion was recovered from by a smaller request",
    labels: ["state", "volume_name"],
  });

  return {
    called({ result }, seconds) {
      expansions.inc({ driver, result });
      const succeeded = result === "finished" || result === "node-expansion-required";
      const labels = { volume_plugin: plugin, operation_name: "expand_volume" };
      durations.observe({ ...labels, status: succeeded ? "success" : "fail-unknown" }, seconds);
      if (!succeeded && result !== "overtaken") errors.inc(labels);
    },
    completed: (seconds) => requests.observe({ driver }, seconds),
    recovered: (volume, succeeded) => recoveries.inc({ state: succeeded ? "success" : "failure", volume_name: volume }),
    observeClaims(states, count) {
      const description = {
        name: "outgrow_claims",
        help: "Claims of the driver that are not at rest, by the state of their expansion",
        labels: ["driver", "state"],
      };
      const ends = states.map((state) => metrics.observe(description, { driver, state }, () => count(state)));
      return () => ends.forEach((end) => end());
    },
  };
}

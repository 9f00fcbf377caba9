/** What is counted about growing claims: under the names that Kubernetes and the texts use, and under our own. */
import { type Metrics, storageOperationMetrics } from "../../kube/index.ts";
import type { AfterAnswer } from "../decide/answer.ts";

/** From the request to a grown volume, which may wait for pods and retries: up to a day. */
const LONG = [1, 5, 15, 60, 300, 900, 3600, 14_400, 86_400];
/** An answer that was overtaken was about a size that nobody asks for any more: nothing is wrong. */
const FAILURES: ReadonlySet<AfterAnswer["result"]> = new Set(["failed", "infeasible", "in-doubt"]);

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
  const operations = storageOperationMetrics(metrics, "expand_volume");
  const expansions = metrics.counter({
    name: "outgrow_expansions_total",
    help: "Answers of the CSI driver to expansions, by what they came to",
    labels: ["driver", "result"],
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
      operations.ended(driver, FAILURES.has(result) ? "failure" : "success", seconds);
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

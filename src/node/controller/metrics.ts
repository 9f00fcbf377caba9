/** What is counted about growth on the node, under the names that the kubelet uses. */
import { type Metrics, storageOperationMetrics } from "../../kube/index.ts";
import type { AfterNodeAnswer } from "../decide/answer.ts";

const FAILURES: ReadonlySet<AfterNodeAnswer["result"]> = new Set(["failed", "infeasible", "in-doubt"]);

export interface NodeMetrics {
  /** A call was answered after this long. */
  called(driver: string, result: AfterNodeAnswer["result"], seconds: number): void;
}

export function createNodeMetrics(metrics: Metrics): NodeMetrics {
  const operations = storageOperationMetrics(metrics, "volume_fs_resize");
  return {
    called: (driver, result, seconds) =>
      operations.ended(driver, FAILURES.has(result) ? "failure" : "success", seconds),
  };
}

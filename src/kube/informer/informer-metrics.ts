/** What an informer counts. */
import type { Resource } from "../client/resource.ts";
import type { Metrics } from "../metrics.ts";

export interface InformerMetrics {
  listed(): void;
  watchFailed(): void;
  handlerFailed(): void;
  /** Takes the gauge away. */
  stop(): void;
}

export function informerMetrics(metrics: Metrics, { plural }: Resource, size: () => number): InformerMetrics {
  const labels = { resource: plural };
  const count = (name: string, help: string): (() => void) => {
    const counter = metrics.counter({ name, help, labels: ["resource"] });
    return () => counter.inc(labels);
  };
  return {
    listed: count("outgrow_informer_lists_total", "Full listings that were completed."),
    watchFailed: count("outgrow_informer_failures_total", "Lists and watches that failed and were tried again."),
    handlerFailed: count("outgrow_informer_handler_errors_total", "Handlers that threw."),
    stop: metrics.observe(
      { name: "outgrow_informer_objects", help: "Objects held in memory.", labels: ["resource"] },
      labels,
      size,
    ),
  };
}

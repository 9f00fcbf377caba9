/** What Kubernetes' own work queues count, by the same names, with the queue's name as the label. */
import type { Metrics } from "../metrics.ts";
import type { Timers } from "../timers.ts";

const BUCKETS = [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1000];

export interface QueueMetrics {
  added(key: string): void;
  started(key: string): void;
  finished(key: string): void;
  retried(): void;
  stop(): void;
}

export function queueMetrics(metrics: Metrics, name: string, timers: Timers, depth: () => number): QueueMetrics {
  const labels = { name };
  const describe = (metric: string, help: string) => ({ name: `workqueue_${metric}`, help, labels: ["name"] });
  const adds = metrics.counter(describe("adds_total", "Keys that were added."));
  const retries = metrics.counter(describe("retries_total", "Keys that were added again after a failure."));
  const waited = metrics.histogram({
    ...describe("queue_duration_seconds", "How long keys waited until a worker took them."),
    buckets: BUCKETS,
  });
  const worked = metrics.histogram({
    ...describe("work_duration_seconds", "How long workers took for a key."),
    buckets: BUCKETS,
  });
  const addedAt = new Map<string, number>();
  const startedAt = new Map<string, number>();
  const ages = (): number[] => [...startedAt.values()].map((moment) => (timers.elapsed() - moment) / 1000);
  const gauges = [
    metrics.observe(describe("depth", "Keys that wait for a worker."), labels, depth),
    metrics.observe(
      describe("unfinished_work_seconds", "How long the keys that are being worked on have been, taken together."),
      labels,
      () => ages().reduce((sum, age) => sum + age, 0),
    ),
    metrics.observe(
      describe(
        "longest_running_processor_seconds",
        "How long the longest of the keys that are being worked on has been.",
      ),
      labels,
      () => ages().reduce((longest, age) => Math.max(longest, age), 0),
    ),
  ];
  return {
    added(key) {
      adds.inc(labels);
      if (!addedAt.has(key)) addedAt.set(key, timers.elapsed());
    },
    started(key) {
      const now = timers.elapsed();
      waited.observe(labels, (now - (addedAt.get(key) ?? now)) / 1000);
      addedAt.delete(key);
      startedAt.set(key, now);
    },
    finished(key) {
      const now = timers.elapsed();
      worked.observe(labels, (now - (startedAt.get(key) ?? now)) / 1000);
      startedAt.delete(key);
    },
    retried: () => retries.inc(labels),
    stop: () => gauges.forEach((stop) => stop()),
  };
}

/**
 * Counting, behind an interface of four methods, so that nothing here depends on a registry. Asking for the same metric
 * twice gives the same one: many queues share `workqueue_depth` and differ in a label. `prometheus-metrics.ts` is the
 * implementation for production.
 */

export type Labels = Readonly<Record<string, string>>;

export interface Counter {
  inc(labels: Labels, amount?: number): void;
}

export interface Gauge {
  set(labels: Labels, value: number): void;
}

export interface Histogram {
  observe(labels: Labels, value: number): void;
}

export interface MetricDescription {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
}

export interface Metrics {
  counter(description: MetricDescription): Counter;
  gauge(description: MetricDescription): Gauge;
  histogram(description: MetricDescription & { readonly buckets: readonly number[] }): Histogram;
  /**
   * A gauge that is read when somebody asks for it. The returned function ends the reading, and takes the value with
   * these labels away.
   */
  observe(description: MetricDescription, labels: Labels, read: () => number): () => void;
}

/** Counts nothing. */
export const noMetrics: Metrics = {
  counter: () => ({ inc() {} }),
  gauge: () => ({ set() {} }),
  histogram: () => ({ observe() {} }),
  observe: () => () => {},
};

/** Metrics that a test can look into: `value("workqueue_depth", { name: "claims" })`. */
import type { Labels, Metrics } from "../metrics.ts";

export interface RecordedMetrics extends Metrics {
  /** Of a counter or a gauge; of a histogram the sum of what was observed. Undefined: never touched. */
  value(name: string, labels?: Labels): number | undefined;
}

export function recordMetrics(): RecordedMetrics {
  const values = new Map<string, number>();
  const readers = new Map<string, () => number>();
  const keyOf = (name: string, labels: Labels): string => `${name} ${JSON.stringify(labels)}`;
  const add = (name: string, labels: Labels, amount: number): void => {
    const key = keyOf(name, labels);
    values.set(key, (values.get(key) ?? 0) + amount);
  };
  return {
    counter: ({ name }) => ({ inc: (labels, amount = 1) => add(name, labels, amount) }),
    gauge: ({ name }) => ({ set: (labels, value) => void values.set(keyOf(name, labels), value) }),
    histogram: ({ name }) => ({ observe: (labels, value) => add(name, labels, value) }),
    observe({ name }, labels, read) {
      readers.set(keyOf(name, labels), read);
      return () => void readers.delete(keyOf(name, labels));
    },
    value(name, labels = {}) {
      const key = keyOf(name, labels);
      return readers.get(key)?.() ?? values.get(key);
    },
  };
}

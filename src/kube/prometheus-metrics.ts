/** `Metrics` on a Prometheus registry. */
import { Counter, Gauge, Histogram, type Registry } from "@prometheus-io/client";
import type { Labels, MetricDescription, Metrics } from "./metrics.ts";

interface Reader {
  readonly labels: Labels;
  readonly read: () => number;
}

export function prometheusMetrics(registry: Registry): Metrics {
  const registers = [registry];
  const known = new Map<string, unknown>();
  const readers = new Map<string, Map<string, Reader>>();

  /** The same metric for the same name, whoever asks. */
  function once<T>(name: string, create: () => T): T {
    if (!known.has(name)) known.set(name, create());
    return known.get(name) as T;
  }

  const describe = ({ name, help, labels }: MetricDescription) => ({ name, help, labelNames: labels, registers });

  return {
    counter: (description) => once(description.name, () => new Counter(describe(description))),
    gauge: (description) => once(description.name, () => new Gauge(describe(description))),
    histogram: (description) =>
      once(description.name, () => new Histogram({ ...describe(description), buckets: [...description.buckets] })),
    observe(description, labels, read) {
      const all = readers.get(description.name) ?? new Map<string, Reader>();
      readers.set(description.name, all);
      once(description.name, () => {
        const collect = function (this: Gauge<string>): void {
          this.reset();
          for (const reader of all.values()) this.set(reader.labels, reader.read());
        };
        return new Gauge({ ...describe(description), collect });
      });
      const key = JSON.stringify(labels);
      const reader = { labels, read };
      all.set(key, reader);
      return () => {
        if (all.get(key) === reader) all.delete(key);
      };
    },
  };
}

/** What is counted about growing sets. */
import type { Metrics } from "../../kube/index.ts";
import type { VolumeExpansion } from "../types.ts";

/** From a wish to a set that has it, which may wait for people: up to a day. */
const LONG = [1, 5, 15, 60, 300, 900, 3600, 14_400, 86_400];

export interface GrowthMetrics {
  /** A claim has grown by this many bytes. */
  added(bytes: number): void;
  /** A set has what was wanted, this long after it began to grow. */
  grown(seconds: number): void;
  /** Reads the number of sets that grow and that are stalled whenever somebody asks. Gives back how to end that. */
  observeSets(records: () => Iterable<VolumeExpansion>): () => void;
}

export function createGrowthMetrics(metrics: Metrics): GrowthMetrics {
  const bytes = metrics.counter({
    name: "outgrow_bytes_added_total",
    help: "What the claims of StatefulSets have grown by, in bytes",
    labels: [],
  });
  const durations = metrics.histogram({
    name: "outgrow_set_growth_duration_seconds",
    help: "From the moment a StatefulSet began to grow until its claims and its template had their size",
    labels: [],
    buckets: LONG,
  });
  const growing = {
    name: "outgrow_sets_growing",
    help: "StatefulSets that are growing, stalled ones not included",
    labels: [],
  };
  const stalled = {
    name: "outgrow_sets_stalled",
    help: "StatefulSets whose growth needs somebody to act",
    labels: [],
  };
  return {
    added: (amount) => bytes.inc({}, amount),
    grown: (seconds) => durations.observe({}, seconds),
    observeSets(records) {
      const count = (type: string) => (): number => {
        let found = 0;
        for (const { status } of records()) {
          if (status?.conditions?.some((each) => each.type === type && each.status === "True") === true) found++;
        }
        return found;
      };
      const ends = [metrics.observe(growing, {}, count("Progressing")), metrics.observe(stalled, {}, count("Stalled"))];
      return () => ends.forEach((end) => end());
    },
  };
}

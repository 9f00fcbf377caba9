/** What Kubernetes' own elections count, by the same names, with the lease's name as the label. */
import type { Metrics } from "../metrics.ts";

export interface ElectionMetrics {
  leading(leads: boolean): void;
  /** A renewal needed a fresh look. */
  slowPath(): void;
}

export function electionMetrics(metrics: Metrics, name: string): ElectionMetrics {
  const status = metrics.gauge({
    name: "leader_election_master_status",
    help: "1 while this process holds the lease, 0 while it waits for it.",
    labels: ["name"],
  });
  const slow = metrics.counter({
    name: "leader_election_slowpath_total",
    help: "Renewals of the lease that needed a fresh look at it.",
    labels: ["name"],
  });
  return {
    leading: (leads) => status.set({ name }, leads ? 1 : 0),
    slowPath: () => slow.inc({ name }),
  };
}

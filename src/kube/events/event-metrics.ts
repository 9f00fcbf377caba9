/** What the event recorder counts. */
import type { Metrics } from "../metrics.ts";

/**
 * Why an event was not told: too many about one object; too many at once; the server refused it, or failed too often;
 * or we stopped before it was sent.
 */
export type DropReason = "spam" | "flooded" | "refused" | "unsent";

export interface EventMetrics {
  sent(): void;
  dropped(reason: DropReason): void;
}

export function eventMetrics(metrics: Metrics): EventMetrics {
  const sent = metrics.counter({ name: "outgrow_events_sent_total", help: "Events that were told.", labels: [] });
  const dropped = metrics.counter({
    name: "outgrow_events_dropped_total",
    help: "Events that were not told, by the reason why.",
    labels: ["reason"],
  });
  return { sent: () => sent.inc({}), dropped: (reason) => dropped.inc({ reason }) };
}

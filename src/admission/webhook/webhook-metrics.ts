/** What the webhook counts. */
import type { Metrics } from "../../kube/index.ts";
import type { Outcome } from "./review.ts";

/** Which of its questions: a set that is written, the wish on one, or a custom resource. */
export type WebhookPart = "mutate" | "validate" | "resources";

export interface WebhookMetrics {
  answered(webhook: WebhookPart, outcome: Outcome): void;
  /** The certificate that is served ends at this moment (milliseconds since the epoch). */
  serves(until: number): void;
}

export function webhookMetrics(metrics: Metrics): WebhookMetrics {
  const reviews = metrics.counter({
    name: "outgrow_webhook_reviews_total",
    help: "Updates of StatefulSets and custom resources that the API server asked about, by what became of them.",
    labels: ["webhook", "outcome"],
  });
  const expiry = metrics.gauge({
    name: "outgrow_webhook_certificate_expiry_seconds",
    help: "When the certificate that the webhook serves with ends, in seconds since the epoch.",
    labels: [],
  });
  return {
    answered: (webhook, outcome) => reviews.inc({ webhook, outcome }),
    serves: (until) => expiry.set({}, until / 1000),
  };
}

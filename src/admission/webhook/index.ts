/** The webhook server, and what a cluster must be told of it: see docs/how-a-wish-gets-in.md. */
export {
  behindService,
  type ClientConfig,
  type HookRule,
  type NamedRule,
  WEBHOOK_NAME,
  WEBHOOK_PORT,
  WEBHOOK_RULES,
  WEBHOOK_SECRET_RULES,
  webhookConfigurations,
} from "./install.ts";
export type { AdmissionRequest } from "./review.ts";
export { type ResourceJudge, startWebhook, type Webhook, type WebhookOptions } from "./start-webhook.ts";

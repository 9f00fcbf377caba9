/** How sizes that people write get in on older clusters: the API server asks the controller's pods. */
import {
  behindService,
  WEBHOOK_NAME,
  WEBHOOK_RULES,
  WEBHOOK_SECRET_RULES,
  webhookConfigurations,
} from "../../admission/webhook/install.ts";
import { binding, role } from "./access.ts";
import { among } from "./admission.ts";
import type { InstallOptions } from "./options.ts";
import { type Explained, type Manifest, named, POD_LABELS } from "./part.ts";

const WHY: Readonly<Record<string, string>> = {
  MutatingWebhookConfiguration:
    "A size that somebody writes into a StatefulSet's template becomes a wish; the template stays as it is.",
  ValidatingWebhookConfiguration: "A wish that nobody could fulfil is refused at once, in words.",
};

interface Configuration extends Manifest {
  readonly webhooks: readonly object[];
}

export function webhook({ namespace, watched }: InstallOptions): readonly Explained[] {
  const configurations = webhookConfigurations(behindService(namespace)) as readonly Configuration[];
  return [
    {
      why: "Every replica answers the API server.",
      object: {
        apiVersion: "v1",
        kind: "Service",
        metadata: named(WEBHOOK_NAME, namespace),
        spec: {
          selector: { ...POD_LABELS },
          ports: [{ name: "webhook", port: 443, targetPort: "webhook", protocol: "TCP" }],
        },
      },
    },
    {
      why: "The controller tells the API server whom to trust: in these two configurations, and in no others.",
      object: role("ClusterRole", WEBHOOK_NAME, WEBHOOK_RULES),
    },
    { why: "In the whole cluster.", object: binding("ClusterRole", WEBHOOK_NAME, namespace) },
    {
      why: "It keeps the certificates that it makes in one Secret, and sees no other.",
      object: role("Role", WEBHOOK_NAME, WEBHOOK_SECRET_RULES, namespace),
    },
    { why: "In its own namespace.", object: binding("Role", WEBHOOK_NAME, namespace) },
    ...configurations.map((object) => ({ why: WHY[object.kind] ?? "", object: within(object, watched) })),
  ];
}

/** Nothing is let in where nobody would act on it. */
function within(configuration: Configuration, watched: readonly string[]): Configuration {
  if (watched.length === 0) return configuration;
  const namespaceSelector = among(watched);
  return { ...configuration, webhooks: configuration.webhooks.map((each) => ({ ...each, namespaceSelector })) };
}

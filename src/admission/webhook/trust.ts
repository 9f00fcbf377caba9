/** Telling the API server whom to trust: the authority goes into both webhook configurations, whatever else is in them. */
import type { KubeObject } from "../../core/types.ts";
import { defineResource, isConflict, isNotFound, type KubeClient, type Resource } from "../../kube/index.ts";
import { WEBHOOK_NAME } from "./install.ts";

interface WebhookConfiguration extends KubeObject {
  webhooks?: { clientConfig?: { caBundle?: string } }[];
}

const CONFIGURATIONS: readonly Resource<WebhookConfiguration>[] = ["Mutating", "Validating"].map((kind) =>
  defineResource<WebhookConfiguration>(
    "admissionregistration.k8s.io/v1",
    `${kind}WebhookConfiguration`,
    `${kind.toLowerCase()}webhookconfigurations`,
    "Cluster",
  ),
);

/**
 * Sees to it that both configurations trust this authority (PEM). One that is not there is nobody's fault: the webhook
 * is not installed, or not yet. Gives back whether both are there.
 */
export async function spreadTrust(
  client: Pick<KubeClient, "get" | "patch">,
  ca: string,
  signal: AbortSignal,
): Promise<boolean> {
  const found = await Promise.all(CONFIGURATIONS.map((resource) => trustIn(client, resource, ca, signal)));
  return found.every(Boolean);
}

async function trustIn(
  client: Pick<KubeClient, "get" | "patch">,
  resource: Resource<WebhookConfiguration>,
  ca: string,
  signal: AbortSignal,
): Promise<boolean> {
  const caBundle = Buffer.from(ca).toString("base64");
  for (;;) {
    try {
      const { metadata, webhooks = [] } = await client.get(resource, { name: WEBHOOK_NAME }, {}, signal);
      const untold = [...webhooks.keys()].filter((index) => webhooks[index]?.clientConfig?.caBundle !== caBundle);
      if (untold.length === 0) return true;
      const body = [
        // Places in the list are only good for the object that was read.
        { op: "replace", path: "/metadata/resourceVersion", value: metadata.resourceVersion } as const,
        ...untold.map(
          (index) => ({ op: "add", path: `/webhooks/${index}/clientConfig/caBundle`, value: caBundle }) as const,
        ),
      ];
      await client.patch(
        resource,
        { name: WEBHOOK_NAME },
        { type: "json", body },
        { fieldManager: WEBHOOK_NAME },
        signal,
      );
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      if (!isConflict(error)) throw error;
    }
  }
}

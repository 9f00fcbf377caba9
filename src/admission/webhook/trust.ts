/**
 * Telling the API server whom to trust: the authority goes into both webhook configurations, whatever else is in them. And which
 * custom resources to ask about: that changes while we run, so it is not in what is installed.
 */
import { semanticallyEqual } from "../../core/semantic-equal.ts";
import type { KubeObject } from "../../core/types.ts";
import {
  defineResource,
  isConflict,
  isNotFound,
  type JsonPatchOperation,
  type KubeClient,
  type Resource,
} from "../../kube/index.ts";
import { type HookRule, RESOURCES_HOOK, resourcesHook, WEBHOOK_NAME } from "./install.ts";

interface WebhookConfiguration extends KubeObject {
  webhooks?: {
    name?: string;
    clientConfig?: Readonly<Record<string, unknown>> & { caBundle?: string };
    rules?: readonly unknown[];
  }[];
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
 * Sees to it that both configurations trust this authority (PEM), and that the validating one has these rules for custom resources;
 * undefined: whatever it has is right. One that is not there is nobody's fault: the webhook is not installed, or not yet. Gives
 * back whether both are there.
 */
export async function spreadTrust(
  client: Pick<KubeClient, "get" | "patch">,
  ca: string,
  rules: readonly HookRule[] | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const found = await Promise.all(
    CONFIGURATIONS.map((resource) =>
      trustIn(client, resource, ca, resource.kind.startsWith("Validating") ? rules : undefined, signal),
    ),
  );
  return found.every(Boolean);
}

async function trustIn(
  client: Pick<KubeClient, "get" | "patch">,
  resource: Resource<WebhookConfiguration>,
  ca: string,
  rules: readonly HookRule[] | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const caBundle = Buffer.from(ca).toString("base64");
  for (;;) {
    try {
      const { metadata, webhooks = [] } = await client.get(resource, { name: WEBHOOK_NAME }, {}, signal);
      const untold = [...webhooks.keys()].filter((index) => webhooks[index]?.clientConfig?.caBundle !== caBundle);
      const changes = rules === undefined ? [] : rulesIn(webhooks, rules, caBundle);
      if (untold.length === 0 && changes.length === 0) return true;
      const body = [
        // Places in the list are only good for the object that was read.
        { op: "replace", path: "/metadata/resourceVersion", value: metadata.resourceVersion } as const,
        ...untold.map(
          (index) => ({ op: "add", path: `/webhooks/${index}/clientConfig/caBundle`, value: caBundle }) as const,
        ),
        ...changes,
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

/** What brings the entry for custom resources to these rules: it comes with the first, and goes with the last. */
function rulesIn(
  webhooks: NonNullable<WebhookConfiguration["webhooks"]>,
  rules: readonly HookRule[],
  caBundle: string,
): readonly JsonPatchOperation[] {
  const index = webhooks.findIndex(({ name }) => name === RESOURCES_HOOK);
  const beside = webhooks.find(({ name }) => name !== RESOURCES_HOOK)?.clientConfig;
  if (index >= 0) {
    if (rules.length === 0) return [{ op: "remove", path: `/webhooks/${index}` }];
    const isSame = semanticallyEqual(webhooks[index]?.rules, rules);
    return isSame ? [] : [{ op: "replace", path: `/webhooks/${index}/rules`, value: rules }];
  }
  if (rules.length === 0 || beside === undefined) return [];
  return [{ op: "add", path: "/webhooks/-", value: resourcesHook({ ...beside, caBundle }, rules) }];
}

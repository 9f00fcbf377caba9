/** What a cluster must be told so that it asks the webhook: plain data, for manifests. The webhook itself adds whom to trust. */
import { WISH_ANNOTATION } from "../../core/names.ts";
import {
  brings,
  type MatchCondition,
  NOT_OWNED,
  NOT_THE_CONTROLLER,
  STATEFUL_SET_UPDATES,
  TEMPLATES_DIFFER,
} from "../policies/policy.ts";

/** The one name of both configurations, of the Service in front of the webhook, and of the Secret with its certificates. */
export const WEBHOOK_NAME = "outgrow-webhook";
/** Where the webhook listens, in the pod. */
export const WEBHOOK_PORT = 8443;
export const MUTATE_PATH = "/mutate";
export const VALIDATE_PATH = "/validate";
export const RESOURCES_PATH = "/validate-resources";

/** The webhook for custom resources; which kinds it is asked about is known to the webhook itself, and changes. */
export const RESOURCES_HOOK = "check-resources.outgrow.dev";

/** Which requests a webhook is asked about, as configurations have it. */
export interface HookRule {
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly operations: readonly string[];
  readonly resources: readonly string[];
  readonly scope: string;
}

/** Seconds that a request waits for the webhook at most; then it goes on as if there were none. */
const TIMEOUT = 3;

const LABELS = { "app.kubernetes.io/part-of": "outgrow" };

/** A rule of a Role or ClusterRole; `resourceNames` limits it to objects of these names. */
export interface NamedRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** What the webhook may do in the whole cluster, beyond growing: a ClusterRole. */
export const WEBHOOK_RULES: readonly NamedRule[] = [
  // Whom the API server trusts stands in the configurations.
  {
    apiGroups: ["admissionregistration.k8s.io"],
    resources: ["mutatingwebhookconfigurations", "validatingwebhookconfigurations"],
    resourceNames: [WEBHOOK_NAME],
    verbs: ["get", "patch"],
  },
  // Whether a class allows expansion.
  { apiGroups: ["storage.k8s.io"], resources: ["storageclasses"], verbs: ["list", "watch"] },
];

/** In its own namespace: a Role. All replicas serve with the certificate in one Secret. */
export const WEBHOOK_SECRET_RULES: readonly NamedRule[] = [
  { apiGroups: [""], resources: ["secrets"], verbs: ["create"] },
  { apiGroups: [""], resources: ["secrets"], resourceNames: [WEBHOOK_NAME], verbs: ["get", "update"] },
];

/** How the API server reaches the webhook. */
export type ClientConfig =
  | { readonly service: { readonly namespace: string; readonly name: string; readonly port: number } }
  | { readonly url: string };

/** Where the webhook is reached when it runs behind a Service in this namespace. */
export function behindService(namespace: string): ClientConfig {
  return { service: { namespace, name: WEBHOOK_NAME, port: 443 } };
}

/**
 * Both configurations. A webhook that does not answer is ignored: an edit of the templates then meets Kubernetes' own
 * answer. Updates that neither touch the templates nor bring a wish are not sent to it at all (Kubernetes 1.28 and later;
 * older servers ask about every update of a StatefulSet, and are told at once to go on).
 */
export function webhookConfigurations(client: ClientConfig): readonly object[] {
  const bringsWish = { name: "brings-a-wish", expression: brings(WISH_ANNOTATION) };
  return [
    configuration("Mutating", MUTATE_PATH, client, [NOT_OWNED, TEMPLATES_DIFFER], { reinvocationPolicy: "IfNeeded" }),
    configuration("Validating", VALIDATE_PATH, client, [bringsWish]),
  ];
}

/** What every webhook of ours is: in nobody's way. */
const COMMON = {
  matchPolicy: STATEFUL_SET_UPDATES.matchPolicy,
  admissionReviewVersions: ["v1"],
  sideEffects: "None",
  failurePolicy: "Ignore",
  timeoutSeconds: TIMEOUT,
};

/** The entry for custom resources, beside one that says how the webhook is reached. */
export function resourcesHook(beside: Readonly<Record<string, unknown>>, rules: readonly HookRule[]): object {
  const { service, url, ...rest } = beside as { service?: object; url?: string };
  const where =
    url === undefined
      ? { service: { ...service, path: RESOURCES_PATH } }
      : { url: new URL(RESOURCES_PATH, url).toString() };
  return { name: RESOURCES_HOOK, clientConfig: { ...rest, ...where }, rules, ...COMMON };
}

function configuration(
  kind: "Mutating" | "Validating",
  path: string,
  client: ClientConfig,
  concernsUs: readonly MatchCondition[],
  more: Readonly<Record<string, unknown>> = {},
): object {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: `${kind}WebhookConfiguration`,
    metadata: { name: WEBHOOK_NAME, labels: LABELS },
    webhooks: [
      {
        name: `${kind === "Mutating" ? "take-wish" : "check-wish"}.outgrow.dev`,
        clientConfig: "url" in client ? { url: `${client.url}${path}` } : { service: { ...client.service, path } },
        rules: STATEFUL_SET_UPDATES.resourceRules,
        matchConditions: [NOT_THE_CONTROLLER, ...concernsUs],
        ...COMMON,
        ...more,
      },
    ],
  };
}

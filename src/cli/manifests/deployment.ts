/** The controller's pods, under the "restricted" pod security standard, and what keeps one of them alive. */
import { WEBHOOK_PORT } from "../../admission/webhook/install.ts";
import type { InstallOptions } from "./options.ts";
import { type Explained, NAME, named, POD_LABELS } from "./part.ts";

/** Metrics and health. */
export const HTTP_PORT = 8080;

/** The user that the image is made for: Containerfile. */
export const USER = 65_532;

/** For some thousand claims. Only memory has a limit: one on the processor would just make it slow. */
export const RESOURCES = {
  requests: { cpu: "20m", memory: "128Mi" },
  limits: { memory: "512Mi" },
} as const;

export const REPLICAS = 2;

export function controllerPods(options: InstallOptions): readonly Explained[] {
  const { namespace } = options;
  const selector = { matchLabels: { ...POD_LABELS } };
  const metadata = named(NAME, namespace);
  return [
    {
      why: "Two replicas: one works, the other goes on within seconds when it ends.",
      object: {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata,
        spec: {
          replicas: REPLICAS,
          selector,
          template: { metadata: { labels: { ...metadata.labels, ...POD_LABELS } }, spec: podSpec(options) },
        },
      },
    },
    {
      why: "Nodes are drained one at a time.",
      object: {
        apiVersion: "policy/v1",
        kind: "PodDisruptionBudget",
        metadata,
        spec: { maxUnavailable: 1, selector },
      },
    },
  ];
}

function podSpec(options: InstallOptions): object {
  const spread = (topologyKey: string) => ({
    topologyKey,
    maxSkew: 1,
    whenUnsatisfiable: "ScheduleAnyway",
    labelSelector: { matchLabels: { ...POD_LABELS } },
  });
  return {
    serviceAccountName: NAME,
    automountServiceAccountToken: true,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: USER,
      runAsGroup: USER,
      seccompProfile: { type: "RuntimeDefault" },
    },
    topologySpreadConstraints: [spread("kubernetes.io/hostname"), spread("topology.kubernetes.io/zone")],
    containers: [container(options)],
  };
}

function container({ image, watched, admission }: InstallOptions): object {
  const webhook = admission === "webhook";
  return {
    name: "controller",
    image,
    command: ["outgrow", "controller"],
    args: [
      "--leader-election",
      `--http-endpoint=:${HTTP_PORT}`,
      ...(webhook ? [`--webhook-port=${WEBHOOK_PORT}`] : []),
      ...watched.map((namespace) => `--namespace=${namespace}`),
    ],
    // Where the lease is.
    env: [{ name: "POD_NAMESPACE", valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } } }],
    ports: [
      { name: "http", containerPort: HTTP_PORT },
      ...(webhook ? [{ name: "webhook", containerPort: WEBHOOK_PORT }] : []),
    ],
    livenessProbe: {
      httpGet: { path: "/healthz/leader-election", port: "http" },
      periodSeconds: 20,
      timeoutSeconds: 10,
    },
    readinessProbe: { httpGet: { path: "/healthz", port: "http" } },
    resources: RESOURCES,
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    },
  };
}

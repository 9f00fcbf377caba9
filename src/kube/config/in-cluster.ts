/** The configuration of a pod: the service account that Kubernetes mounts into it. */
import path from "node:path";
import { KubeError } from "../kube-error.ts";
import { systemTimers, type Timers } from "../timers.ts";
import type { ClusterConfig } from "./cluster-config.ts";
import { fileCredentials, readOrExplain } from "./credentials.ts";

const SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";

export interface InClusterOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the service account is mounted. @default /var/run/secrets/kubernetes.io/serviceaccount */
  readonly directory?: string;
  readonly timers?: Timers;
}

/** Whether this process runs in a pod that may talk to its API server. */
export function isInCluster(env: InClusterOptions["env"]): boolean {
  return Boolean(env["KUBERNETES_SERVICE_HOST"]) && Boolean(env["KUBERNETES_SERVICE_PORT"]);
}

/** The token is read again once a minute, because it is rotated. Throws `ConfigInvalid` outside of a pod. */
export async function inClusterConfig(options: InClusterOptions): Promise<ClusterConfig> {
  const { env, directory = SERVICE_ACCOUNT, timers = systemTimers } = options;
  if (!isInCluster(env)) {
    throw new KubeError(
      "ConfigInvalid",
      "KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set: not running in a pod; name a kubeconfig",
    );
  }
  const host = env["KUBERNETES_SERVICE_HOST"] ?? "";
  const ca = await readOrExplain(path.join(directory, "ca.crt"));
  const tokenFile = path.join(directory, "token");
  const credentials = fileCredentials({ tokenFile }, { authorization: undefined, certificate: undefined }, timers);
  await credentials.current();
  return {
    server: `https://${host.includes(":") ? `[${host}]` : host}:${env["KUBERNETES_SERVICE_PORT"]}`,
    namespace: env["POD_NAMESPACE"] || (await ownNamespace(directory)),
    tls: { ca, serverName: undefined, insecure: false },
    proxyUrl: undefined,
    credentials,
    headers: {},
  };
}

async function ownNamespace(directory: string): Promise<string> {
  try {
    return (await readOrExplain(path.join(directory, "namespace"))).toString("utf8").trim() || "default";
  } catch {
    // The file is optional: a token may be projected without it.
    return "default";
  }
}

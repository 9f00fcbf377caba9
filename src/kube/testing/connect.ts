/** A client for a server that a test has started. */
import { createClient, type KubeClient } from "../client/client.ts";
import type { ClusterConfig } from "../config/cluster-config.ts";
import { fixedCredentials } from "../config/credentials.ts";
import { createTransport, type TransportOptions } from "../transport/transport.ts";

export function configFor(server: string, more: Partial<ClusterConfig> = {}): ClusterConfig {
  return {
    server,
    namespace: "default",
    tls: { ca: undefined, serverName: undefined, insecure: false },
    proxyUrl: undefined,
    credentials: fixedCredentials(),
    headers: {},
    ...more,
  };
}

export function connect(server: string, options: TransportOptions = {}): KubeClient {
  return createClient(createTransport(configFor(server), options));
}

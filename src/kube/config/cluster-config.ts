/** Everything that is needed to reach one API server, whatever it was read from. */
import type { Connection } from "../transport/connection.ts";
import type { Credentials } from "./credentials.ts";

export interface ClusterConfig {
  /** The server's address, without a slash at the end; may have a path (`https://rancher/k8s/clusters/c-1`). */
  readonly server: string;
  /** The namespace for those who name none: the context's, the pod's own, or `default`. */
  readonly namespace: string;
  readonly tls: TlsSettings;
  /** `http://`, `https://` or `socks5://`; none: a direct connection. */
  readonly proxyUrl: string | undefined;
  /** Opens a way of its own to a server that is in this very process. Nothing goes over the network then. */
  readonly connect?: () => Connection;
  readonly credentials: Credentials;
  /** Sent with every request, whoever we are: impersonation. */
  readonly headers: Readonly<Record<string, string | string[]>>;
}

export interface TlsSettings {
  /** PEM; none: the authorities that the system trusts. */
  readonly ca: Buffer | undefined;
  /** The name that the server's certificate must have, where it is not the host of its address. */
  readonly serverName: string | undefined;
  /** Take any certificate. */
  readonly insecure: boolean;
}

/** Everything that is needed to reach one API server, whatever it was read from. */
import type { Credentials } from "./credentials.ts";

export interface ClusterConfig {
  /** The server's address, without a slash at the end; may have a path (`https://rancher/k8s/clusters/c-1`). */
  readonly server: string;
  /** The namespace for those who name none: the context's, the pod's own, or `default`. */
  readonly namespace: string;
  readonly tls: TlsSettings;
  /** `http://`, `https://` or `socks5://`; none: a direct connection. */
  readonly proxyUrl: string | undefined;
  /** A socket in the file system at which the server is to be met instead, in the clear: the system says who may. */
  readonly socketPath?: string;
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

/**
 * The connections to one API server: a pool for requests, and another for watches. Watches live for minutes and may be
 * silent all that time, so theirs has no limit between two pieces of a body, and TCP keep-alive to notice a dead peer.
 */
import { Agent, type Dispatcher, ProxyAgent, Socks5ProxyAgent } from "undici";
import type { ClusterConfig } from "../config/cluster-config.ts";
import type { Certificate, Credential } from "../config/credentials.ts";
import { KubeError } from "../kube-error.ts";

export interface Pools {
  /**
   * The pools for this credential: a new client certificate gets new connections, the old ones end when idle. Throws
   * `Unreachable` after `destroy`.
   */
  for(credential: Credential): PoolPair;
  /** Cuts every connection. May be called twice. */
  destroy(): Promise<void>;
}

export interface PoolPair {
  readonly requests: Dispatcher;
  readonly watches: Dispatcher;
}

/** How long a server may take to begin its answer; kube-apiserver itself gives up after 60 seconds. */
const ANSWER_TIMEOUT = 65_000;
/** Shorter than the 90 seconds after which kube-apiserver closes idle connections, and longer than a lease's renewal. */
const IDLE_TIMEOUT = 55_000;
const KEEP_ALIVE_DELAY = 30_000;

export function createPools(config: ClusterConfig, connections: number): Pools {
  const open = new Set<Dispatcher>();
  let current: { certificate: Certificate | undefined; pair: PoolPair } | undefined;
  let destroying: Promise<unknown> | undefined;

  function create(certificate: Certificate | undefined): PoolPair {
    const requests = createPool(config, certificate, { connections, bodyTimeout: ANSWER_TIMEOUT });
    const watches = createPool(config, certificate, { connections: null, bodyTimeout: 0 });
    open.add(requests).add(watches);
    return { requests, watches };
  }

  return {
    for({ certificate }) {
      if (destroying !== undefined) throw new KubeError("Unreachable", `the client of ${config.server} was closed`);
      if (current !== undefined && sameCertificate(current.certificate, certificate)) return current.pair;
      const former = current?.pair;
      current = { certificate, pair: create(certificate) };
      for (const pool of former === undefined ? [] : [former.requests, former.watches]) {
        // Requests and watches that are under way may finish.
        void pool
          .close()
          .catch(() => {})
          .finally(() => open.delete(pool));
      }
      return current.pair;
    },
    async destroy() {
      destroying ??= Promise.all([...open].map((pool) => pool.destroy()));
      await destroying;
    },
  };
}

function createPool(
  config: ClusterConfig,
  certificate: Certificate | undefined,
  limits: { connections: number | null; bodyTimeout: number },
): Dispatcher {
  const { ca, serverName, insecure } = config.tls;
  const tls = {
    ...(ca === undefined ? {} : { ca }),
    ...(serverName === undefined ? {} : { servername: serverName }),
    ...certificate,
    rejectUnauthorized: !insecure,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_DELAY,
    // One stalled stream must not hold up others, and watches are easier to reason about on a connection each.
    allowH2: false,
  };
  const options = {
    ...limits,
    headersTimeout: ANSWER_TIMEOUT,
    keepAliveTimeout: IDLE_TIMEOUT,
    keepAliveMaxTimeout: IDLE_TIMEOUT,
    allowH2: false,
  };
  if (config.proxyUrl === undefined) return new Agent({ ...options, connect: tls });
  if (config.proxyUrl.startsWith("socks5"))
    return new Socks5ProxyAgent(config.proxyUrl, { ...options, requestTls: tls });
  return new ProxyAgent({ ...options, uri: config.proxyUrl, requestTls: tls });
}

function sameCertificate(a: Certificate | undefined, b: Certificate | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.cert.equals(b.cert) && a.key.equals(b.key));
}

/** The embedded cluster as one thing that is started and stopped: store, credentials, API, listener, and life. */
import { randomInt, randomUUID } from "node:crypto";
import { join } from "node:path";
import { Registry } from "@prometheus-io/client";
import type { Gates } from "../core/gates.ts";
import type { ClusterConfig } from "../kube/config/cluster-config.ts";
import { fixedCredentials } from "../kube/config/credentials.ts";
import type { Logger } from "../kube/logger.ts";
import { prometheusMetrics } from "../kube/prometheus-metrics.ts";
import { systemTimers } from "../kube/timers.ts";
import type { Connection } from "../kube/transport/connection.ts";
import { signingKeyOf } from "./api/auth/jwt.ts";
import { createApi } from "./api/index.ts";
import type { ControllerName } from "./controllers/names.ts";
import type { ImportReport } from "./import/index.ts";
import {
  ensureCertificates,
  ensureCredentials,
  mergeKubeconfig,
  openDataFolder,
  startListener,
  writeKubeconfig,
} from "./serving/index.ts";
import { openSocketFolder } from "./socket-folder.ts";
import type { LifeOptions } from "./start-life.ts";
import { type HistoryLimits, openSqliteStore } from "./store/index.ts";

export interface ClusterOptions {
  /** Where everything is kept; made when it is not there. */
  readonly folder: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly gates: Gates;
  readonly logger: Logger;
  /** Written when the cluster is ready, beside the one in the folder. */
  readonly kubeconfig?: string;
  /** A kubeconfig that gets our entries. */
  readonly mergeInto?: string;
  /** How much history is kept for watches; what is left out has the store's default. */
  readonly history?: Partial<HistoryLimits>;
  /** What brings it to life; without it, it is an API and nothing else. */
  readonly life?: Pick<LifeOptions, "driver" | "sample" | "dump" | "without">;
}

export interface Cluster {
  readonly url: string;
  /** Path of the kubeconfig of the administrator. */
  readonly kubeconfig: string;
  /** What became of the dump that it was to begin with; undefined when there was none. */
  readonly imported: ImportReport | undefined;
  /** Ends one of its controllers and starts it anew; without life there is none. */
  restart(name: ControllerName): Promise<void>;
  /** Gives back everything but the folder. May be called twice. */
  stop(): Promise<void>;
}

/** How long requests under way have when the cluster stops, in milliseconds. */
const GRACE_MS = 1_000;

/** Resolves when the API answers. Rejects with an `OutgrowError` that names what is in the way; nothing is left running then. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { port, gates, logger } = options;
  await using cleanup = new AsyncDisposableStack();
  const folder = openDataFolder(options.folder);
  // First of all: its lock says whose folder this is.
  const store = cleanup.adopt(openSqliteStore(folder.store, { limits: options.history ?? {} }), (each) => each.close());
  const { adminToken, serviceAccountKey } = ensureCredentials(folder);
  const signingKey = signingKeyOf(serviceAccountKey);
  const tls = ensureCertificates(folder, systemTimers.now());
  const registry = new Registry();
  const metrics = prometheusMetrics(registry);
  let slowReader = (): void => {};
  const api = cleanup.adopt(
    createApi({
      store,
      gates,
      logger,
      metrics,
      registry,
      clock: systemTimers,
      chance: { uid: randomUUID, below: (limit) => randomInt(limit) },
      adminToken,
      signingKey,
      tellsPolicies: options.life !== undefined,
      onSlowReader: () => slowReader(),
    }),
    (each) => each.stop(),
  );
  const { handle, handleStream } = api;
  const serving = { tls, port, handle, handleStream, onStop: () => api.endWatches(), metrics, logger };
  const listener = cleanup.adopt(await startListener(serving), (each) => each.stop(GRACE_MS));
  slowReader = listener.onSlowReader;
  await api.begin(listener.port);
  const access = { server: listener.url, ca: tls.ca, token: adminToken };
  writeKubeconfig(folder.kubeconfig, access);
  let restart: Cluster["restart"] = () => Promise.resolve();
  let imported: ImportReport | undefined;
  if (options.life !== undefined) {
    // An API alone does not load what brings it to life.
    const { startLife } = await import("./start-life.ts");
    const volumes = join(folder.path, "volumes");
    const sockets = cleanup.adopt(await openSocketFolder(volumes), (each) => each.remove());
    const config = insideConfig(listener.url, () => api.connect(), adminToken);
    const common = { config, folder: volumes, sockets: sockets.path, ca: tls.ca, signingKey, gates, logger, metrics };
    const started = cleanup.adopt(await startLife({ ...options.life, ...common }), (each) => each.stop());
    restart = (name) => started.restart(name);
    ({ imported } = started);
  }
  if (options.mergeInto !== undefined) mergeKubeconfig(options.mergeInto, access, { makeCurrent: true });
  if (options.kubeconfig !== undefined) writeKubeconfig(options.kubeconfig, access);
  const owned = cleanup.move();
  return { url: listener.url, kubeconfig: folder.kubeconfig, imported, restart, stop: () => owned.disposeAsync() };
}

/** The administrator of this cluster, from inside. */
function insideConfig(server: string, connect: () => Connection, token: string): ClusterConfig {
  return {
    server,
    connect,
    namespace: "default",
    tls: { ca: undefined, serverName: undefined, insecure: false },
    proxyUrl: undefined,
    credentials: fixedCredentials({ authorization: `Bearer ${token}` }),
    headers: {},
  };
}

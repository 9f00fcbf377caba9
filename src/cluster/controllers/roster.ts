/** Who works in the embedded cluster. */

import type { Gates } from "../../core/gates.ts";
import { type ClusterConfig, type KubeClient, type Logger, type Metrics, systemTimers } from "../../kube/index.ts";
import { readOptions } from "../../resize/sidecar/options.ts";
import { runSidecar } from "../../resize/sidecar/sidecar.ts";
import { startSources } from "../../source/index.ts";
import { startGrowth } from "../../statefulset/index.ts";
import {
  startDisruptionController,
  startEndpointController,
  startGarbageCollector,
  startNamespaceController,
  startQuotaController,
  startRootCertificatePublisher,
  startServiceAccountController,
  startTokenController,
  type TokenControllerOptions,
} from "./housekeeping/index.ts";
import { CONTROLLERS, type ControllerName, VOLUME_PARTS, type VolumePart } from "./names.ts";
import { type NodeDriver, startNode, thisMachine } from "./node/index.ts";
import { startScheduler } from "./scheduler/index.ts";
import { TELL_MS } from "./shared/run-controller.ts";
import { startStatefulSetController } from "./statefulset/index.ts";
import { startVolumes } from "./volumes/index.ts";
import { createView } from "./volumes/shared/view.ts";

export interface RosterOptions {
  readonly client: KubeClient;
  /** Of the same cluster: for programs that make their own connections. */
  readonly config: ClusterConfig;
  /** Where the node keeps what it has mounted. */
  readonly folder: string;
  readonly nodeName: string;
  /** Of the cluster, as the node tells it: `v1.36.3+outgrow`. */
  readonly version: string;
  readonly drivers: readonly NodeDriver[];
  /** Certificate of the authority that vouches for the API server, in PEM. */
  readonly ca: string;
  /** Signs the tokens of service accounts. */
  readonly signingKey: TokenControllerOptions["key"];
  readonly gates: Gates;
  /** Who is left out. */
  readonly without: ReadonlySet<ControllerName>;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface Roster {
  /** Ends one of them and starts it anew, with nothing that it remembers. One that was left out stays out. */
  restart(name: ControllerName): Promise<void>;
  /** Ends them all. May be called twice. */
  stop(): Promise<void>;
}

interface Stoppable {
  stop(): Promise<void>;
}

/** Starts them; each finds out by itself when the others are there. */
export async function startRoster(options: RosterOptions): Promise<Roster> {
  const { client, logger, metrics, without } = options;
  const view = createView({ client, timers: systemTimers, logger, metrics });
  const begin = beginnings(options, view);
  const atWork = new Map<ControllerName, readonly Stoppable[]>();
  const start = async (name: ControllerName): Promise<void> => {
    if (!without.has(name)) atWork.set(name, await begin[name]());
  };
  const end = async (name: ControllerName): Promise<void> => {
    await Promise.all((atWork.get(name) ?? []).map((each) => each.stop()));
  };
  const stop = async (): Promise<void> => {
    await Promise.all(CONTROLLERS.map(end));
    await view.stop();
  };
  try {
    for (const name of CONTROLLERS) await start(name);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    async restart(name) {
      await end(name);
      await start(name);
    },
    stop,
  };
}

type Begin = () => readonly Stoppable[] | Promise<readonly Stoppable[]>;

function beginnings(options: RosterOptions, view: ReturnType<typeof createView>): Record<ControllerName, Begin> {
  const { client, drivers, gates, logger, metrics, nodeName: name, folder, version, ca, signingKey: key } = options;
  const shared = { client, logger, metrics };
  const part = (wanted: VolumePart): Begin => {
    const others = new Set(VOLUME_PARTS.filter((each) => each !== wanted));
    return () => [startVolumes({ ...shared, view, drivers, without: others })];
  };
  return {
    statefulset: () => [startStatefulSetController({ ...shared, gates })],
    binder: part("binder"),
    provisioner: part("provisioner"),
    "claim-protection": part("claim-protection"),
    "volume-protection": part("volume-protection"),
    attacher: part("attacher"),
    "garbage-collector": () => [startGarbageCollector(shared)],
    namespace: () => [startNamespaceController(shared)],
    quota: () => [startQuotaController({ ...shared, gates })],
    "service-account": () => [startServiceAccountController(shared)],
    "root-certificate": () => [startRootCertificatePublisher({ ...shared, ca })],
    token: () => [startTokenController({ ...shared, key, ca })],
    disruption: () => [startDisruptionController(shared)],
    endpoint: () => [startEndpointController(shared)],
    scheduler: () => [startScheduler(shared)],
    node: async () => [await startNode({ ...shared, name, machine: thisMachine(version), folder, drivers })],
    resizer: () => drivers.map(({ address }) => startResizer(address, options)),
    growth: () => {
      const growth = startGrowth({ ...shared, gates });
      const sources = startSources({ ...shared, growth, gates });
      // They share its view of the cluster.
      const stop = async (): Promise<void> => {
        await sources.stop();
        await growth.stop();
      };
      return [{ stop }];
    },
  };
}

/** The very program of `outgrow resizer`, with its own connections. */
function startResizer(address: string, { config, gates, logger }: RosterOptions): Stoppable {
  const recovery = `RecoverVolumeExpansionFailure=${gates.RecoverExpansionFailure}`;
  const options = readOptions([`--csi-address=${address}`, `--feature-gates=${recovery}`]);
  const stopping = new AbortController();
  const environment = { env: {}, config, logger, podNamespace: async () => undefined, tellMs: TELL_MS };
  const running = runSidecar(options, environment, stopping.signal).catch((error: unknown) => {
    if (!stopping.signal.aborted) logger.error({ err: error, address }, "the resizer has ended");
  });
  return {
    async stop() {
      stopping.abort(new DOMException("the cluster stops", "AbortError"));
      await running;
    },
  };
}

/** Who works in the embedded cluster, by the names under which each can be left to somebody else. */

import type { Gates } from "../../core/gates.ts";
import type { KubeClient, Logger, Metrics } from "../../kube/index.ts";
import { readOptions } from "../../resize/sidecar/options.ts";
import { runSidecar } from "../../resize/sidecar/sidecar.ts";
import { startGarbageCollector } from "./housekeeping/garbage/controller/controller.ts";
import { type NodeDriver, startNode, thisMachine } from "./node/index.ts";
import { startScheduler } from "./scheduler/index.ts";
import { startStatefulSetController } from "./statefulset/index.ts";
import { startVolumes, VOLUME_PARTS } from "./volumes/index.ts";

export const CONTROLLERS = [
  "statefulset",
  ...VOLUME_PARTS,
  "garbage-collector",
  "scheduler",
  "node",
  "resizer",
] as const;
export type ControllerName = (typeof CONTROLLERS)[number];

export interface RosterOptions {
  readonly client: KubeClient;
  /** Of the same cluster: for programs that are started as they are elsewhere. */
  readonly kubeconfig: string;
  /** Where the node keeps what it has mounted. */
  readonly folder: string;
  readonly nodeName: string;
  /** Of the cluster, as the node tells it: `v1.36.3+outgrow`. */
  readonly version: string;
  readonly drivers: readonly NodeDriver[];
  readonly gates: Gates;
  /** Who is left out. */
  readonly without: ReadonlySet<ControllerName>;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface Roster {
  /** Ends them all. May be called twice. */
  stop(): Promise<void>;
}

/** Starts them; each finds out by itself when the others are there. */
export async function startRoster(options: RosterOptions): Promise<Roster> {
  const { client, without, drivers, gates, logger, metrics, nodeName: name, folder, version } = options;
  const shared = { client, logger, metrics };
  const begun: { stop(): Promise<void> }[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(begun.map((each) => each.stop()));
  };
  const start = (who: ControllerName, begin: () => { stop(): Promise<void> }): void => {
    if (!without.has(who)) begun.push(begin());
  };
  try {
    if (!without.has("node")) {
      begun.push(await startNode({ ...shared, name, machine: thisMachine(version), folder, drivers }));
    }
    for (const { address } of drivers) start("resizer", () => startResizer(address, options));
    const parts = VOLUME_PARTS.filter((part) => without.has(part));
    begun.push(startVolumes({ ...shared, drivers, without: new Set(parts) }));
    start("garbage-collector", () => startGarbageCollector(shared));
    start("scheduler", () => startScheduler(shared));
    start("statefulset", () => startStatefulSetController({ ...shared, gates }));
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}

/** The very program of `outgrow resizer`, with its own connections. */
function startResizer(address: string, { kubeconfig, gates, logger }: RosterOptions): { stop(): Promise<void> } {
  const recovery = `RecoverVolumeExpansionFailure=${gates.RecoverExpansionFailure}`;
  const options = readOptions([
    `--csi-address=${address}`,
    `--kubeconfig=${kubeconfig}`,
    `--feature-gates=${recovery}`,
  ]);
  const stopping = new AbortController();
  const running = runSidecar(options, { env: {}, logger, podNamespace: async () => undefined }, stopping.signal).catch(
    (error: unknown) => {
      if (!stopping.signal.aborted) logger.error({ err: error, address }, "the resizer has ended");
    },
  );
  return {
    async stop() {
      stopping.abort(new DOMException("the cluster stops", "AbortError"));
      await running;
    },
  };
}

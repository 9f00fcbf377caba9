/** A node, put together: registered, its pods cared for, their volumes mounted, grown and measured. */
import { join } from "node:path";
import { type Dialect, TODAY } from "../../../../core/dialect.ts";
import { type CsiClient, openCsiClient } from "../../../../csi/index.ts";
import {
  type KubeClient,
  type Logger,
  type Metrics,
  noMetrics,
  silentLogger,
  startEventRecorder,
  systemTimers,
  type Timers,
} from "../../../../kube/index.ts";
import { csiGrower, type Grower } from "../../../../node/apply/grower.ts";
import { type NodeGrowth, startNodeGrowth } from "../../../../node/controller/controller.ts";
import { TELL_MS } from "../../shared/run-controller.ts";
import { openJournal } from "../apply/journal.ts";
import { createPodVolumes } from "../apply/volumes.ts";
import type { Machine } from "../decide/node-object.ts";
import { startPods } from "./pods.ts";
import { startRegistration } from "./registration.ts";
import { startUsage } from "./usage.ts";

export interface NodeDriver {
  /** As volumes name it in `spec.csi.driver`. */
  readonly name: string;
  /** Its socket. */
  readonly address: string;
  /** For a driver whose volumes hold nothing: says how full one is. */
  readonly setUsage?: (volumeId: string, usedBytes: bigint) => void;
}

export interface NodeOptions {
  readonly client: KubeClient;
  readonly name: string;
  readonly machine: Machine;
  /** Where volumes are staged and published, and what is known of that across restarts. Made when it is not there. */
  readonly folder: string;
  readonly drivers: readonly NodeDriver[];
  readonly dialect?: Dialect;
  /** How many pods are worked on at the same time. @default 10 */
  readonly workers?: number;
  readonly timers?: Timers;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
}

export interface RunningNode {
  /** Resolves when the node is in the API, and ready. */
  readonly ready: Promise<void>;
  /** Has the usage of all volumes measured now. */
  measure(): Promise<void>;
  /**
   * Stops caring for pods. They and their volumes stay as they are, for the next start to find; a node that is to be gone
   * for good is drained before. May be called twice.
   */
  stop(): Promise<void>;
}

/** The kubelet's limit for calls to drivers, in milliseconds. */
const CSI_TIMEOUT = 120_000;

/** Resolves when it has begun; the drivers may come later. Throws `FILE_UNUSABLE` where its folder cannot be read. */
export async function startNode(options: NodeOptions): Promise<RunningNode> {
  const { client, name, machine, folder, dialect = TODAY, workers = 10 } = options;
  const { timers = systemTimers, logger = silentLogger, metrics = noMetrics } = options;
  const journal = await openJournal(join(folder, "published"));
  const drivers = new Map<string, CsiClient>();
  for (const { name: driver, address } of options.drivers) {
    drivers.set(driver, openCsiClient({ address, timeoutMs: CSI_TIMEOUT }));
  }
  const growers = new Map<string, Grower>();
  for (const [driver, csi] of drivers) growers.set(driver, csiGrower(csi, client));

  const shared = { client, timers, logger, metrics };
  const recorder = startEventRecorder({ ...shared, component: "kubelet", host: name });
  const volumes = createPodVolumes({
    client,
    drivers,
    folder,
    journal,
    grow: (mounted, signal) => growth.atMount(mounted, signal),
    release: (claim, work) => growth.release(claim, work),
  });
  const growth: NodeGrowth = startNodeGrowth({
    ...shared,
    nodeName: name,
    growers,
    places: volumes,
    recorder,
    dialect,
  });
  const registration = startRegistration({ ...shared, name, machine, drivers });
  const setUsage = new Map(
    options.drivers.flatMap((driver) =>
      driver.setUsage === undefined ? [] : [[driver.name, driver.setUsage] as const],
    ),
  );
  const usage = startUsage({ ...shared, drivers, setUsage, volumes });
  const pods = startPods({
    ...shared,
    nodeName: name,
    hostIp: machine.address,
    volumes,
    former: [...new Set(Iterator.from(journal.all()).map(({ podUid }) => podUid))],
    onMounted: () => usage.lookSoon(),
    recorder,
    workers,
  });
  return {
    ready: registration.ready,
    measure: () => usage.measure(),
    async stop() {
      await Promise.all([registration.stop(), pods.stop(), growth.stop(), usage.stop()]);
      await recorder.stop(TELL_MS);
      for (const csi of drivers.values()) csi.stop();
    },
  };
}

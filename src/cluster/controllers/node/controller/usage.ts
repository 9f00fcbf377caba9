/**
 * How full each volume is: asked of its driver once a minute, told under the kubelet's names, which is where Prometheus
 * and growth by usage look for it.
 */
import { messageOf } from "../../../../core/errors.ts";
import { Quantity } from "../../../../core/quantity.ts";
import type { PersistentVolumeClaim } from "../../../../core/types.ts";
import type { CsiClient, VolumeStats } from "../../../../csi/index.ts";
import {
  CLAIMS,
  identity,
  type KubeClient,
  keyOf,
  type Logger,
  type Metrics,
  startInformer,
  type Timers,
} from "../../../../kube/index.ts";
import type { Publication } from "../apply/journal.ts";
import type { PodVolumes } from "../apply/volumes.ts";

/** On a claim, for rehearsals: how much of a volume without data is in use, as `7Gi`. */
export const USAGE_ANNOTATION = "outgrow.dev/usage";

export interface UsageOptions {
  readonly client: KubeClient;
  readonly drivers: ReadonlyMap<string, CsiClient>;
  /** For drivers whose volumes hold nothing: says how full one is. By the driver's name. */
  readonly setUsage: ReadonlyMap<string, (volumeId: string, usedBytes: bigint) => void>;
  readonly volumes: Pick<PodVolumes, "published">;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface Usage {
  /** Asks for all volumes now. Never rejects. */
  measure(): Promise<void>;
  /** Volumes were mounted: those that nothing is known of are asked for in a moment. */
  lookSoon(): void;
  /** May be called twice. */
  stop(): Promise<void>;
}

/** The kubelet's period, in milliseconds. */
const PERIOD = 60_000;
/** Many pods start at once: what is new is asked for together, after this many milliseconds. */
const SOON = 500;

/** What is told of each volume: the name in `kubelet_volume_stats_NAME`, and where it comes from. */
const TOLD: readonly (readonly [string, string, (stats: VolumeStats) => bigint | undefined])[] = [
  ["capacity_bytes", "Capacity in bytes of the volume", ({ bytes }) => bytes?.total],
  ["available_bytes", "Number of available bytes in the volume", ({ bytes }) => bytes?.available],
  ["used_bytes", "Number of used bytes in the volume", ({ bytes }) => bytes?.used],
  ["inodes", "Maximum number of inodes in the volume", ({ inodes }) => inodes?.total],
  ["inodes_free", "Number of free inodes in the volume", ({ inodes }) => inodes?.available],
  ["inodes_used", "Number of used inodes in the volume", ({ inodes }) => inodes?.used],
];

/** Begins at once. */
export function startUsage(options: UsageOptions): Usage {
  const { client, drivers, volumes, timers, logger, metrics } = options;
  /** By claim. */
  const known = new Map<string, { stats: VolumeStats; end: () => void }>();
  /** Claims on which somebody has changed what is to be told. */
  const dirty = new Set<string>();
  const stopping = new AbortController();
  let cancelSoon: (() => void) | undefined;
  let cancelNext = (): void => {};
  let measuring: Promise<void> = Promise.resolve();

  const claims = startInformer({ client, timers, logger, metrics, resource: CLAIMS, trim: holdAnnotated });
  const changed = ({ metadata }: PersistentVolumeClaim): void => {
    dirty.add(keyOf(metadata));
    lookSoon();
  };
  claims.addHandler({ added: changed, updated: (_, claim) => changed(claim) });

  function tell({ claim }: Publication, stats: VolumeStats): void {
    const entry = known.get(claim);
    if (entry !== undefined) {
      entry.stats = stats;
      return;
    }
    const [namespace = "", persistentvolumeclaim = ""] = claim.split("/");
    const told = { stats, end: (): void => {} };
    const ends = TOLD.filter(([, , read]) => read(stats) !== undefined).map(([name, help, read]) =>
      metrics.observe(
        { name: `kubelet_volume_stats_${name}`, help, labels: ["namespace", "persistentvolumeclaim"] },
        { namespace, persistentvolumeclaim },
        () => Number(read(told.stats) ?? 0n),
      ),
    );
    told.end = () => ends.forEach((end) => end());
    known.set(claim, told);
  }

  /** Somebody rehearses: what the claim says is what its driver will tell. */
  function rehearse({ claim, driver, volumeHandle }: Publication): void {
    const [namespace = "", name = ""] = claim.split("/");
    const said = claims.get({ namespace, name })?.metadata.annotations?.[USAGE_ANNOTATION];
    const used = said === undefined ? undefined : Quantity.tryParse(said);
    if (used?.atLeast(Quantity.zero) === true) options.setUsage.get(driver)?.(volumeHandle, used.toBytes());
  }

  async function measureOne(publication: Publication): Promise<void> {
    const { claim, driver, volumeHandle: volumeId, volumePath, stagingPath } = publication;
    const csi = drivers.get(driver);
    try {
      if (csi === undefined || !(await csi.nodeCapabilities(stopping.signal)).has("GET_VOLUME_STATS")) return;
      rehearse(publication);
      tell(publication, await csi.nodeGetVolumeStats({ volumeId, volumePath, stagingPath }, stopping.signal));
    } catch (error) {
      logger.debug({ claim, why: messageOf(error) }, "its usage is not known");
    }
  }

  async function round(isDue: (claim: string) => boolean): Promise<void> {
    const mounted = new Map<string, Publication>();
    for (const publication of volumes.published()) mounted.set(publication.claim, publication);
    for (const [claim, publication] of mounted) {
      if (stopping.signal.aborted) return;
      if (isDue(claim)) await measureOne(publication);
    }
    for (const [claim, { end }] of known) {
      if (mounted.has(claim)) continue;
      end();
      known.delete(claim);
    }
  }

  /** One round at a time. */
  function measure(): Promise<void> {
    cancelNext();
    measuring = measuring.then(() => round(() => true));
    if (!stopping.signal.aborted) cancelNext = timers.after(PERIOD, () => void measure());
    return measuring;
  }

  function lookSoon(): void {
    if (stopping.signal.aborted) return;
    cancelSoon ??= timers.after(SOON, () => {
      cancelSoon = undefined;
      const due = new Set(dirty);
      dirty.clear();
      measuring = measuring.then(() => round((claim) => due.has(claim) || !known.has(claim)));
    });
  }
  void measure();

  return {
    measure,
    lookSoon,
    async stop() {
      stopping.abort(new DOMException("the node was stopped", "AbortError"));
      cancelSoon?.();
      cancelNext();
      await claims.stop();
      await measuring;
      for (const { end } of known.values()) end();
      known.clear();
    },
  };
}

/** Only claims that somebody rehearses with, and only that of them. */
function holdAnnotated({ metadata }: PersistentVolumeClaim): PersistentVolumeClaim | undefined {
  const said = metadata.annotations?.[USAGE_ANNOTATION];
  if (said === undefined) return undefined;
  return { metadata: { ...identity(metadata), annotations: { [USAGE_ANNOTATION]: said } }, spec: {} };
}

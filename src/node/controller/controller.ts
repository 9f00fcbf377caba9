/**
 * The node's half of growth, at work on one node: watches the claims, volumes and pods of the node, and has each mounted
 * volume follow the size that the controller half has given it.
 *
 * There is no lease: every node does this for its own mounts, and a shared volume is grown on each of them.
 */
import { readClaim } from "../../core/claim.ts";
import type { Dialect } from "../../core/dialect.ts";
import type { PersistentVolume, PersistentVolumeClaim, Pod } from "../../core/types.ts";
import { isBoundTo, readVolume } from "../../core/volume.ts";
import {
  CLAIMS,
  createWorkQueue,
  type EventRecorder,
  ifThere,
  type KubeClient,
  keyOf,
  type Logger,
  type Metrics,
  noMetrics,
  type Outcome,
  PODS,
  refOfKey,
  runWorkers,
  settledOrAborted,
  silentLogger,
  startInformer,
  systemTimers,
  type Timers,
  VOLUMES,
} from "../../kube/index.ts";
import { createNodeEvents } from "../apply/events.ts";
import type { Grower } from "../apply/grower.ts";
import type { Place, Places } from "../apply/places.ts";
import { type NodeStepResult, runNodeStep } from "../apply/step.ts";
import { whileMounted } from "../apply/while-mounted.ts";
import { createWriter } from "../apply/writes.ts";
import { claimUses } from "../decide/claim-uses.ts";
import { decideNodeStep, type NodeDecision } from "../decide/step.ts";
import { claimKeyOf, claimKeysOf, holdClaim, holdPod, holdVolume } from "./held.ts";
import { createNodeMetrics } from "./metrics.ts";
import { isNews } from "./news.ts";
import { createNotes, type Note } from "./notes.ts";
import { createTurns } from "./turns.ts";

export interface NodeGrowthOptions {
  readonly client: KubeClient;
  /** As pods name it in `spec.nodeName`. */
  readonly nodeName: string;
  /** What grows the volumes of each CSI driver, by its name. Volumes of other drivers are left alone. */
  readonly growers: ReadonlyMap<string, Grower>;
  readonly places: Places;
  readonly recorder: Pick<EventRecorder, "event">;
  readonly dialect: Dialect;
  /** How many claims are worked on at the same time. @default 10 */
  readonly workers?: number;
  /** All claims are looked at again after this many milliseconds. @default 10 minutes */
  readonly resyncPeriod?: number;
  readonly timers?: Timers;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
}

/** What is being mounted: the objects as the API server has them, and where the volume is published. */
export interface MountedVolume {
  readonly pod: Pod;
  readonly claim: PersistentVolumeClaim;
  readonly volume: PersistentVolume;
  readonly place: Place;
}

export interface NodeGrowth {
  /** Resolves when the caches are filled. */
  readonly synced: Promise<void>;
  /**
   * For who mounts volumes: grows one that was just published, if it is behind, before its pod starts. Rejects, with the
   * reason, when the pod has to wait; a volume that cannot be grown as things are does not hold it up.
   */
  atMount(mounted: MountedVolume, signal: AbortSignal): Promise<void>;
  /**
   * For who unmounts volumes: runs the work while nobody grows the claim, `namespace/name`. What was learnt of it while it
   * was mounted is history then.
   */
  release(claim: string, work: () => Promise<void>): Promise<void>;
  /** Begins no new step, and waits for what is under way. May be called twice. */
  stop(): Promise<void>;
}

/** The kubelet's backoff for operations on a volume (upstream pkg/util/goroutinemap/exponentialbackoff). */
const BACKOFF = { backoffBase: 500, backoffMax: 122_000 };
/** A volume that is to be grown and is not mounted yet is looked for again after this many milliseconds. */
const LOOK_AGAIN = 10_000;
/** How long calls under way may still take when all is stopped, in milliseconds. */
const DRAIN = 1_000;

/** Begins at once. */
export function startNodeGrowth(options: NodeGrowthOptions): NodeGrowth {
  const { client, nodeName, growers, places, dialect, workers = 10, resyncPeriod = 600_000 } = options;
  const { timers = systemTimers, logger = silentLogger, metrics = noMetrics } = options;
  const shared = { client, timers, logger, metrics };
  const claims = startInformer({ ...shared, resource: CLAIMS, trim: holdClaim, resyncPeriod });
  const volumes = startInformer({
    ...shared,
    resource: VOLUMES,
    trim: holdVolume((driver) => growers.has(driver)),
    indexes: { claim: claimKeyOf },
  });
  const pods = startInformer({
    ...shared,
    resource: PODS,
    fieldSelector: `spec.nodeName=${nodeName}`,
    trim: holdPod,
    indexes: { claim: claimKeysOf },
  });
  const synced = Promise.all([claims.synced, volumes.synced, pods.synced]).then(() => {});
  synced.catch(() => {});

  const queue = createWorkQueue({ name: "node-growth", ...BACKOFF, timers, metrics });
  const notes = createNotes();
  const turns = createTurns();
  const counted = createNodeMetrics(metrics);
  const events = createNodeEvents(options.recorder, nodeName);
  const writer = createWriter(client, (written, before) => claims.observe(written, before));
  const now = (): number => timers.now();
  const stopping = new AbortController();
  /** Falls when what is under way has had its time. */
  const fence = new AbortController();

  claims.addHandler({
    added: ({ metadata }) => queue.add(keyOf(metadata)),
    updated(before, after, source) {
      const key = keyOf(after.metadata);
      const resync = source === "resync" && queue.failures(key) === 0;
      if (source !== "write" && (resync || isNews(before, after))) queue.add(key);
    },
    deleted: ({ metadata }) => queue.forget(keyOf(metadata)),
  });
  volumes.addHandler({
    added: (volume) => queue.add(claimKeyOf(volume)),
    updated(before, after) {
      const same = readVolume(before).capacity.equals(readVolume(after).capacity);
      if (!same || before.spec.claimRef?.uid !== after.spec.claimRef?.uid) queue.add(claimKeyOf(after));
    },
  });
  pods.addHandler({
    added: (pod) => claimKeysOf(pod).forEach((key) => queue.add(key)),
    updated(before, after) {
      if (before.status?.phase === after.status?.phase) return;
      for (const key of claimKeysOf(after)) if (queue.failures(key) === 0) queue.add(key);
    },
    deleted(pod) {
      // Nobody has it here any more: what was learnt while it was attached is history.
      for (const key of claimKeysOf(pod)) if (pods.byIndex("claim", key).length === 0) notes.forget(key);
    },
  });

  /** The claim, also where it is at rest and not held: its volume may have been made larger by hand. */
  async function claimFor(key: string, volume: PersistentVolume): Promise<PersistentVolumeClaim | undefined> {
    const held = claims.get(refOfKey(key));
    const settled = notes.get(key)?.settledAt?.equals(readVolume(volume).capacity) === true;
    if (held !== undefined || settled) return held;
    return ifThere(client.get(CLAIMS, refOfKey(key), {}, fence.signal));
  }

  /** A pod of this node that has the volume; one that may write to it, if there is one. */
  async function whereIs(
    key: string,
    volume: PersistentVolume,
  ): Promise<Pick<MountedVolume, "pod" | "place"> | undefined> {
    let found: Pick<MountedVolume, "pod" | "place"> | undefined;
    for (const pod of pods.byIndex("claim", key)) {
      for (const use of claimUses(pod)) {
        if (`${pod.metadata.namespace}/${use.claim}` !== key) continue;
        const place = await places.find(pod.metadata.uid ?? "", volume, use.readOnly);
        if (place?.readOnly === false) return { pod, place };
        if (place !== undefined) found = { pod, place };
      }
    }
    return found;
  }

  function reconcile(key: string): Promise<Outcome> {
    return turns.take(key, () => look(key));
  }

  async function look(key: string): Promise<Outcome> {
    const [volume] = volumes.byIndex("claim", key);
    if (volume === undefined || pods.byIndex("claim", key).length === 0) return undefined;
    const where = await whereIs(key, volume);
    if (where === undefined) {
      const held = claims.get(refOfKey(key));
      return held !== undefined && isDue(held, volume) ? { after: LOOK_AGAIN } : undefined;
    }
    const claim = await claimFor(key, volume);
    if (claim === undefined || !isBoundTo(readVolume(volume), readClaim(claim))) return undefined;
    const isMounted = async (): Promise<boolean> => (await whereIs(key, volume)) !== undefined;
    const result = await takeStep({ ...where, claim, volume }, fence.signal, isMounted);
    // The last pod may have gone during the call: what it taught is history, too.
    if (pods.byIndex("claim", key).length === 0) notes.forget(key);
    if (result.kind !== "called") return undefined;
    const { after } = result;
    const final = after.result !== "in-doubt" && (after.result !== "failed" || after.memory.inUse === true);
    if (!final) throw new Error(after.message);
    // The size may be another by now than the one that this step was about.
    return after.result === "overtaken" ? { after: 0 } : undefined;
  }

  /** In the claim's turn. */
  async function takeStep(
    mounted: MountedVolume,
    signal: AbortSignal,
    isMounted?: () => Promise<boolean>,
  ): Promise<NodeStepResult> {
    const { claim, volume } = mounted;
    const key = keyOf(claim.metadata);
    const driver = volume.spec.csi?.driver ?? "";
    const known = growers.get(driver);
    if (known === undefined) return { kind: "gone" };
    const grower = isMounted === undefined ? known : whileMounted(known, isMounted);
    const note = notes.of(key, claim.metadata.uid ?? "");
    const { memory, grownTo } = note;
    const started = timers.elapsed();
    // Until it has ended, nobody knows how far it came: the driver may have done by then what it refused before.
    notes.put(key, { ...note, memory: {} });
    const result = await runNodeStep({ writer, events, dialect, now }, { ...mounted, grower, memory, grownTo }, signal);
    if (result.kind === "called") {
      const { after, size } = result;
      counted.called(driver, after.result, (timers.elapsed() - started) / 1000);
      logger.info(
        { claim: key, volume: volume.metadata.name, result: after.result, why: after.message },
        "the volume was to follow its size",
      );
      const grown = after.result === "expanded" || after.result === "format";
      notes.put(key, { ...note, memory: after.memory, ...(grown ? { grownTo: size } : {}) });
    } else if (result.kind === "quiet") {
      notes.put(key, conclude(note, mounted, result.decision));
    }
    return result;
  }

  function conclude(note: Note, mounted: MountedVolume, decision: NodeDecision): Note {
    const { capacity } = readVolume(mounted.volume);
    const claim = keyOf(mounted.claim.metadata);
    logger.debug({ claim, decision: decision.kind, why: "why" in decision ? decision.why : "" }, "looked at");
    if (decision.kind === "done") return { ...note, settledAt: capacity };
    if (decision.kind !== "read-only" || note.toldReadOnly?.equals(capacity) === true) return note;
    events.readOnly(mounted, decision.why);
    return { ...note, toldReadOnly: capacity };
  }

  async function run(): Promise<void> {
    await settledOrAborted(synced, stopping.signal);
    // Also when it was stopped before that: the queue is shut down below.
    await runWorkers({ queue, workers, reconcile, logger, timers, drain: DRAIN }, stopping.signal);
  }
  const running = run();

  return {
    synced,
    async atMount(mounted, signal) {
      const result = await turns.take(keyOf(mounted.claim.metadata), () => takeStep(mounted, signal));
      if (result.kind === "called" && result.after.mount === "fail") throw new Error(result.after.message);
    },
    release: (claim, work) =>
      turns.take(claim, async () => {
        await work();
        notes.forget(claim);
      }),
    async stop() {
      stopping.abort(new DOMException("growth on the node was stopped", "AbortError"));
      await running;
      fence.abort(stopping.signal.reason);
      await Promise.all([claims.stop(), volumes.stop(), pods.stop()]);
    },
  };
}

/** Whether the volume is to be grown as soon as it is mounted. */
function isDue(claim: PersistentVolumeClaim, volume: PersistentVolume): boolean {
  const facts = { claim: readClaim(claim), volume: readVolume(volume), canExpand: true, readOnly: false, memory: {} };
  return decideNodeStep(facts).kind === "expand";
}

/**
 * Watches claims and volumes of one driver, and carries out a step for each claim that needs one.
 *
 * The caches are kept warm from the start; work is done only inside `run`, while the lease is held. What is remembered
 * between two attempts belongs to one run, so that it is gone when another process may have worked in between.
 */
import { readClaim } from "../../core/claim.ts";
import { RESIZE_STATES } from "../../core/dialect.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "../../core/types.ts";
import {
  CLAIMS,
  createWorkQueue,
  type Informer,
  type KubeClient,
  keyOf,
  type Logger,
  type Metrics,
  type Outcome,
  refOfKey,
  runWorkers,
  settledOrAborted,
  startInformer,
  type Timers,
  VOLUMES,
  type WorkQueue,
} from "../../kube/index.ts";
import type { Driver } from "../apply/driver.ts";
import type { ResizeEvents } from "../apply/events.ts";
import { runStep, type StepOptions, type StepResult } from "../apply/step.ts";
import { createWriter } from "../apply/writes.ts";
import { NOTHING_REMEMBERED } from "../decide/facts.ts";
import { holdClaim, holdVolume } from "./held.ts";
import { createResizeMetrics } from "./metrics.ts";
import { createNews } from "./news.ts";
import { createNotes, type Note } from "./notes.ts";
import { createPodWatch } from "./pod-watch.ts";
import { clearAnnotation } from "./pre-resize-annotation.ts";

export interface ResizeControllerOptions extends Pick<StepOptions, "dialect" | "recovery" | "annotate" | "slowRetry"> {
  /** The name of the CSI driver whose volumes are ours. */
  readonly driverName: string;
  readonly driver: Driver;
  readonly client: KubeClient;
  readonly events: ResizeEvents;
  /** How many claims are worked on at the same time. */
  readonly workers: number;
  /** The wait after a first failure, in milliseconds; doubled up to `slowRetry`. */
  readonly retryStart: number;
  /** All claims are looked at again after this many milliseconds. */
  readonly resyncPeriod: number;
  /** After a refusal because the volume is in use, wait until no pod uses it. */
  readonly handleInUse: boolean;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface ResizeController {
  /** Resolves when the caches are filled. */
  readonly synced: Promise<void>;
  /**
   * Works until `stop` is aborted; what is under way then may finish, unless `fence` is aborted, which ends everything.
   * `mayCall` is asked right before each call to the driver.
   */
  run(mayCall: () => boolean, stop: AbortSignal, fence: AbortSignal): Promise<void>;
  /** Whether claims wait for a worker. */
  readonly hasBacklog: boolean;
  /** Lets go of the caches. May be called twice. */
  stop(): Promise<void>;
}

export function startResizeController(options: ResizeControllerOptions): ResizeController {
  const { client, driverName, timers, logger, metrics, resyncPeriod } = options;
  const shared = { client, timers, logger, metrics };
  const claims = startInformer({ ...shared, resource: CLAIMS, trim: holdClaim, resyncPeriod });
  const volumes = startInformer({
    ...shared,
    resource: VOLUMES,
    trim: holdVolume(driverName),
    indexes: { claim: claimOf },
  });
  const synced = Promise.all([claims.synced, volumes.synced]).then(() => {});
  synced.catch(() => {});
  let queue: WorkQueue | undefined;

  return {
    synced,
    async run(mayCall, stop, fence) {
      await settledOrAborted(synced, stop);
      if (stop.aborted) return;
      await synced;
      queue = createWorkQueue({
        name: `${driverName}-pvc`,
        backoffBase: options.retryStart,
        backoffMax: options.slowRetry,
        timers,
        metrics,
      });
      await work(options, claims, volumes, queue, mayCall, stop, fence);
    },
    get hasBacklog() {
      return queue !== undefined && queue.length > 0;
    },
    async stop() {
      await Promise.all([claims.stop(), volumes.stop()]);
    },
  };
}

/**
 * Look again now: the request may be another than the one that this step was about, and have been so before it began,
 * so that no news of it will come. Where it is the same, looking calls nobody.
 */
const AT_ONCE: Outcome = { after: 0 };

/** The key of the claim that a volume is bound to. */
function claimOf({ spec: { claimRef } }: PersistentVolume): string {
  return `${claimRef?.namespace}/${claimRef?.name}`;
}

type Claims = Informer<PersistentVolumeClaim, PersistentVolumeClaim>;
type Volumes = Informer<PersistentVolume, PersistentVolume, "claim">;

async function work(
  options: ResizeControllerOptions,
  claims: Claims,
  volumes: Volumes,
  queue: WorkQueue,
  mayCall: () => boolean,
  stop: AbortSignal,
  fence: AbortSignal,
): Promise<void> {
  const { client, driverName, events, timers, logger, metrics } = options;
  const notes = createNotes(() => timers.now());
  const news = createNews();
  const counted = createResizeMetrics(metrics, driverName);
  const pods = createPodWatch({ client, timers, logger, metrics }, (claim) => {
    if (notes.isInUse(claim)) queue.add(claim);
  });
  const step: StepOptions = {
    ...options,
    writer: createWriter(client, {
      claiming: (wanted) => news.writing(wanted),
      claim: (written, before) => claims.observe(written, before),
      volume: (written, before) => volumes.observe(written, before),
    }),
    now: () => timers.now(),
    mayCall,
  };

  const hearClaims = claims.addHandler({
    added: (claim) => queue.add(keyOf(claim.metadata)),
    updated(before, after, source) {
      const key = keyOf(after.metadata);
      if (news.isNews(before, after, source, queue.failures(key) > 0)) queue.add(key);
      if (source !== "write") tellLowered(before, after);
    },
    deleted(claim) {
      // At rest, or gone: either way its failures are history.
      const key = keyOf(claim.metadata);
      notes.forget(key);
      news.forget(key);
      queue.forget(key);
      queue.add(key);
    },
  });
  const hearVolumes = volumes.addHandler({
    added: (volume) => queue.add(claimOf(volume)),
    updated(before, after) {
      if (before.spec.claimRef?.uid !== after.spec.claimRef?.uid) queue.add(claimOf(after));
    },
  });

  function tellLowered(before: PersistentVolumeClaim, after: PersistentVolumeClaim): void {
    const [from, to] = [readClaim(before).request, readClaim(after).request];
    const volume = volumes.get({ name: after.spec.volumeName ?? "" });
    if (volume !== undefined && to.lessThan(from)) events.lowered(after, volume, from.toString(), to.toString());
  }

  async function reconcile(key: string): Promise<Outcome> {
    const claim = claims.get(refOfKey(key));
    if (claim === undefined) {
      if (options.annotate) await clearAnnotation(step.writer, client, volumes.byIndex("claim", key), key, fence);
      return undefined;
    }
    const volume = volumes.get({ name: claim.spec.volumeName ?? "" });
    // Another driver's, or not seen yet: then the volume's arrival brings the claim back.
    if (volume === undefined) return undefined;
    const note = notes.of(key, claim.metadata.uid ?? "");
    const started = timers.elapsed();
    let result: StepResult;
    news.begin(key, claim);
    try {
      result = await runStep(step, { claim, volume, memory: note.memory, usedByPod: pods.uses(key) }, fence);
    } catch (error) {
      // Nobody knows how far it came: the driver may have done by now what it refused before.
      notes.put(key, { ...note, memory: NOTHING_REMEMBERED });
      throw error;
    } finally {
      news.end(key);
    }
    if (result.kind === "called") counted.called(result.after, (timers.elapsed() - started) / 1000);
    return conclude(key, note, result, claim, volume.metadata.name);
  }

  function conclude(
    key: string,
    note: Note,
    result: StepResult,
    claim: PersistentVolumeClaim,
    volume: string,
  ): Outcome {
    if (result.kind === "gone") return undefined;
    if (result.kind === "quiet") {
      const { decision } = result;
      logger.debug({ claim: key, decision: decision.kind, why: "why" in decision ? decision.why : "" }, "looked at");
      if (decision.kind === "wait-for-release") events.inUse(claim);
      return decision.kind === "wait-until" ? { after: decision.at - timers.now() } : undefined;
    }
    const { after, recovers } = result;
    const recovering = recovers || note.recovering;
    notes.put(key, { ...note, memory: after.memory, recovering });
    switch (after.result) {
      case "finished":
      case "node-expansion-required":
        logger.info({ claim: key, volume, result: after.result }, "the volume was grown");
        counted.completed((timers.now() - note.since) / 1000);
        if (recovering) counted.recovered(volume, true);
        notes.put(key, { ...note, memory: after.memory, recovering: false });
        return AT_ONCE;
      case "overtaken":
        return AT_ONCE;
      case "infeasible":
        if (recovering) counted.recovered(volume, false);
        logger.warn(
          { claim: key, volume, reason: after.message },
          "the size is infeasible; a smaller request recovers",
        );
        return AT_ONCE;
      case "failed":
        if (recovering) counted.recovered(volume, false);
        if (after.memory.inUse === true && options.handleInUse) {
          pods.begin();
          if (pods.uses(key)) {
            events.inUse(claim);
            return undefined;
          }
        }
        throw new Error(after.message);
      case "in-doubt":
        throw new Error(after.message);
    }
  }

  const endClaims = counted.observeClaims(RESIZE_STATES, (state) => {
    let count = 0;
    for (const claim of claims.values()) {
      if (volumes.get({ name: claim.spec.volumeName ?? "" }) !== undefined && readClaim(claim).state === state) count++;
    }
    return count;
  });
  try {
    await runWorkers({ queue, workers: options.workers, reconcile, timers, logger, drain: 4_000 }, stop);
  } finally {
    hearClaims();
    hearVolumes();
    endClaims();
    await pods.stop();
  }
}

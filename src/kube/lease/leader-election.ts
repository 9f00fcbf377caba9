/**
 * One of several processes works, the others wait: whoever holds a Lease (coordination.k8s.io/v1).
 *
 * Safety rests on three moments after the last renewal that was sent: at `renewDeadline` the holder stops (the fence
 * falls); at `leaseDuration` others may take the lease; in between, what was under way has time to end. A renewal counts
 * from when it was sent, which is never later than when others saw it.
 */
import { messageOf } from "../../core/errors.ts";
import type { KubeClient } from "../client/client.ts";
import { type Logger, silentLogger } from "../logger.ts";
import { type Metrics, noMetrics } from "../metrics.ts";
import {
  deadlineSignal,
  type Random,
  settledOrAborted,
  settlesWithin,
  sleep,
  systemTimers,
  type Timers,
} from "../timers.ts";
import { electionMetrics } from "./election-metrics.ts";
import { createLeaseLock } from "./lease-lock.ts";
import { startReleaseWatch } from "./release-watch.ts";

export interface LeaderElectionOptions {
  readonly client: Pick<KubeClient, "get" | "create" | "update" | "watch">;
  readonly namespace: string;
  readonly name: string;
  /** Who we are: different in every process that is alive at the same time. */
  readonly identity: string;
  /** Put on the Lease. */
  readonly labels?: Readonly<Record<string, string>>;
  /** In milliseconds. @default 15 000 */
  readonly leaseDuration?: number;
  /** Without a renewal for this long, the holder stops, in milliseconds. @default 10 000 */
  readonly renewDeadline?: number;
  /** Between two attempts, in milliseconds. @default 5000 */
  readonly retryPeriod?: number;
  /**
   * How long work may take to end after it was asked to stop, in milliseconds; longer than its own limit, if it has one,
   * or the lease is not given up. @default 5000
   */
  readonly drain?: number;
  readonly timers?: Timers;
  readonly random?: Random;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
}

export interface Term {
  /** Aborted before the lease can be somebody else's: whatever is under way must end now. */
  readonly fence: AbortSignal;
  /** Aborted when we are asked to stop (the lease is still held: finish what is under way), and with the fence. */
  readonly stop: AbortSignal;
}

/**
 * How it ended.
 *
 * - `stopped`: the signal was aborted. The lease was given up, unless work did not end in time.
 * - `finished`: work came to its end by itself. The lease was given up.
 * - `lost`: the lease could not be renewed. Others may have it; most processes exit now.
 */
export type ElectionOutcome = "stopped" | "finished" | "lost";

export interface LeaderElection {
  /** Who holds the lease, as far as we know. */
  readonly holder: string | undefined;
  /** Whether the lease is ours beyond doubt at this moment. To be asked right before a call that must not be made twice. */
  holdsLease(): boolean;
  /** What is wrong, for a liveness probe; undefined when nothing is. */
  problem(): string | undefined;
  /**
   * Waits for the lease, then works, and renews it until work ends. Rejects with what work rejects with. Never runs work
   * when the signal is aborted before the lease is ours.
   */
  run(work: (term: Term) => Promise<void>, signal: AbortSignal): Promise<ElectionOutcome>;
}

/** Candidates do not ask in step. */
const JITTER = 1.2;
/** A holder that could not renew for this much longer than the lease lasts, and still runs, is stuck. */
const STUCK_AFTER = 20_000;
const RELEASE_TIMEOUT = 2_000;

export function createLeaderElection(options: LeaderElectionOptions): LeaderElection {
  const { client, namespace, name, identity, labels = {} } = options;
  const { leaseDuration = 15_000, renewDeadline = 10_000, retryPeriod = 5_000, drain = 5_000 } = options;
  const { timers = systemTimers, random = Math.random, logger = silentLogger, metrics = noMetrics } = options;
  if (leaseDuration <= renewDeadline || renewDeadline <= retryPeriod * JITTER) {
    throw new RangeError(
      `lease ${name}: the lease duration (${leaseDuration} ms) must be longer than the renew deadline (${renewDeadline} ms), and that longer than ${JITTER} times the retry period (${retryPeriod} ms)`,
    );
  }
  const lock = createLeaseLock({
    client,
    namespace,
    name,
    candidate: { identity, leaseDuration, labels },
    timers,
    logger,
  });
  const counted = electionMetrics(metrics, name);
  counted.leading(false);

  const sinceRenewal = (): number => (lock.renewedAt === undefined ? Infinity : timers.elapsed() - lock.renewedAt);
  const holdsLease = (): boolean => sinceRenewal() < renewDeadline;

  /** Resolves to false when the signal is aborted before the lease is ours. */
  async function acquire(signal: AbortSignal): Promise<boolean> {
    const waiting = new AbortController();
    const watching = startReleaseWatch(
      { client, namespace, name, onSeen: (lease) => lock.see(lease), retryPeriod, timers, logger },
      AbortSignal.any([signal, waiting.signal]),
    );
    try {
      while (!signal.aborted) {
        watching.reset();
        try {
          using limit = deadlineSignal(timers, renewDeadline, `lease ${name}: no answer in time`, signal);
          if (await lock.tryTake(limit.signal)) return true;
        } catch (error) {
          if (!signal.aborted) logger.warn({ lease: name, reason: messageOf(error) }, "the lease could not be taken");
        }
        const pause = retryPeriod * (1 + JITTER * random());
        await watching.wait(Math.min(pause, lock.timeUntilFree() || pause));
      }
      return false;
    } finally {
      waiting.abort();
      await watching.ended;
    }
  }

  /** Renews until the signal is aborted, or until the lease is lost. */
  async function keep(signal: AbortSignal): Promise<"lost" | "kept"> {
    for (;;) {
      // When a renewal has failed the deadline is near: ask more often than in good times.
      const pause = sinceRenewal() < retryPeriod ? retryPeriod : retryPeriod / 5;
      await sleep(timers, pause, signal).catch(() => {});
      if (signal.aborted) return "kept";
      if (!holdsLease()) return "lost";
      try {
        using limit = deadlineSignal(timers, renewDeadline / 2, `lease ${name}: no answer in time`, signal);
        if (await lock.tryRenew(limit.signal)) continue;
        counted.slowPath();
        if (!(await lock.tryTake(limit.signal)) && lock.timeUntilFree() > 0) return "lost";
      } catch (error) {
        if (!signal.aborted) logger.warn({ lease: name, reason: messageOf(error) }, "the lease could not be renewed");
      }
    }
  }

  /** Falls when the last renewal is too long ago, even while a request hangs. */
  function startFence(): { readonly signal: AbortSignal; fall(why: string): void } & Disposable {
    const controller = new AbortController();
    const fall = (why: string): void => controller.abort(new DOMException(`lease ${name}: ${why}`, "AbortError"));
    let cancel = (): void => {};
    function arm(): void {
      cancel = timers.after(renewDeadline - sinceRenewal(), () => {
        if (holdsLease()) arm();
        else fall("it was not renewed in time");
      });
    }
    arm();
    return { signal: controller.signal, fall, [Symbol.dispose]: () => cancel() };
  }

  async function release(): Promise<void> {
    if (!holdsLease()) return;
    try {
      using limit = deadlineSignal(timers, RELEASE_TIMEOUT, `lease ${name}: no answer in time`);
      await lock.release(limit.signal);
      logger.info({ lease: name }, "gave up the lease");
    } catch (error) {
      logger.warn({ lease: name, reason: messageOf(error) }, "the lease could not be given up; it will run out");
    }
  }

  async function lead(work: (term: Term) => Promise<void>, signal: AbortSignal): Promise<ElectionOutcome> {
    using fence = startFence();
    const renewing = new AbortController();
    const renewal = keep(renewing.signal).then((end) => end === "kept" || fence.fall("somebody else has it"));
    const stop = AbortSignal.any([signal, fence.signal]);
    const working = Promise.resolve().then(() => work({ fence: fence.signal, stop }));
    await settledOrAborted(working, stop);

    // The lease is kept while work winds down.
    const ended = await settlesWithin(timers, drain, working);
    const lost = fence.signal.aborted;
    fence.fall("the term is over");
    renewing.abort();
    await renewal;
    if (ended && !lost) await release();
    if (ended) await working;
    else logger.error({ lease: name }, "work did not end in time; the lease is left to run out");
    return lost ? "lost" : signal.aborted ? "stopped" : "finished";
  }

  return {
    get holder() {
      return lock.holder;
    },
    holdsLease,
    problem() {
      const stuck = lock.renewedAt !== undefined && sinceRenewal() > leaseDuration + STUCK_AFTER;
      return stuck ? `failed election to renew leadership on lease ${name}` : undefined;
    },
    async run(work, signal) {
      if (!(await acquire(signal))) return "stopped";
      if (signal.aborted) {
        await release();
        return "stopped";
      }
      logger.info({ lease: name, identity }, "holds the lease");
      counted.leading(true);
      try {
        return await lead(work, signal);
      } finally {
        counted.leading(false);
        lock.drop();
      }
    },
  };
}

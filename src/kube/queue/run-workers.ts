/** Workers: they take keys from a queue and do something about each, until they are told to stop. */
import { type Logger, silentLogger } from "../logger.ts";
import { settledOrAborted, settlesWithin, systemTimers, type Timers } from "../timers.ts";
import type { WorkQueue } from "./work-queue.ts";

/** All is well for now; with `after`, look again after this many milliseconds even if nothing happens. */
export type Outcome = { readonly after: number } | undefined | void;

/**
 * Brings the world closer to what it should be, for one key. It looks at the current state, not at what has happened, so
 * being called once too often does no harm.
 *
 * - It resolves: the key is forgotten by the backoff; with `after`, it comes back then.
 * - It rejects: the key comes back after its backoff, which doubles with each failure in a row.
 *
 * One key is never with two workers at once. When the signal is aborted, finish or give up soon, in a state from which
 * the next process can go on.
 */
export type Reconcile = (key: string, signal: AbortSignal) => Promise<Outcome>;

export interface WorkersOptions {
  readonly queue: WorkQueue;
  /** How many keys are worked on at the same time. */
  readonly workers: number;
  readonly reconcile: Reconcile;
  /** How long the work that is under way may take after the signal is aborted, in milliseconds. @default 4000 */
  readonly drain?: number;
  readonly logger?: Logger;
  readonly timers?: Timers;
}

/**
 * Runs until the signal is aborted: then no new key is begun, the queue is shut down, and what is under way may finish.
 * Resolves to true when all of it has, to false when the time for draining was over first.
 */
export async function runWorkers(options: WorkersOptions, signal: AbortSignal): Promise<boolean> {
  const { queue, workers, reconcile, drain = 4_000, logger = silentLogger, timers = systemTimers } = options;

  async function work(): Promise<void> {
    for (;;) {
      const key = await queue.next(signal);
      if (key === undefined) return;
      try {
        const outcome = await reconcile(key, signal);
        queue.forget(key);
        if (outcome !== undefined && !signal.aborted) queue.addAfter(key, outcome.after);
      } catch (error) {
        if (signal.aborted) logger.debug({ key, err: error }, "given up, because we stop");
        else logger.warn({ key, err: error, retryIn: queue.addRateLimited(key) }, "failed; will be tried again");
      } finally {
        queue.done(key);
      }
    }
  }

  const all = Promise.all(Array.from({ length: workers }, work));
  // A queue that was shut down by somebody else ends the workers, too.
  await settledOrAborted(all, signal);
  queue.shutDown();
  return settlesWithin(timers, drain, all);
}

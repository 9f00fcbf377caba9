/**
 * Keys that need to be looked at. A key is
 *
 * - waiting: it will be handed out; adding it again changes nothing,
 * - processing: somebody has it and will say `done`; adding it now means that it is handed out again after that,
 * - or neither.
 *
 * So one key is never with two workers, and no news is lost. Follows k8s.io/client-go/util/workqueue.
 */
import { exponential } from "../backoff.ts";
import { type Metrics, noMetrics } from "../metrics.ts";
import { systemTimers, type Timers } from "../timers.ts";
import { createDelayHeap } from "./delay-heap.ts";
import { createFifo } from "./fifo.ts";
import { queueMetrics } from "./queue-metrics.ts";

export interface WorkQueueOptions {
  /** The label of its metrics. */
  readonly name: string;
  /** The wait after the first failure of a key, in milliseconds; doubled with each further one. @default 5 */
  readonly backoffBase?: number;
  /** @default 1_000_000 (about 17 minutes) */
  readonly backoffMax?: number;
  readonly timers?: Timers;
  readonly metrics?: Metrics;
}

export interface WorkQueue {
  /** Keys that wait to be handed out now, without those that are delayed. */
  readonly length: number;
  /** Hand it out as soon as somebody asks. Does nothing after `shutDown`. */
  add(key: string): void;
  /** The same after this many milliseconds; when it is delayed already, at the earlier of the two moments. */
  addAfter(key: string, milliseconds: number): void;
  /** It failed: hand it out again after its own backoff. Gives that wait, in milliseconds. */
  addRateLimited(key: string): number;
  /** It went well: its next failure is the first again. */
  forget(key: string): void;
  /** How often it failed since it was last forgotten. */
  failures(key: string): number;
  /**
   * The next key, as soon as there is one; undefined when the queue was shut down and is empty, or when the signal is
   * aborted. Say `done` with it.
   */
  next(signal?: AbortSignal): Promise<string | undefined>;
  /** The work on a key that `next` gave is over, well or not. */
  done(key: string): void;
  /** Takes nothing more, drops what is delayed; what waits is still handed out. May be called twice. */
  shutDown(): void;
}

export function createWorkQueue(options: WorkQueueOptions): WorkQueue {
  const { name, backoffBase = 5, backoffMax = 1_000_000, timers = systemTimers, metrics = noMetrics } = options;
  const waiting = createFifo();
  const processing = new Set<string>();
  /** Added while processing. */
  const again = new Set<string>();
  const delayed = createDelayHeap();
  const failures = new Map<string, number>();
  const takers = new Set<(key: string | undefined) => void>();
  const counted = queueMetrics(metrics, name, timers, () => waiting.size);
  let shut = false;
  let cancelTimer = (): void => {};
  let timerDue = Number.POSITIVE_INFINITY;

  function take(): string | undefined {
    const key = waiting.shift();
    if (key === undefined) return undefined;
    processing.add(key);
    counted.started(key);
    return key;
  }

  function handOut(): void {
    for (const taker of takers) {
      if (waiting.size === 0) return;
      takers.delete(taker);
      taker(take());
    }
  }

  function add(key: string): void {
    if (shut || waiting.has(key) || again.has(key)) return;
    counted.added(key);
    if (processing.has(key)) {
      again.add(key);
      return;
    }
    waiting.push(key);
    handOut();
  }

  function addDue(): void {
    timerDue = Number.POSITIVE_INFINITY;
    const now = timers.elapsed();
    for (let key = delayed.takeDue(now); key !== undefined; key = delayed.takeDue(now)) add(key);
    setTimer();
  }

  /** One timer, for the earliest. */
  function setTimer(): void {
    const due = delayed.earliest;
    if (due === undefined || due >= timerDue) return;
    cancelTimer();
    timerDue = due;
    cancelTimer = timers.after(due - timers.elapsed(), addDue);
  }

  function addAfter(key: string, milliseconds: number): void {
    if (shut) return;
    if (milliseconds <= 0) {
      add(key);
      return;
    }
    delayed.add(key, timers.elapsed() + milliseconds);
    setTimer();
  }

  return {
    get length() {
      return waiting.size;
    },
    add,
    addAfter,
    addRateLimited(key) {
      const failed = failures.get(key) ?? 0;
      failures.set(key, failed + 1);
      const wait = exponential(backoffBase, backoffMax, failed);
      counted.retried();
      addAfter(key, wait);
      return wait;
    },
    forget: (key) => void failures.delete(key),
    failures: (key) => failures.get(key) ?? 0,
    next(signal) {
      if (signal?.aborted === true) return Promise.resolve(undefined);
      const key = take();
      if (key !== undefined || shut) return Promise.resolve(key);
      return new Promise((resolve) => {
        const taker = (key: string | undefined): void => {
          signal?.removeEventListener("abort", aborted);
          resolve(key);
        };
        const aborted = (): void => {
          takers.delete(taker);
          resolve(undefined);
        };
        takers.add(taker);
        signal?.addEventListener("abort", aborted, { once: true });
      });
    },
    done(key) {
      if (!processing.delete(key)) return;
      counted.finished(key);
      if (!again.delete(key)) return;
      waiting.push(key);
      handOut();
    },
    shutDown() {
      if (shut) return;
      shut = true;
      cancelTimer();
      delayed.clear();
      counted.stop();
      for (const taker of takers) taker(undefined);
      takers.clear();
    },
  };
}

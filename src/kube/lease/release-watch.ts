/**
 * Eyes of a waiting candidate between two looks: it hears at once when the lease is given up, and of each renewal when it
 * happens, so that a lease that runs out is taken on time.
 */
import { messageOf } from "../../core/errors.ts";
import { createBackoff } from "../backoff.ts";
import type { KubeClient } from "../client/client.ts";
import { LEASES } from "../client/resources.ts";
import type { Lease } from "../client/types.ts";
import type { Logger } from "../logger.ts";
import { sleep, type Timers } from "../timers.ts";
import { holderOf } from "./lease-record.ts";

export interface ReleaseWatch {
  /** Only what happens from now on counts for the next `wait`. */
  reset(): void;
  /** Resolves when the time is over, or the lease was given up since the last `reset`, or the signal is aborted. */
  wait(milliseconds: number): Promise<void>;
  /** Resolves when the watch has ended, after its signal was aborted. */
  readonly ended: Promise<void>;
}

export interface ReleaseWatchOptions {
  readonly client: Pick<KubeClient, "watch">;
  readonly namespace: string;
  readonly name: string;
  /** Called with the lease whenever it was written. */
  readonly onSeen: (lease: Lease) => void;
  /** The longest wait before watching again, in milliseconds. */
  readonly retryPeriod: number;
  readonly timers: Timers;
  readonly logger: Logger;
}

/**
 * A watch that ends is begun again this soon, in milliseconds: what is given up in between is heard of then. It takes
 * longer when watches end one after the other.
 */
const PAUSE = 200;

/** Runs until the signal is aborted. It is a courtesy: where it is not allowed or fails, looking now and then is enough. */
export function startReleaseWatch(options: ReleaseWatchOptions, signal: AbortSignal): ReleaseWatch {
  const { client, namespace, name, onSeen, retryPeriod, timers, logger } = options;
  const selection = { namespace, fieldSelector: `metadata.name=${name}`, timeoutSeconds: 600 };
  const pauses = createBackoff({ base: PAUSE, max: Math.max(PAUSE, retryPeriod), resetAfter: retryPeriod }, () => 0);
  let released = Promise.withResolvers<void>();

  async function watch(): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const { type, object } of client.watch(LEASES, selection, signal)) {
          if (type === "ADDED" || type === "MODIFIED") {
            onSeen(object);
            if (holderOf(object) === undefined) released.resolve();
          } else if (type === "DELETED") {
            released.resolve();
          }
        }
      } catch (error) {
        if (!signal.aborted) logger.debug({ lease: name, reason: messageOf(error) }, "the lease cannot be watched");
      }
      await sleep(timers, pauses.next(timers.elapsed()), signal).catch(() => {});
    }
  }

  return {
    ended: watch(),
    reset() {
      released = Promise.withResolvers<void>();
    },
    async wait(milliseconds) {
      const over = new AbortController();
      try {
        const pause = sleep(timers, milliseconds, AbortSignal.any([signal, over.signal])).catch(() => {});
        await Promise.race([released.promise, pause]);
      } finally {
        over.abort();
      }
    },
  };
}

/**
 * Time and timers, as something that is handed in. Production uses `systemTimers`; tests use the ones in testing/, which
 * move by hand or run fast.
 */
import type { Clock } from "../core/clock.ts";

export interface Timers extends Clock {
  /** Milliseconds of a clock that never goes back and is not set by anybody: for durations and deadlines. */
  elapsed(): number;
  /**
   * Calls back once after this many milliseconds, unless the returned function was called before. Cancelling twice, or
   * after it has fired, does nothing.
   */
  after(milliseconds: number, callback: () => void): () => void;
}

/** A number from 0 (included) to 1 (excluded); `Math.random` at the edge, seeded in tests. */
export type Random = () => number;

/** Node clamps longer timeouts to one millisecond, which would turn a long wait into a busy loop. */
const MAX_TIMEOUT = 2 ** 31 - 1;

export const systemTimers: Timers = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(milliseconds, callback) {
    const handle = setTimeout(callback, Math.min(Math.max(milliseconds, 0), MAX_TIMEOUT));
    return () => clearTimeout(handle);
  },
};

/** Resolves after the time has passed; rejects with the signal's reason when it is aborted before. */
export function sleep(timers: Timers, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason);
      return;
    }
    const cancel = timers.after(milliseconds, () => {
      signal?.removeEventListener("abort", aborted);
      resolve();
    });
    const aborted = (): void => {
      cancel();
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", aborted, { once: true });
  });
}

/**
 * A signal that aborts when the parent does, or when the time is over, whichever is first. Dispose of it (`using`) when
 * the work is done: that cancels the timer and lets go of the parent.
 */
export function deadlineSignal(
  timers: Timers,
  milliseconds: number,
  message: string,
  parent?: AbortSignal,
): { readonly signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  const follow = (): void => controller.abort(parent?.reason);
  if (parent?.aborted === true) follow();
  else parent?.addEventListener("abort", follow, { once: true });
  const cancel = timers.after(milliseconds, () => controller.abort(new DOMException(message, "TimeoutError")));
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      cancel();
      parent?.removeEventListener("abort", follow);
    },
  };
}

/** Resolves when the promise is settled, one way or the other, or when the signal is aborted. */
export async function settledOrAborted(promise: Promise<unknown>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const first = Promise.withResolvers<void>();
  const resolve = (): void => first.resolve();
  signal.addEventListener("abort", resolve, { once: true });
  promise.then(resolve, resolve);
  await first.promise;
  signal.removeEventListener("abort", resolve);
}

/** Whether the promise is settled, one way or the other, before the time is over. */
export async function settlesWithin(timers: Timers, milliseconds: number, promise: Promise<unknown>): Promise<boolean> {
  const over = Promise.withResolvers<boolean>();
  const cancel = timers.after(milliseconds, () => over.resolve(false));
  const settled = promise.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([settled, over.promise]);
  } finally {
    cancel();
  }
}

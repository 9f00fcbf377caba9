/** Waiting longer after each failure in a row. */
import type { Random } from "./timers.ts";

export interface BackoffOptions {
  /** The first wait, in milliseconds. */
  readonly base: number;
  /** No wait grows beyond this, in milliseconds; jitter comes on top. */
  readonly max: number;
  /** Each wait is this much longer at most, as a share of itself: 1 means up to twice as long. @default 0 */
  readonly jitter?: number;
  /** After this many milliseconds without a failure the next wait is the first one again. @default never */
  readonly resetAfter?: number;
}

export interface Backoff {
  /** A failure happened at this moment: how long to wait before the next attempt, in milliseconds. */
  next(now: number): number;
}

export function createBackoff(options: BackoffOptions, random: Random): Backoff {
  const { base, max, jitter = 0, resetAfter = Number.POSITIVE_INFINITY } = options;
  let failures = 0;
  let last = Number.NEGATIVE_INFINITY;
  return {
    next(now) {
      if (now - last > resetAfter) failures = 0;
      const wait = exponential(base, max, failures) * (1 + jitter * random());
      failures++;
      last = now + wait;
      return wait;
    },
  };
}

/** base, 2 base, 4 base ... max, after this many failures in a row. */
export function exponential(base: number, max: number, failures: number): number {
  // Past 2^52 the doubling only costs precision; every sensible maximum is long reached.
  return Math.min(max, base * 2 ** Math.min(failures, 52));
}

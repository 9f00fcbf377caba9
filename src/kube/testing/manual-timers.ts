/** Time that only moves when a test says so. */
import { setImmediate } from "node:timers/promises";
import type { Timers } from "../timers.ts";

export interface ManualTimers extends Timers {
  /** Timers that are set and have neither fired nor been cancelled. */
  readonly pending: number;
  /**
   * Lets this much time pass: timers fire in their order, each at its own moment, and what they set off (promises, and
   * what Node does between two turns) happens before time goes on.
   */
  advance(milliseconds: number): Promise<void>;
  /** Lets time pass, from timer to timer, until the promise is settled; gives what it gives. */
  run<T>(promise: Promise<T>): Promise<T>;
}

/** `start`: milliseconds since the epoch. */
export function createManualTimers(start = Date.UTC(2026, 0, 1)): ManualTimers {
  const timers = new Map<number, { due: number; callback: () => void }>();
  let passed = 0;
  let count = 0;

  function takeNext(limit: number): (() => void) | undefined {
    let first: [number, { due: number; callback: () => void }] | undefined;
    for (const entry of timers) if (first === undefined || entry[1].due < first[1].due) first = entry;
    if (first === undefined || first[1].due > limit) return undefined;
    timers.delete(first[0]);
    passed = Math.max(passed, first[1].due);
    return first[1].callback;
  }

  return {
    get pending() {
      return timers.size;
    },
    now: () => start + passed,
    elapsed: () => passed,
    after(milliseconds, callback) {
      const id = count++;
      timers.set(id, { due: passed + Math.max(0, milliseconds), callback });
      return () => void timers.delete(id);
    },
    async advance(milliseconds) {
      const target = passed + milliseconds;
      await setImmediate();
      for (let next = takeNext(target); next !== undefined; next = takeNext(target)) {
        next();
        await setImmediate();
      }
      passed = target;
    },
    async run(promise) {
      const state = { settled: false };
      const watching = promise.finally(() => (state.settled = true));
      watching.catch(() => {});
      for (;;) {
        await setImmediate();
        const next = state.settled ? undefined : takeNext(Number.POSITIVE_INFINITY);
        if (next === undefined) return watching;
        next();
      }
    },
  };
}

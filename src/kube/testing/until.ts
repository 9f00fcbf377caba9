/** Waiting for a condition, with a deadline, instead of sleeping for luck. */
import { setTimeout } from "node:timers/promises";

/** Resolves with the first value that is neither undefined nor false; rejects, saying what was waited for. */
export async function until<T>(
  what: string,
  check: () => T | undefined | false | Promise<T | undefined | false>,
  deadline = 30_000,
): Promise<T> {
  const end = performance.now() + deadline;
  for (;;) {
    const value = await check();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > end) throw new Error(`waited ${deadline} ms in vain: ${what}`);
    await setTimeout(2);
  }
}

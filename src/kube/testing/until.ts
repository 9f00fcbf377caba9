/** Waiting for a condition, with a deadline, instead of sleeping for luck. */
import { setTimeout } from "node:timers/promises";

/**
 * Resolves with the first value that is neither undefined nor false; rejects, saying what was waited for. The longer it
 * takes, the less often it is looked at: a look may be a request, which takes the processor from what is waited for.
 */
export async function until<T>(
  what: string,
  check: () => T | undefined | false | Promise<T | undefined | false>,
  deadline = 30_000,
): Promise<T> {
  const start = performance.now();
  for (;;) {
    const value = await check();
    if (value !== undefined && value !== false) return value;
    const waited = performance.now() - start;
    if (waited > deadline) throw new Error(`waited ${deadline} ms in vain: ${what}`);
    await setTimeout(Math.min(Math.max(waited / 5, 2), 50));
  }
}

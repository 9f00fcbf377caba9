/** Waiting for a condition, with a deadline, instead of sleeping for luck. */
import { setTimeout as delay } from "node:timers/promises";

type Maybe<T> = T | undefined | false | null;

/**
 * Asks `probe` again and again until it gives something other than undefined, false or null, and returns that. After
 * `timeoutMs` (a minute) it throws an error that says what was waited for; an error of the probe itself is thrown at once.
 */
export async function waitFor<T>(
  what: string,
  probe: () => Promise<Maybe<T>> | Maybe<T>,
  { timeoutMs = 60_000, everyMs = 25 }: { readonly timeoutMs?: number; readonly everyMs?: number } = {},
  signal?: AbortSignal,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = await probe();
    if (found !== undefined && found !== false && found !== null) return found;
    if (performance.now() > deadline) throw new Error(`waited ${timeoutMs / 1000} s for ${what}, in vain`);
    await delay(everyMs, undefined, { signal });
  }
}

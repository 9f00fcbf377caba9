/** An answer that is good for a while. */
import type { Timers } from "../../../../kube/index.ts";

/** Asks again when the last answer is older than this, in milliseconds. One that failed is not kept. */
export function recently<T>(
  timers: Pick<Timers, "elapsed">,
  milliseconds: number,
  ask: () => Promise<T>,
): () => Promise<T> {
  let last: { readonly answer: Promise<T>; readonly until: number } | undefined;
  return () => {
    if (last !== undefined && timers.elapsed() < last.until) return last.answer;
    const asked = { answer: ask(), until: timers.elapsed() + milliseconds };
    asked.answer.catch(() => {
      if (last === asked) last = undefined;
    });
    last = asked;
    return asked.answer;
  };
}

/** A watch that has gone quiet looks just like one with nothing to say. Here is the line between the two. */
import { KubeError } from "../kube-error.ts";
import type { Timers } from "../timers.ts";

export interface StallGuard extends Disposable {
  /** Aborted with the parent, or when an expectation was not met. Its reason is then a `KubeError` "Stalled". */
  readonly signal: AbortSignal;
  /** Something has to happen within this time, else the signal is aborted. Replaces the former expectation. */
  expect(milliseconds: number, what: string): void;
}

/** Dispose of it (`using`) when the stream is over. */
export function createStallGuard(timers: Timers, parent: AbortSignal): StallGuard {
  const controller = new AbortController();
  const follow = (): void => controller.abort(parent.reason);
  if (parent.aborted) follow();
  else parent.addEventListener("abort", follow, { once: true });
  let cancel = (): void => {};
  return {
    signal: controller.signal,
    expect(milliseconds, what) {
      cancel();
      cancel = timers.after(milliseconds, () => controller.abort(new KubeError("Stalled", what)));
    },
    [Symbol.dispose]() {
      cancel();
      parent.removeEventListener("abort", follow);
    },
  };
}

/** A watch between two ends of one process: what is written at one is read at the other, and neither gets ahead of it. */
import type { EventStream } from "./exchange.ts";

export interface ValueStream extends EventStream {
  /** To be read once. Stops the stream when its reader does. */
  values(): AsyncGenerator<unknown, void, undefined>;
  /** Ends it with an error, and drops what was not read. */
  cut(reason: unknown): void;
}

/** `over`: called once, when the stream is at its end for whoever writes. */
export function createValueStream(over: () => void): ValueStream {
  const waiting: unknown[] = [];
  const gone: (() => void)[] = [];
  let state: "open" | "ended" | "gone" = "open";
  let broken: { readonly reason: unknown } | undefined;
  let room: PromiseWithResolvers<void> | undefined;
  let wake = (): void => {};

  function makeRoom(): void {
    room?.resolve();
    room = undefined;
  }

  function close(as: "ended" | "gone"): void {
    if (state !== "open") return;
    state = as;
    over();
    makeRoom();
    wake();
    if (as === "gone") for (const listener of gone) listener();
  }

  return {
    write(line) {
      if (state !== "open") return false;
      room ??= Promise.withResolvers();
      waiting.push(line.value);
      wake();
      return true;
    },
    drained: () => room?.promise,
    end: () => close("ended"),
    onGone: (listener) => void gone.push(listener),
    cut(reason) {
      if (state !== "open") return;
      broken = { reason };
      waiting.length = 0;
      close("gone");
    },
    async *values() {
      try {
        for (;;) {
          // Taken all at once, so that whoever writes may go on meanwhile.
          const taken = waiting.splice(0);
          makeRoom();
          yield* taken;
          if (broken !== undefined) throw broken.reason;
          if (waiting.length > 0) continue;
          if (state !== "open") return;
          await new Promise<void>((resolve) => (wake = resolve));
        }
      } finally {
        close("gone");
      }
    },
  };
}

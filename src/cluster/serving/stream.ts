/** Answers without an end: watches. A client that does not read what it asked for is cut off, never held in memory. */
import type { ServerResponse } from "node:http";
import { MAX_BUFFERED_BYTES, STALLED_MS } from "./limits.ts";
import { hearNothing, timeoutFor } from "./while-unread.ts";

export interface StreamOptions {
  /** What may wait to be read. @default 8 MiB */
  readonly maxBufferedBytes?: number;
  /** How long a client may take to read what waits for it. @default 60 s */
  readonly stalledMs?: number;
  /** Called once when the client is cut off for being slow. */
  readonly onSlowReader?: () => void;
}

export interface ResponseStream {
  /** False when the stream is over, by whatever cause: stop producing. The answer's head must have been written. */
  write(text: string | Uint8Array): boolean;
  /** Resolves when what was written is on its way, or the stream is over; undefined when nothing waits. Never rejects. */
  drained(): Promise<void> | undefined;
  /** Ends the answer as a whole one. May be called twice. */
  end(): void;
}

/** A stream into an answer. For the moment when the client goes, listen to `close` of the response (not of the request). */
export function createStream(response: ServerResponse, options: StreamOptions = {}): ResponseStream {
  const { maxBufferedBytes = MAX_BUFFERED_BYTES, stalledMs = STALLED_MS, onSlowReader } = options;
  const isOver = (): boolean => response.destroyed || response.writableEnded;
  const cut = (): void => {
    if (isOver()) return;
    onSlowReader?.();
    response.destroy();
  };
  let drain: Promise<void> | undefined;

  /** Begins with the first write that has to wait; ends with the last one that had to, or with the connection. */
  const waitForDrain = (): Promise<void> =>
    new Promise((resolve) => {
      const hear = hearNothing(response);
      const done = (): void => {
        drain = undefined;
        hear();
        response.off("drain", done).off("close", done).off("timeout", cut).setTimeout(0);
        resolve();
      };
      response.on("drain", done).on("close", done).setTimeout(timeoutFor(stalledMs), cut);
    });

  return {
    write(text) {
      if (isOver()) return false;
      const taken = response.write(text);
      if (response.writableLength > maxBufferedBytes) {
        cut();
        return false;
      }
      if (!taken) drain ??= waitForDrain();
      return true;
    },
    drained: () => drain,
    end() {
      if (!isOver()) response.end();
    },
  };
}

/** The watches that are open: how many there may be, and their end when the server stops. */
import type { ServerResponse } from "node:http";
import { createStream } from "../../serving/index.ts";
import type { Form } from "../handlers/answer.ts";
import type { ApiContext } from "../handlers/context.ts";
import { type PreparedWatch, runWatch } from "../handlers/watch.ts";
import { StatusError } from "../status-error.ts";

export interface Watchers {
  /** Resolves when the watch is over. Throws 429 when there are too many. */
  stream(response: ServerResponse, watch: PreparedWatch, form: Form): Promise<void>;
  readonly count: number;
  /** Ends them all; no more begin. */
  stop(): void;
}

export interface WatchersOptions {
  /** @default 10,000 */
  readonly max?: number;
  /** Called for each client that was cut off because it did not read. */
  readonly onSlowReader?: () => void;
}

export function createWatchers(context: ApiContext, { max = 10_000, onSlowReader }: WatchersOptions = {}): Watchers {
  const stopping = new AbortController();
  let count = 0;

  return {
    get count() {
      return count;
    },
    stop: () => stopping.abort(),
    async stream(response, watch, form) {
      if (count >= max || stopping.signal.aborted) {
        throw new StatusError(
          429,
          "TooManyRequests",
          `there are ${count} watches open already; close some, or try again later`,
        );
      }
      count++;
      const gone = new AbortController();
      const leave = (): void => gone.abort();
      response.once("close", leave);
      try {
        response.writeHead(200, {
          "content-type": "application/json",
          "cache-control": "no-cache, private",
          "transfer-encoding": "chunked",
        });
        response.flushHeaders();
        const stream = createStream(response, onSlowReader === undefined ? {} : { onSlowReader });
        await runWatch(context, watch, form, {
          write: (line) => stream.write(line),
          drained: () => stream.drained(),
          signal: AbortSignal.any([gone.signal, stopping.signal]),
        });
        if (!response.destroyed) response.end();
      } finally {
        count--;
        response.off("close", leave);
      }
    },
  };
}

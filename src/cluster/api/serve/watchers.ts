/** The watches that are open: how many there may be, and their end when the server stops. */
import type { ServerResponse } from "node:http";
import { createStream } from "../../serving/index.ts";
import type { Resource } from "../catalog/resource.ts";
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
  const open = new Map<AbortController, Resource>();
  let stopped = false;
  // Whoever watches what is no longer served is told so by the end of the watch, and asks again.
  context.catalog.onChange(() => {
    for (const [watch, resource] of open) if (!context.catalog.serves(resource)) watch.abort();
  });

  return {
    get count() {
      return open.size;
    },
    stop() {
      stopped = true;
      for (const watch of open.keys()) watch.abort();
    },
    async stream(response, watch, form) {
      if (open.size >= max || stopped) {
        throw new StatusError(
          429,
          "TooManyRequests",
          `there are ${open.size} watches open already; close some, or try again later`,
        );
      }
      const ending = new AbortController();
      const leave = (): void => ending.abort();
      open.set(ending, watch.target.resource);
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
          signal: ending.signal,
        });
        if (!response.destroyed) response.end();
      } finally {
        open.delete(ending);
        response.off("close", leave);
      }
    },
  };
}

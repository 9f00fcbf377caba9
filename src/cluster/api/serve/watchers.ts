/** The watches that are open: how many there may be, and their end when the server stops. */
import type { Resource } from "../catalog/resource.ts";
import type { Form } from "../handlers/answer.ts";
import type { ApiContext } from "../handlers/context.ts";
import { createFeeds } from "../handlers/feed.ts";
import { type PreparedWatch, type RunningWatch, startWatch } from "../handlers/watch.ts";
import { StatusError } from "../status-error.ts";
import type { ApiReply } from "./exchange.ts";

export interface Watchers {
  /** Begins the watch; resolves when it is over. Throws 429 when there are too many. */
  stream(reply: ApiReply, watch: PreparedWatch, form: Form): Promise<void>;
  readonly count: number;
  /** Ends them all; no more begin. */
  stop(): void;
}

export interface WatchersOptions {
  /** @default 10,000 */
  readonly max?: number;
}

const PROTOBUF_STREAM = "application/vnd.kubernetes.protobuf;stream=watch";

export function createWatchers(context: ApiContext, { max = 10_000 }: WatchersOptions = {}): Watchers {
  const open = new Map<RunningWatch, Resource>();
  const feeds = createFeeds();
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
    stream(reply, prepared, form) {
      if (open.size >= max || stopped) {
        throw new StatusError(
          429,
          "TooManyRequests",
          `there are ${open.size} watches open already; close some, or try again later`,
          [],
          { retryAfterSeconds: 1 },
        );
      }
      const stream = reply.begin(form.writer.name === "protobuf" ? PROTOBUF_STREAM : undefined);
      const watch = startWatch(context, feeds, prepared, form, stream);
      open.set(watch, prepared.target.resource);
      stream.onGone(() => watch.abort());
      return watch.over.then(
        () => {
          open.delete(watch);
          stream.end();
        },
        (error: unknown) => {
          open.delete(watch);
          throw error;
        },
      );
    },
  };
}

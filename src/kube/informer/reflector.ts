/**
 * Keeps a copy of a collection up to date: lists it, watches it from there, and does the right thing whenever that
 * breaks. Follows k8s.io/client-go/tools/cache/reflector.go in what it promises:
 *
 * - The copy never goes back in time, as long as the server keeps its word: lists are consistent reads (no
 *   resourceVersion is asked for), and a watch goes on from the last event or bookmark that was handed over.
 * - Resource versions are opaque: they are kept and sent back, never compared for order.
 * - Nothing is missed: where a watch cannot go on (410, as an answer or within the stream), the collection is listed
 *   again, and what is gone is found by not being listed.
 * - The server is not flooded: every failure, and every watch that ends at once, is followed by a wait of 0.8 to 30
 *   seconds, doubled each time, with jitter; it starts over after two good minutes. Retry-After is honoured.
 */
import { messageOf } from "../../core/errors.ts";
import type { KubeObject } from "../../core/types.ts";
import { createBackoff } from "../backoff.ts";
import type { KubeClient, ListOptions } from "../client/client.ts";
import type { Resource } from "../client/resource.ts";
import { errorFromStatus, isGone, isResourceVersionTooLarge, KubeError, type Status } from "../kube-error.ts";
import type { Logger } from "../logger.ts";
import { type Random, sleep, type Timers } from "../timers.ts";
import { createStallGuard, type StallGuard } from "./stall-guard.ts";

/** Where the copy is kept. Called in order, never concurrently. */
export interface ReflectorSink<T> {
  /** A listing begins: everything that is there will be handed to it. One that is never completed means nothing. */
  listing(): Listing<T>;
  /** The object was created or changed. */
  changed(object: T): void;
  /** The object was deleted, or no longer matches the selectors. */
  deleted(object: T): void;
}

export interface Listing<T> {
  listed(object: T): void;
  /** Deleted while the listing was under way (streaming lists only). */
  deleted(object: T): void;
  /** All were listed: what was not is gone. */
  complete(): void;
}

export interface ReflectorOptions<T extends KubeObject> {
  readonly client: Pick<KubeClient, "list" | "watch">;
  readonly resource: Resource<T>;
  readonly selection: Pick<ListOptions, "namespace" | "labelSelector" | "fieldSelector">;
  /** Ask for the list as a stream of events, where the server can; less memory on both sides. */
  readonly streaming: boolean;
  readonly timers: Timers;
  readonly random: Random;
  readonly logger: Logger;
  /** Called for each failure, before the wait; for counting. */
  readonly onFailure: (error: KubeError) => void;
}

const PAGE = 500;
/** A server that takes part in streaming lists is never silent for so long before the list is complete. */
const STREAMING_SILENCE = 10_000;
/** How much longer than it was asked to a watch may live. */
const WATCH_GRACE_SECONDS = 30;
/** A watch that ends sooner is no success: without a wait, it would be opened again and again. */
const SHORT_WATCH = 5_000;
const BACKOFF = { base: 800, max: 30_000, jitter: 1, resetAfter: 120_000 };
const INITIAL_EVENTS_END = "k8s.io/initial-events-end";

/** Runs until the signal is aborted, then resolves. Never rejects. */
export async function runReflector<T extends KubeObject>(
  options: ReflectorOptions<T>,
  sink: ReflectorSink<T>,
  signal: AbortSignal,
): Promise<void> {
  const { client, resource, selection, timers, random, logger } = options;
  const backoff = createBackoff(BACKOFF, random);
  let mode: "streaming" | "paged" | "whole" = options.streaming ? "streaming" : "paged";
  /** From where to watch; undefined: the collection has to be listed first. */
  let position: string | undefined;

  async function listPages(): Promise<void> {
    const listing = sink.listing();
    let version: string | undefined;
    let next: string | undefined;
    do {
      const page = await client.list(
        resource,
        { ...selection, limit: mode === "whole" ? undefined : PAGE, continue: next },
        signal,
      );
      signal.throwIfAborted();
      for (const item of page.items) listing.listed(item);
      version = page.metadata.resourceVersion;
      next = page.metadata.continue || undefined;
    } while (next !== undefined);
    listing.complete();
    position = version;
    if (mode === "whole") mode = "paged";
  }

  /** One watch, from where we are or from the beginning, until the server ends it. */
  async function watch(guard: StallGuard): Promise<void> {
    let listing = position === undefined ? sink.listing() : undefined;
    const timeoutSeconds = 300 + Math.floor(random() * 301);
    const expectEnd = (): void => {
      const limit = timeoutSeconds + WATCH_GRACE_SECONDS;
      guard.expect(limit * 1000, `watch ${resource.plural}: the server did not end it after ${limit} seconds`);
    };
    const expectMore = (): void =>
      guard.expect(STREAMING_SILENCE, `watch ${resource.plural}: the server does not end the list`);
    if (listing === undefined) expectEnd();
    else expectMore();

    const from =
      listing === undefined
        ? { resourceVersion: position }
        : { sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" as const };
    const parameters = { ...selection, ...from, allowWatchBookmarks: true, timeoutSeconds };
    for await (const event of client.watch(resource, parameters, guard.signal)) {
      signal.throwIfAborted();
      if (event.type === "ERROR") throw errorFromStatus(event.object as Status, 500, `watch ${resource.plural}`);
      const version = event.object.metadata.resourceVersion;
      switch (event.type) {
        case "ADDED":
        case "MODIFIED":
          if (listing === undefined) sink.changed(event.object);
          else listing.listed(event.object);
          break;
        case "DELETED":
          (listing ?? sink).deleted(event.object);
          break;
        case "BOOKMARK":
          if (listing !== undefined && event.object.metadata.annotations?.[INITIAL_EVENTS_END] === "true") {
            listing.complete();
            listing = undefined;
            expectEnd();
          }
          break;
      }
      if (listing === undefined) position = version;
      else expectMore();
    }
    if (listing !== undefined) throw new KubeError("Stalled", `watch ${resource.plural}: it ended within the list`);
  }

  async function listAndWatch(): Promise<void> {
    if (position === undefined && mode !== "streaming") await listPages();
    using guard = createStallGuard(timers, signal);
    await watch(guard);
  }

  /** What to do differently next time; whether to do it at once. */
  function learn(error: KubeError): { readonly atOnce: boolean } {
    if (position === undefined) {
      if (mode === "streaming" && cannotStream(error)) {
        logger.debug({ resource: resource.plural, reason: error.message }, "no streaming list here; listing in pages");
        mode = "paged";
        return { atOnce: true };
      }
      // The pages outlived the server's history; in one piece they cannot.
      if (mode === "paged" && isGone(error)) mode = "whole";
      return { atOnce: false };
    }
    if (mustListAgain(error)) position = undefined;
    return { atOnce: false };
  }

  while (!signal.aborted) {
    const started = timers.elapsed();
    let wait = 0;
    try {
      await listAndWatch();
      if (timers.elapsed() - started < SHORT_WATCH) wait = backoff.next(timers.elapsed());
    } catch (thrown) {
      if (signal.aborted) return;
      const error = asKubeError(thrown);
      options.onFailure(error);
      if (!learn(error).atOnce) {
        wait = Math.max(backoff.next(timers.elapsed()), error.retryAfter ?? 0);
        logger.warn({ resource: resource.plural, reason: error.message, wait }, "watching failed; trying again");
      }
    }
    if (wait > 0) await sleep(timers, wait, signal).catch(() => {});
  }
}

/** Older servers refuse the parameter or ignore it; some allow `list` and not `watch`. */
function cannotStream(error: KubeError): boolean {
  if (error.reason === "Stalled") return true;
  return error.status >= 400 && error.status < 500 && ![401, 410, 429].includes(error.status);
}

/**
 * Whether this resource version is of no more use: too old (410), unknown to a server that was restored or replaced, or
 * refused as a parameter. Everything else (no connection, 5xx, 401, 403, 429) may pass, and then the watch goes on.
 */
function mustListAgain(error: KubeError): boolean {
  return isGone(error) || isResourceVersionTooLarge(error) || error.status === 400 || error.status === 422;
}

function asKubeError(thrown: unknown): KubeError {
  if (thrown instanceof KubeError) return thrown;
  return new KubeError("Unreachable", messageOf(thrown), { cause: thrown });
}

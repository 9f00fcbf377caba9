/**
 * A collection of the API, held in memory as small as the caller wants it, kept up to date, with handlers that are told
 * of every change.
 */
import type { KubeObject } from "../../core/types.ts";
import type { KubeClient } from "../client/client.ts";
import type { Ref, Resource } from "../client/resource.ts";
import { type Logger, silentLogger } from "../logger.ts";
import { type Metrics, noMetrics } from "../metrics.ts";
import { type Random, systemTimers, type Timers } from "../timers.ts";
import { createCache, type Handler } from "./cache.ts";
import { informerMetrics } from "./informer-metrics.ts";
import { runReflector } from "./reflector.ts";
import type { IndexFunction, IndexValues } from "./store.ts";

export interface InformerOptions<T extends KubeObject, Held extends KubeObject, Index extends string> {
  readonly client: Pick<KubeClient, "list" | "watch">;
  readonly resource: Resource<T>;
  /** Of one namespace. @default all */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /**
   * What to hold of an object; undefined: nothing, as if it were not there. Must keep name, namespace, uid and
   * resourceVersion in `metadata`, depend on the object alone, and not throw. See trim.ts for parts to build it from.
   */
  readonly trim: (object: T) => Held | undefined;
  /** By which values objects can be found, besides their name. */
  readonly indexes?: { readonly [name in Index]: (object: NoInfer<Held>) => IndexValues };
  /** Tell everything again after this many milliseconds. @default never */
  readonly resyncPeriod?: number | undefined;
  /** @default true; falls back to pages where the server does not take part */
  readonly streaming?: boolean;
  readonly timers?: Timers;
  readonly random?: Random;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
}

export interface Informer<T extends KubeObject, Held extends KubeObject = T, Index extends string = never> {
  /** Resolves when the first listing is complete; rejects when the informer is stopped before that. */
  readonly synced: Promise<void>;
  /** Whether the first listing is complete. */
  readonly isSynced: boolean;
  readonly size: number;
  get(ref: Ref): Held | undefined;
  values(): IterableIterator<Held>;
  /** The objects under this value of the index; in no particular order. */
  byIndex(index: Index, value: string): Held[];
  /** What is held already is told as `added`, at once. Call the returned function to hear no more. */
  addHandler(handler: Handler<Held>): () => void;
  /**
   * Takes the server's answer to a write into the store, so that the next look does not see the state before it.
   * `before` is the resourceVersion that was the write's precondition; without a precondition nothing is known about the
   * order, so do not call it then. False: what is held is no longer `before`, so the answer may be old news; the watch
   * will bring, or has brought, whatever is newest. The reasoning is in own-writes.ts.
   */
  observe(written: T, before: string): boolean;
  /** Ends it; resolves when no handler will be called any more. May be called twice. */
  stop(): Promise<void>;
}

/** Begins at once; ends when the signal is aborted or `stop` is called. */
export function startInformer<T extends KubeObject, Held extends KubeObject = T, Index extends string = never>(
  options: InformerOptions<T, Held, Index>,
  signal?: AbortSignal,
): Informer<T, Held, Index> {
  const {
    client,
    resource,
    namespace,
    labelSelector,
    fieldSelector,
    trim,
    resyncPeriod = 0,
    streaming = true,
  } = options;
  const { timers = systemTimers, random = Math.random, logger = silentLogger, metrics = noMetrics } = options;
  const controller = new AbortController();
  const follow = (): void => controller.abort(signal?.reason);
  if (signal?.aborted === true) follow();
  else signal?.addEventListener("abort", follow, { once: true });

  let isSynced = false;
  const synced = Promise.withResolvers<void>();
  // Whoever waits for it hears of the end; whoever does not must not be killed by it.
  synced.promise.catch(() => {});

  const cache = createCache<T, Held, Index>({
    trim,
    indexes: options.indexes ?? ({} as Record<Index, IndexFunction<Held>>),
    onHandlerError(error) {
      counted.handlerFailed();
      logger.error({ err: error, resource: resource.plural }, "a handler threw");
    },
    onListed() {
      counted.listed();
      isSynced = true;
      synced.resolve();
    },
  });
  const counted = informerMetrics(metrics, resource, () => cache.size);

  let cancelResync = (): void => {};
  function scheduleResync(): void {
    cancelResync = timers.after(resyncPeriod, () => {
      cache.resync();
      scheduleResync();
    });
  }
  if (resyncPeriod > 0) scheduleResync();

  const running = runReflector(
    {
      client,
      resource,
      selection: { namespace, labelSelector, fieldSelector },
      streaming,
      timers,
      random,
      logger,
      onFailure: () => counted.watchFailed(),
    },
    cache,
    controller.signal,
  ).finally(() => {
    cancelResync();
    counted.stop();
    signal?.removeEventListener("abort", follow);
    synced.reject(controller.signal.reason);
  });

  return {
    synced: synced.promise,
    get isSynced() {
      return isSynced;
    },
    get size() {
      return cache.size;
    },
    get: (ref) => cache.get(ref),
    values: () => cache.values(),
    byIndex: (index, value) => cache.byIndex(index, value),
    addHandler: (handler) => cache.addHandler(handler),
    observe: (written, before) => cache.observe(written, before),
    async stop() {
      controller.abort(new DOMException(`the informer of ${resource.plural} was stopped`, "AbortError"));
      await running;
    },
  };
}

/**
 * A kind that may come and go while we run, and that we may have no right to: looked for again and again, and watched as long
 * as it is there. Definitions are not watched for this: that would take a right that nothing else needs.
 */
import type { KubeObject } from "../../core/types.ts";
import {
  type Informer,
  type InformerOptions,
  type KubeClient,
  type Logger,
  type Metrics,
  type Ref,
  type Resource,
  sleep,
  startInformer,
  type Timers,
} from "../../kube/index.ts";
import type { PolicyRule } from "../../statefulset/index.ts";
import { missingRules } from "../apply/rights.ts";

export interface KindWatchOptions<T extends KubeObject> {
  readonly client: KubeClient;
  readonly resource: Resource<T>;
  /** The namespaces to look at; none: all. */
  readonly namespaces: readonly string[];
  /** What following it takes. */
  readonly rules: readonly PolicyRule[];
  readonly trim: InformerOptions<T, T, never>["trim"];
  readonly timers: Timers;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** One of its objects has come, changed or gone. */
  readonly onNews: (before: T | undefined, after: T | undefined) => void;
  /** What is known of the kind has changed. */
  readonly onState: () => void;
}

export interface KindWatch<T extends KubeObject> {
  /** Whether the API server has the kind; undefined as long as nobody knows. */
  readonly served: boolean | undefined;
  /** What we lack of `rules`. Without the right to read it nothing is watched. */
  readonly missing: readonly PolicyRule[];
  /** Whether all objects are known: an object that is not held is not there. */
  readonly isComplete: boolean;
  readonly size: number;
  /** How many there are in one of the namespaces that it was told to look at. */
  sizeIn(namespace: string): number;
  get(ref: Ref): T | undefined;
  values(): Iterable<T>;
  /** An own write, so that the next look does not see the state before it. */
  observe(written: T, before: string): void;
  /** Lets go of everything. May be called twice. */
  stop(): Promise<void>;
}

/** How often to look whether the kind is still there; and how often while it is not, or not for us. In milliseconds. */
const LOOK_AGAIN = 30_000;
const LOOK_SOON = 3_000;

/** Begins at once. The caller stops it. */
export function startKindWatch<T extends KubeObject>(options: KindWatchOptions<T>): KindWatch<T> {
  const { client, resource, rules, namespaces, trim, timers, logger, metrics, onNews, onState } = options;
  const stopping = new AbortController();
  let served: boolean | undefined;
  let missing: readonly PolicyRule[] = [];
  let rooms: readonly Informer<T, T>[] = [];

  const running = run();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await look();
      } catch (error) {
        if (!stopping.signal.aborted) logger.debug({ err: error, kind: resource.kind }, "could not look for the kind");
      }
      const isWatched = rooms.length > 0 && missing.length === 0;
      await sleep(timers, isWatched ? LOOK_AGAIN : LOOK_SOON, stopping.signal).catch(() => {});
    }
  }

  async function look(): Promise<void> {
    const { signal } = stopping;
    const isServed = await client.serves(resource, signal);
    const lacks = isServed ? await missingRules(client, rules, namespaces, signal) : [];
    const mayRead = !lacks.some((rule) => rule.resources.includes(resource.plural));
    const isSame = served === isServed && JSON.stringify(missing) === JSON.stringify(lacks);
    served = isServed;
    missing = lacks;
    if (isServed && mayRead) begin();
    else await end();
    if (!isSame && !signal.aborted) onState();
  }

  function begin(): void {
    if (rooms.length > 0) return;
    const places = namespaces.length === 0 ? [undefined] : namespaces;
    rooms = places.map((namespace) =>
      startInformer<T>({ client, resource, namespace, trim, timers, logger, metrics }, stopping.signal),
    );
    for (const room of rooms) {
      room.addHandler({
        added: (object) => onNews(undefined, object),
        updated: (before, after) => onNews(before, after),
        deleted: (object) => onNews(object, undefined),
      });
      // What was unknown until now may be known not to be there.
      void room.synced.then(onState, () => {});
    }
  }

  /** What was there is gone, and whoever heard of it hears of that. */
  async function end(): Promise<void> {
    const ended = rooms;
    rooms = [];
    await Promise.all(ended.map((room) => room.stop()));
    for (const room of ended) for (const object of room.values()) onNews(object, undefined);
  }

  return {
    get served() {
      return served;
    },
    get missing() {
      return missing;
    },
    get isComplete() {
      return served === false || (rooms.length > 0 && rooms.every((room) => room.isSynced));
    },
    get size() {
      return rooms.reduce((sum, room) => sum + room.size, 0);
    },
    sizeIn: (namespace) => rooms[namespaces.indexOf(namespace)]?.size ?? 0,
    get(ref) {
      for (const room of rooms) {
        const found = room.get(ref);
        if (found !== undefined) return found;
      }
      return undefined;
    },
    *values() {
      for (const room of rooms) yield* room.values();
    },
    observe(written, before) {
      for (const room of rooms) if (room.get(written.metadata) !== undefined) room.observe(written, before);
    },
    async stop() {
      stopping.abort(new DOMException("the kind is no longer followed", "AbortError"));
      await running;
      await Promise.all(rooms.map((room) => room.stop()));
    },
  };
}

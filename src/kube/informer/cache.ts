/**
 * What an informer holds, and the telling of it: takes in listings, events and own writes, keeps the store, and calls the
 * handlers. Knows nothing of connections or time.
 */
import type { KubeObject } from "../../core/types.ts";
import type { Ref } from "../client/resource.ts";
import { createOwnWrites } from "./own-writes.ts";
import type { Listing, ReflectorSink } from "./reflector.ts";
import { createStore, type IndexFunction, keyOf } from "./store.ts";

/**
 * Where news came from.
 *
 * - `list`: found by comparing with a full listing, at the start or after a gap. For `deleted` this means that the
 *   deletion itself was not seen: the object is the last state that was known, not necessarily the last there was.
 * - `watch`: as it happened.
 * - `write`: our own write, handed in through `observe`. The watch's echo of it is not told again.
 * - `resync`: nothing happened; the object is told again because the resync period is over.
 */
export type Source = "list" | "watch" | "write" | "resync";

/**
 * Handlers run in the order in which the server made the changes, one at a time, while nothing else happens to the
 * store; they should put a key into a queue and return. One that throws is logged and counted, and the others still hear
 * the news. Objects are shared: look, don't touch.
 */
export interface Handler<T> {
  readonly added?: (object: T, source: Source) => void;
  readonly updated?: (before: T, after: T, source: Source) => void;
  readonly deleted?: (object: T, source: Source) => void;
}

export interface CacheOptions<T extends KubeObject, Held extends KubeObject, Index extends string> {
  /** What to hold of an object; undefined: nothing. See `InformerOptions.trim`. */
  readonly trim: (object: T) => Held | undefined;
  readonly indexes: Readonly<Record<Index, IndexFunction<Held>>>;
  readonly onHandlerError: (error: unknown) => void;
  /** A listing was completed: the cache is as the server was a moment ago. */
  readonly onListed: () => void;
}

export interface Cache<T extends KubeObject, Held, Index extends string> extends ReflectorSink<T> {
  readonly size: number;
  get(ref: Ref): Held | undefined;
  values(): IterableIterator<Held>;
  byIndex(index: Index, value: string): Held[];
  addHandler(handler: Handler<Held>): () => void;
  observe(written: T, before: string): boolean;
  /** Tells everything again. */
  resync(): void;
}

export function createCache<T extends KubeObject, Held extends KubeObject, Index extends string>(
  options: CacheOptions<T, Held, Index>,
): Cache<T, Held, Index> {
  const { trim, onHandlerError, onListed } = options;
  const store = createStore<Held, Index>(options.indexes);
  const ownWrites = createOwnWrites();
  const handlers = new Set<Handler<Held>>();

  function tell(call: (handler: Handler<Held>) => void, listeners: Iterable<Handler<Held>> = handlers): void {
    for (const handler of listeners) {
      try {
        call(handler);
      } catch (error) {
        onHandlerError(error);
      }
    }
  }

  function put(key: string, object: T, source: Source): void {
    const before = store.get(key);
    const after = trim(object);
    const replaced = before !== undefined && before.metadata.uid !== object.metadata.uid;
    // Not held any more, or deleted and created again while we were not looking.
    if (before !== undefined && (after === undefined || replaced)) remove(key, before, source);
    if (after === undefined) return;
    checkIdentity(object, after);
    store.put(key, after);
    if (before === undefined || replaced) tell((handler) => handler.added?.(after, source));
    else tell((handler) => handler.updated?.(before, after, source));
  }

  function remove(key: string, last: Held, source: Source): void {
    store.remove(key);
    tell((handler) => handler.deleted?.(last, source));
  }

  function changed(object: T, source: Source): void {
    const key = keyOf(object.metadata);
    const { uid = "", resourceVersion = "" } = object.metadata;
    if (ownWrites.isSuperseded(key, uid, resourceVersion)) return;
    const held = store.get(key)?.metadata;
    if (held !== undefined && held.uid === uid && held.resourceVersion === resourceVersion) return;
    put(key, object, source);
  }

  function deleted(object: T): void {
    const key = keyOf(object.metadata);
    const { uid = "", resourceVersion = "" } = object.metadata;
    // It left the selection by a write of ours, and may be back by a later one. Whether it is, only the watch knows: it is
    // taken out now, and the memory stays, so that it comes back in its latest version only.
    ownWrites.isSuperseded(key, uid, resourceVersion);
    const held = store.get(key);
    if (held !== undefined) remove(key, trim(object) ?? held, "watch");
  }

  function listing(): Listing<T> {
    // Objects are taken in as they come: each is at least as new as what is held. Only the end of the listing tells
    // what is missing from it; one that breaks off tells nothing of that, and is begun again.
    const seen = new Set<string>();
    return {
      listed(object) {
        seen.add(keyOf(object.metadata));
        changed(object, "list");
      },
      deleted(object) {
        seen.delete(keyOf(object.metadata));
        deleted(object);
      },
      complete() {
        ownWrites.retain(seen);
        for (const key of store.keys()) {
          const held = store.get(key);
          if (held !== undefined && !seen.has(key)) remove(key, held, "list");
        }
        onListed();
      },
    };
  }

  return {
    listing,
    changed: (object) => changed(object, "watch"),
    deleted,
    get size() {
      return store.size;
    },
    get: (ref) => store.get(keyOf(ref)),
    values: () => store.values(),
    byIndex: (index, value) => store.byIndex(index, value),
    addHandler(handler) {
      for (const object of store.values()) tell(() => handler.added?.(object, "list"), [handler]);
      handlers.add(handler);
      return () => void handlers.delete(handler);
    },
    observe(written, before) {
      const key = keyOf(written.metadata);
      const { uid = "", resourceVersion = "" } = written.metadata;
      const held = store.get(key)?.metadata;
      if (held === undefined || held.uid !== uid || held.resourceVersion !== before) return false;
      // A write that changed nothing: there is no successor, and no event will come.
      if (resourceVersion === before) return true;
      ownWrites.wrote(key, uid, before);
      put(key, written, "write");
      return true;
    },
    resync() {
      for (const object of store.values()) tell((handler) => handler.updated?.(object, object, "resync"));
    },
  };
}

/** Without them, echoes, replacements and own writes could not be told apart. */
function checkIdentity(object: KubeObject, held: KubeObject): void {
  for (const field of ["name", "namespace", "uid", "resourceVersion"] as const) {
    if (held.metadata[field] !== object.metadata[field]) throw new TypeError(`trim must keep metadata.${field}`);
  }
}

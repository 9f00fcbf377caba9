/**
 * The store of the simulated API server: objects with a revision each, and a window of past events. What it promises is
 * what clients rely on: one counter for all, events in the order of the counter, nothing lost within the window, and an
 * honest "too old" beyond it.
 */
import type { KubeObject } from "../../core/types.ts";

export interface StoredEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly revision: number;
  readonly object: KubeObject;
  /** The object before; what a selector has to look at as well. */
  readonly former: KubeObject | undefined;
}

export interface ApiStore {
  /** The revision of the last write. */
  readonly revision: number;
  /** Sorted by key, as of a revision within the window; undefined: too old. */
  list(revision?: number): KubeObject[] | undefined;
  get(key: string): KubeObject | undefined;
  /** Creates or replaces. A replacement by something equal is none, and gives the object as it is. */
  put(object: KubeObject): KubeObject;
  remove(key: string): KubeObject | undefined;
  /** Events after this revision; undefined: too old. */
  since(revision: number): readonly StoredEvent[] | undefined;
  /** Forgets all but the last `keep` events. */
  compact(keep: number): void;
  /** Calls back after each write, until the returned function is called. */
  subscribe(listener: (event: StoredEvent) => void): () => void;
  readonly subscribers: number;
}

export function storeKey({ namespace, name }: { namespace?: string | undefined; name: string }): string {
  return `${namespace ?? ""}/${name}`;
}

export function createApiStore(window = 1000): ApiStore {
  const objects = new Map<string, KubeObject>();
  const listeners = new Set<(event: StoredEvent) => void>();
  let history: StoredEvent[] = [];
  let revision = 1000;
  /** Nothing is known of events up to and including this revision. */
  let compacted = revision;
  let uids = 0;

  function record(type: StoredEvent["type"], object: KubeObject, former: KubeObject | undefined): void {
    const event = { type, revision, object, former };
    history.push(event);
    if (history.length > window) compact(window);
    for (const listener of listeners) listener(event);
  }

  function compact(keep: number): void {
    const dropped = history.slice(0, Math.max(0, history.length - keep));
    compacted = dropped.at(-1)?.revision ?? compacted;
    history = history.slice(dropped.length);
  }

  function stamped(object: KubeObject, uid: string): KubeObject {
    revision++;
    return { ...object, metadata: { ...object.metadata, uid, resourceVersion: String(revision) } };
  }

  return {
    get revision() {
      return revision;
    },
    get subscribers() {
      return listeners.size;
    },
    list(at = revision) {
      if (at < compacted) return undefined;
      const then = new Map(objects);
      // Undo what happened since, newest first.
      for (const event of history.toReversed()) {
        if (event.revision <= at) break;
        const key = storeKey(event.object.metadata);
        if (event.former === undefined) then.delete(key);
        else then.set(key, event.former);
      }
      return [...then].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
    },
    get: (key) => objects.get(key),
    put(object) {
      const key = storeKey(object.metadata);
      const former = objects.get(key);
      if (former !== undefined && sameContent(former, object)) return former;
      const stored = stamped(object, former?.metadata.uid ?? `uid-${++uids}`);
      objects.set(key, stored);
      record(former === undefined ? "ADDED" : "MODIFIED", stored, former);
      return stored;
    },
    remove(key) {
      const former = objects.get(key);
      if (former === undefined) return undefined;
      objects.delete(key);
      const gone = stamped(former, former.metadata.uid ?? "");
      record("DELETED", gone, former);
      return gone;
    },
    since(from) {
      return from < compacted ? undefined : history.filter((event) => event.revision > from);
    },
    compact,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function sameContent(a: KubeObject, b: KubeObject): boolean {
  const content = (object: KubeObject): string =>
    JSON.stringify({ ...object, metadata: { ...object.metadata, uid: "", resourceVersion: "" } });
  return content(a) === content(b);
}

/**
 * Watches: from which moment on, what of a change a selector lets through, and the bookmarks in between.
 *
 * An object that comes to match is told as ADDED, one that ceases to match as DELETED (as it last matched, with the version of
 * the change), whatever happened to it.
 */
import {
  type Entry,
  keyOf,
  prefixOf,
  type RevisionedStore,
  StoreError,
  type StoreEvent,
  type Watch,
} from "../../store/index.ts";
import type { JsonObject } from "../json.ts";
import { groupVersionOf, type Kind, storageName } from "../kinds/kind.ts";
import { withMetadata } from "../lifecycle/metadata.ts";
import { canonicalObject } from "../protobuf/canonical.ts";
import { readRevision, tooLargeVersion, tooOldVersion } from "./list.ts";
import type { ObjectStore } from "./object-store.ts";

export interface WatchRequest {
  readonly namespace?: string | undefined;
  /** The one object that is asked for: nobody has to look at the others then. `matches` lets it alone through. */
  readonly name?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly sendInitialEvents?: boolean | undefined;
  readonly matches?: ((object: JsonObject) => boolean) | undefined;
}

export interface ObjectEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  readonly object: JsonObject;
}

export interface ObjectWatch {
  /** What is there now, where the request asks for it; read one by one, as they are asked for. To be read once. */
  readonly initial: Iterable<ObjectEvent>;
  /** The mark behind the initial events, where the request asks for it. */
  readonly initialEnd: ObjectEvent | undefined;
  /**
   * Every change after that, in order, as far as they are there, and at most about `limit`: none when there are none yet, undefined when
   * the watch is over. Throws 410 when the reader fell so far behind that a change could be missing.
   */
  take(limit?: number): readonly ObjectEvent[] | undefined;
  /** For who has taken all there is: calls once, when there may be more. What it calls must not throw. */
  whenMore(wake: () => void): void;
  /** Everything up to here was taken, or is not asked for. */
  readonly revision: number;
  stop(): void;
}

/** Throws `StatusError`: 410 when the version is too old, 504 when it is in the future, 400 when it is none. */
export function watchObjects(objects: ObjectStore, kind: Kind, request: WatchRequest): ObjectWatch {
  const { store } = objects;
  const prefix = prefixFor(kind, request);
  const asked = readRevision(request.resourceVersion ?? "");
  if (asked > store.revision) throw tooLargeVersion(asked, store.revision);
  // Without a version, the state as it is comes first; so it does when the request asks for it whatever its version.
  const tellsState = request.sendInitialEvents ?? asked === 0;
  const from = tellsState || asked === 0 ? store.revision : asked;
  const watch = open(store, prefix, from);
  const matches = request.matches ?? everything;
  const initial = tellsState ? added(objects, store.list({ prefix }).entries, matches) : NONE;
  const initialEnd =
    request.sendInitialEvents === true
      ? mark(kind, from, { annotations: { "k8s.io/initial-events-end": "true" } })
      : undefined;
  return new WatchOfObjects({ objects, watch, matches, initial, initialEnd });
}

const everything = (): boolean => true;

interface WatchParts extends Pick<ObjectWatch, "initial" | "initialEnd"> {
  readonly objects: ObjectStore;
  readonly watch: Watch;
  readonly matches: (object: JsonObject) => boolean;
}

// A class, as in store/watch.ts.
class WatchOfObjects implements ObjectWatch {
  readonly initial: Iterable<ObjectEvent>;
  readonly initialEnd: ObjectEvent | undefined;
  readonly #objects: ObjectStore;
  readonly #watch: Watch;
  readonly #matches: (object: JsonObject) => boolean;

  constructor({ objects, watch, matches, initial, initialEnd }: WatchParts) {
    this.initial = initial;
    this.initialEnd = initialEnd;
    this.#objects = objects;
    this.#watch = watch;
    this.#matches = matches;
  }

  get revision(): number {
    return this.#watch.revision;
  }

  take(limit?: number): readonly ObjectEvent[] | undefined {
    for (;;) {
      const events = takeFrom(this.#watch, this.#objects.store, limit);
      if (events === undefined) return undefined;
      if (events.length === 0) return NONE;
      const told: ObjectEvent[] = [];
      for (const event of events) {
        const change = tell(this.#objects, event, this.#matches);
        if (change !== undefined) told.push(change);
      }
      if (told.length > 0) return told;
    }
  }

  whenMore(wake: () => void): void {
    this.#watch.whenMore(wake);
  }

  stop(): void {
    this.#watch.stop();
  }
}

const NONE: readonly ObjectEvent[] = [];

/** With a name, keys that begin with this one are all that is left to look at. */
function prefixFor(kind: Kind, { namespace, name }: WatchRequest): string {
  const resource = storageName(kind);
  const isKnown = name !== undefined && (namespace !== undefined || !kind.namespaced);
  return isKnown ? keyOf({ resource, namespace, name }) : prefixOf(resource, namespace);
}

function* added(
  objects: ObjectStore,
  entries: readonly Entry[],
  matches: (object: JsonObject) => boolean,
): Generator<ObjectEvent, void> {
  for (const entry of entries) {
    const object = objects.read(entry);
    if (matches(object)) yield { type: "ADDED", object };
  }
}

function open(store: RevisionedStore, prefix: string, after: number): Watch {
  try {
    return store.watch(prefix, after);
  } catch (error) {
    if (error instanceof StoreError && error.reason === "Compacted") throw tooOldVersion(after, store.compacted);
    throw error;
  }
}

function takeFrom(watch: Watch, store: RevisionedStore, limit: number | undefined): readonly StoreEvent[] | undefined {
  try {
    return watch.take(limit);
  } catch (error) {
    if (error instanceof StoreError && error.reason === "Compacted")
      throw tooOldVersion(watch.revision, store.compacted);
    throw error;
  }
}

/** What a reader is told of a change; undefined for nothing. */
function tell(
  objects: ObjectStore,
  event: StoreEvent,
  matches: (object: JsonObject) => boolean,
): ObjectEvent | undefined {
  const before = event.type === "created" ? undefined : objects.read(event.previous);
  const after = event.type === "deleted" ? undefined : objects.read(event.entry);
  const matched = before !== undefined && matches(before);
  if (after !== undefined && matches(after)) return { type: matched ? "MODIFIED" : "ADDED", object: after };
  return matched ? { type: "DELETED", object: lastSeen(event, before) } : undefined;
}

/** Many watchers are told of one end: it is the same object for all of them. */
const ends = new WeakMap<StoreEvent, JsonObject>();

function lastSeen(event: StoreEvent, before: JsonObject): JsonObject {
  const known = ends.get(event);
  if (known !== undefined) return known;
  const end = withMetadata(before, { resourceVersion: String(event.revision) });
  ends.set(event, end);
  return end;
}

/** How far a watch has come, as an event of its own. */
export function bookmark(kind: Kind, revision: number): ObjectEvent {
  return mark(kind, revision, {});
}

/** An object with nothing but the version, as the server shows one that is empty: how far the watch has come. */
function mark(kind: Kind, revision: number, metadata: Readonly<Record<string, JsonObject>>): ObjectEvent {
  const object = {
    kind: kind.kind,
    apiVersion: groupVersionOf(kind),
    metadata: { resourceVersion: String(revision), ...metadata },
  };
  return { type: "BOOKMARK", object: canonicalObject(object) };
}

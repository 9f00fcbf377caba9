/**
 * Objects in the store: what is stored is the object's text with its resourceVersion in it, which is the revision of the write
 * that made it. What is read often is parsed once per version; what nobody reads takes the memory of its text alone.
 */
import { canBePart, type Entry, keyOf, prefixOf, type RevisionedStore, StoreError } from "../../store/index.ts";
import type { JsonObject } from "../json.ts";
import { type Kind, storageName } from "../kinds/kind.ts";
import { textOf, withMetadata } from "../lifecycle/metadata.ts";
import { alreadyExists, modified, notFound } from "../lifecycle/refusals.ts";
import { tooLarge } from "../status-error.ts";
import { createRecent } from "./recent.ts";

export interface ObjectStore {
  readonly store: RevisionedStore;
  /** Undefined when there is none. Shared: look, don't touch. */
  find(kind: Kind, namespace: string | undefined, name: string): JsonObject | undefined;
  /** The same, unread. */
  entry(kind: Kind, namespace: string | undefined, name: string): Entry | undefined;
  /** Throws 404. */
  get(kind: Kind, namespace: string | undefined, name: string): JsonObject;
  /** Every object of a kind, in one namespace or in all, in the order of their keys. Shared as well. */
  all(kind: Kind, namespace?: string): JsonObject[];
  /** Rejects with 409 when there is one of that name. The object has its name and namespace already. */
  create(kind: Kind, object: JsonObject): Promise<JsonObject>;
  /** Rejects with 409 when `stored` is no longer what is there. Writes nothing when both are the same object. */
  replace(kind: Kind, stored: JsonObject, next: JsonObject): Promise<JsonObject>;
  /** Rejects like `replace`. Gives the object as it was, with the revision of its end. */
  remove(kind: Kind, stored: JsonObject): Promise<JsonObject>;
  /** The object of an entry. */
  read(entry: Entry): JsonObject;
  /** The text of an object that was read here, or written a moment ago, as it is stored; undefined for any other. */
  textOf(object: JsonObject): string | undefined;
}

/** Characters of objects that stay parsed: enough for what controllers and watchers work on, little beside a large cluster. */
const REMEMBERED = 2 ** 19;

/**
 * The same of what was only written. Watchers read it at once or nobody does; kept for longer, every new object would outlive
 * its youth, and the garbage collector would have to move each.
 */
const JUST_WRITTEN = 2 ** 16;

/** No object is larger, however it came to be: patches could otherwise make one grow for ever. A body is no larger either. */
const MAX_CHARACTERS = 3 * 2 ** 20;

export function createObjectStore(store: RevisionedStore): ObjectStore {
  const weightOf = ({ value }: Entry): number => value.length;
  const parsed = createRecent<Entry, JsonObject>(REMEMBERED, weightOf);
  const justWritten = createRecent<Entry, JsonObject>(JUST_WRITTEN, weightOf);
  /** Of what was read. What was only written is not in here: a WeakMap with all that is made is dear to the garbage collector. */
  const texts = new WeakMap<JsonObject, string>();
  const writtenTexts = createRecent<JsonObject, string>(JUST_WRITTEN, (_, text) => text.length);

  function read(entry: Entry): JsonObject {
    const known = parsed.get(entry);
    if (known !== undefined) return known;
    const object = justWritten.get(entry) ?? (JSON.parse(entry.value) as JsonObject);
    parsed.set(entry, object);
    texts.set(object, entry.value);
    return object;
  }

  /** Writes the object under its revision; what was written needs no reading. */
  async function written(
    object: JsonObject,
    write: (textAt: (revision: number) => string) => Promise<Entry>,
  ): Promise<JsonObject> {
    let made = object;
    const entry = await write((revision) => {
      made = withMetadata(object, { resourceVersion: String(revision) });
      const text = JSON.stringify(made);
      if (text.length > MAX_CHARACTERS) throw tooLarge(`limit is ${MAX_CHARACTERS}`);
      return text;
    });
    justWritten.set(entry, made);
    writtenTexts.set(made, entry.value);
    return made;
  }

  /** Plugins look for what somebody wrote, a class or an account of whatever name: what can have no key is not there. */
  const entryOf: ObjectStore["entry"] = (kind, namespace, name) =>
    canBePart(name) && (namespace === undefined || canBePart(namespace))
      ? store.get(keyOf({ resource: storageName(kind), namespace, name }))
      : undefined;

  function find(kind: Kind, namespace: string | undefined, name: string): JsonObject | undefined {
    const entry = entryOf(kind, namespace, name);
    return entry === undefined ? undefined : read(entry);
  }

  return {
    store,
    read,
    find,
    entry: entryOf,
    textOf: (object) => writtenTexts.get(object) ?? texts.get(object),
    all(kind, namespace) {
      const prefix = prefixOf(storageName(kind), namespace);
      // Of what every write asks for, limits above all, there is mostly none.
      return store.count(prefix) === 0 ? [] : store.list({ prefix }).entries.map(read);
    },

    get(kind, namespace, name) {
      const found = find(kind, namespace, name);
      if (found === undefined) throw notFound(kind, name);
      return found;
    },

    async create(kind, object) {
      try {
        return await written(object, (textAt) => store.create(keyFor(kind, object), textAt));
      } catch (error) {
        if (!(error instanceof StoreError) || error.reason !== "Exists") throw error;
        const deleting = error.current !== undefined && textOf(read(error.current), "deletionTimestamp") !== "";
        throw alreadyExists(kind, textOf(object, "name"), deleting);
      }
    },

    async replace(kind, stored, next) {
      if (next === stored) return stored;
      const update = written(next, (textAt) => store.update(keyFor(kind, stored), revisionOf(stored), textAt));
      return refusing(kind, stored, update);
    },

    async remove(kind, stored) {
      const { revision } = await refusing(kind, stored, store.delete(keyFor(kind, stored), revisionOf(stored)));
      return withMetadata(stored, { resourceVersion: String(revision) });
    },
  };
}

function keyFor(kind: Kind, object: JsonObject): string {
  const namespace = kind.namespaced ? textOf(object, "namespace") : undefined;
  return keyOf({ resource: storageName(kind), namespace, name: textOf(object, "name") });
}

function revisionOf(object: JsonObject): number {
  return Number(textOf(object, "resourceVersion"));
}

async function refusing<T>(kind: Kind, stored: JsonObject, write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (error.reason === "Conflict") throw modified(kind, textOf(stored, "name"));
    throw error.reason === "NotFound" ? notFound(kind, textOf(stored, "name")) : error;
  }
}

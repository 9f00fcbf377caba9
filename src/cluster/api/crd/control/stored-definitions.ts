/**
 * Definitions as they are stored, each read once per version: for every change of one the controller looks at all of them, and one may have
 * megabytes.
 */
import { type Entry, prefixOf } from "../../../store/index.ts";
import type { JsonObject } from "../../json.ts";
import { storageName } from "../../kinds/kind.ts";
import { textOf } from "../../lifecycle/metadata.ts";
import type { ObjectStore } from "../../objects/object-store.ts";
import { DEFINITIONS } from "../definition/definition.ts";

/** In characters. */
const LARGE = 2 ** 15;

export interface StoredDefinitions {
  all(): readonly JsonObject[];
  find(name: string): JsonObject | undefined;
  /** Their texts, unread. */
  texts(): readonly string[];
  /** Whether so much is stored of it that to read it takes tens of milliseconds. */
  isLarge(definition: JsonObject): boolean;
  /** Writes `next` over a definition that was found here, and knows it then without reading it. Rejects as the store of objects does. */
  replace(definition: JsonObject, next: JsonObject): Promise<void>;
}

export function storedDefinitions(objects: ObjectStore): StoredDefinitions {
  const { store } = objects;
  const known = new WeakMap<Entry, JsonObject>();
  const entries = (): readonly Entry[] => store.list({ prefix: prefixOf(storageName(DEFINITIONS)) }).entries;

  function read(entry: Entry): JsonObject {
    const definition = known.get(entry) ?? objects.read(entry);
    known.set(entry, definition);
    return definition;
  }

  return {
    all: () => entries().map(read),
    texts: () => entries().map(({ value }) => value),
    isLarge(definition) {
      const entry = objects.entry(DEFINITIONS, undefined, textOf(definition, "name"));
      return entry !== undefined && entry.value.length >= LARGE;
    },
    find(name) {
      const entry = objects.entry(DEFINITIONS, undefined, name);
      return entry === undefined ? undefined : read(entry);
    },
    async replace(definition, next) {
      const written = await objects.replace(DEFINITIONS, definition, next);
      const entry = objects.entry(DEFINITIONS, undefined, textOf(written, "name"));
      // Somebody may have written again meanwhile.
      if (entry !== undefined && String(entry.revision) === textOf(written, "resourceVersion"))
        known.set(entry, written);
    },
  };
}

/**
 * Sorted keys, filed by what stands in front of their first slash, which is the resource. Every write asks whether there are
 * webhooks, limits and quotas: where there are none of a resource, that is seen without a look at any other.
 */
import { endOfPrefix } from "./keys.ts";
import { createSortedKeys, type SortedKeys } from "./sorted-keys.ts";

/** Begins with these keys, in whatever order; each of them once. */
export function createFiledKeys(keys: Iterable<string> = []): SortedKeys {
  const files = new Map<string, SortedKeys>();
  for (const [name, filed] of Map.groupBy(keys, nameOf)) files.set(name, createSortedKeys(filed));

  return {
    get size() {
      return files.values().reduce((sum, file) => sum + file.size, 0);
    },

    add(key) {
      const name = nameOf(key);
      const file = files.get(name);
      if (file === undefined) files.set(name, createSortedKeys([key]));
      else file.add(key);
    },

    delete(key) {
      const name = nameOf(key);
      const file = files.get(name);
      file?.delete(key);
      if (file?.size === 0) files.delete(name);
    },

    range(from, to, limit) {
      const name = nameOf(from);
      if (isWithin(name, to)) return files.get(name)?.range(from, to, limit) ?? [];
      const found = [...files.values()].flatMap((file) => file.range(from, to)).sort();
      return limit === undefined ? found : found.slice(0, limit);
    },

    count(from, to) {
      const name = nameOf(from);
      if (isWithin(name, to)) return files.get(name)?.count(from, to) ?? 0;
      return files.values().reduce((sum, file) => sum + file.count(from, to), 0);
    },

    countOf(prefix) {
      const name = nameOf(prefix);
      // Most ask whether there are any of a resource, and mostly there is not even a file.
      if (name !== "") return files.get(name)?.countOf(prefix) ?? 0;
      return files.values().reduce((sum, file) => sum + file.countOf(prefix), 0);
    },
  };
}

/** `pods/` for `pods/prod/db-0`; empty for what has no slash. */
function nameOf(key: string): string {
  return key.slice(0, key.indexOf("/") + 1);
}

/** Whether all that lies before `to`, from a key of this file on, is in this file. */
function isWithin(name: string, to: string | undefined): boolean {
  return name !== "" && to !== undefined && (to.startsWith(name) || to === endOfPrefix(name));
}

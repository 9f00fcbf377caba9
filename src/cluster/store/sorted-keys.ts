/**
 * A set of keys in their order. Kept in chunks, so that taking one in or out moves a few hundred at most, however many there
 * are: the cost of a write must not grow with the number of objects.
 */
import { endOfPrefix } from "./keys.ts";

/** Chunks split in two when they grow past this. */
const MAX_CHUNK = 512;

export interface SortedKeys {
  readonly size: number;
  /** Does nothing when it is there already. */
  add(key: string): void;
  /** Does nothing when it is not there. */
  delete(key: string): void;
  /** Up to `limit` keys from `from` on and before `to`, in order; to the end when `to` is undefined. */
  range(from: string, to: string | undefined, limit?: number): string[];
  /** How many keys `range` would give without a limit. */
  count(from: string, to: string | undefined): number;
  /** How many keys begin with this. */
  countOf(prefix: string): number;
}

/** Begins with these keys, in whatever order; each of them once. */
export function createSortedKeys(keys: Iterable<string> = []): SortedKeys {
  const sorted = [...keys].sort();
  let size = sorted.length;
  const chunks: string[][] = [];
  for (let at = 0; at < size; at += MAX_CHUNK / 2) chunks.push(sorted.slice(at, at + MAX_CHUNK / 2));

  /** The chunk that a key is in, or would be put into. */
  const chunkOf = (key: string): number => Math.max(0, firstWhere(chunks, (chunk) => (chunk[0] ?? "") > key) - 1);
  const placeIn = (chunk: readonly string[], key: string): number => firstWhere(chunk, (each) => each >= key);

  const count: SortedKeys["count"] = (from, to) => {
    const first = chunkOf(from);
    const last = to === undefined ? chunks.length : chunkOf(to);
    let found = (to === undefined ? 0 : placeIn(chunks[last] ?? [], to)) - placeIn(chunks[first] ?? [], from);
    for (let at = first; at < last; at++) found += chunks[at]?.length ?? 0;
    return Math.max(0, found);
  };

  return {
    get size() {
      return size;
    },
    add(key) {
      const index = chunkOf(key);
      const chunk = chunks[index];
      if (chunk === undefined) {
        chunks.push([key]);
        size++;
        return;
      }
      const place = placeIn(chunk, key);
      if (chunk[place] === key) return;
      chunk.splice(place, 0, key);
      size++;
      if (chunk.length > MAX_CHUNK) chunks.splice(index + 1, 0, chunk.splice(MAX_CHUNK / 2));
    },
    delete(key) {
      const index = chunkOf(key);
      const chunk = chunks[index] ?? [];
      const place = placeIn(chunk, key);
      if (chunk[place] !== key) return;
      chunk.splice(place, 1);
      size--;
      if (chunk.length === 0) chunks.splice(index, 1);
    },
    range(from, to, limit = size) {
      const found: string[] = [];
      let index = chunkOf(from);
      let place = placeIn(chunks[index] ?? [], from);
      for (; index < chunks.length; index++, place = 0) {
        const chunk = chunks[index] ?? [];
        for (; place < chunk.length; place++) {
          const key = chunk[place];
          if (key === undefined || found.length >= limit || (to !== undefined && key >= to)) return found;
          found.push(key);
        }
      }
      return found;
    },
    count,
    countOf: (prefix) => count(prefix, endOfPrefix(prefix)),
  };
}

/** The first place whose item fits, given that all behind it do as well; the length when none does. */
function firstWhere<T>(items: readonly T[], fits: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (fits(items[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** What was used lately: cheap to ask, bounded in what it weighs. */

export interface Recent<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
}

/** Keeps what was used last, up to `limit` by weight, and at most as much that is older. */
export function createRecent<K, V>(limit: number, weightOf: (key: K, value: V) => number): Recent<K, V> {
  let young = new Map<K, V>();
  let old = new Map<K, V>();
  let weight = 0;

  function set(key: K, value: V): void {
    if (weight >= limit) {
      old = young;
      young = new Map();
      weight = 0;
    }
    young.set(key, value);
    weight += weightOf(key, value);
  }

  return {
    set,
    get(key) {
      const found = young.get(key);
      if (found !== undefined) return found;
      const older = old.get(key);
      if (older !== undefined) set(key, older);
      return older;
    },
  };
}

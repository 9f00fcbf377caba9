/** A map of limited size: what was not asked for the longest goes first. */
export interface Lru<V> {
  readonly size: number;
  /** The value, made anew where there is none. */
  getOrCreate(key: string, create: () => V): V;
}

export function createLru<V>(limit: number): Lru<V> {
  const entries = new Map<string, V>();
  return {
    get size() {
      return entries.size;
    },
    getOrCreate(key, create) {
      const value = entries.get(key) ?? create();
      // The order of a Map is that of insertion: what was used last goes last.
      entries.delete(key);
      entries.set(key, value);
      const oldest = entries.size > limit ? entries.keys().next().value : undefined;
      if (oldest !== undefined) entries.delete(oldest);
      return value;
    },
  };
}

/** The same function, which makes its answer when it is first asked. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/**
 * The same function, which makes its answer once for each thing that it is asked about, and keeps it for as long as that thing
 * is there. For what never changes and is asked about often: rows of the table of kinds, lists that thousands are looked up in.
 */
export function oncePer<K extends object, V extends object | boolean>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<K, V>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}

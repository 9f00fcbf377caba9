/** Something for each of many kinds, by what their objects say of themselves. Asked many times for every request: no text is made to ask. */
export interface KindTable<T> {
  get(apiVersion: string, kind: string): T | undefined;
}

/** Rows begin with `apps/v1/StatefulSet`. */
export function kindTable<T>(rows: Iterable<readonly [name: string, value: T]>): KindTable<T> {
  const versions = new Map<string, Map<string, T>>();
  for (const [name, value] of rows) {
    const slash = name.lastIndexOf("/");
    const apiVersion = name.slice(0, slash);
    const kinds = versions.get(apiVersion) ?? new Map<string, T>();
    versions.set(apiVersion, kinds.set(name.slice(slash + 1), value));
  }
  return { get: (apiVersion, kind) => versions.get(apiVersion)?.get(kind) };
}

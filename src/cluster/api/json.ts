/** Plain JSON: what requests carry, what is stored, what patches work on. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Whether the object itself has the key: `constructor` and its like are names as good as any other. */
export function has(object: JsonObject, key: string): boolean {
  return Object.hasOwn(object, key);
}

/** The value under a key of the object itself. */
export function get(object: JsonObject, key: string): Json | undefined {
  return has(object, key) ? object[key] : undefined;
}

/** An object with these entries; `__proto__` is a key like any other. */
export function fromEntries(entries: Iterable<readonly [string, Json]>): JsonObject {
  return Object.fromEntries(entries);
}

/** The object with each value replaced; `__proto__` is a key like any other. */
export function mapValues(object: JsonObject, map: (value: Json, key: string) => Json): JsonObject {
  const mapped: Record<string, Json> = {};
  for (const key of Object.keys(object)) {
    const value = map(object[key] ?? null, key);
    if (key === "__proto__")
      Object.defineProperty(mapped, key, { value, enumerable: true, configurable: true, writable: true });
    else mapped[key] = value;
  }
  return mapped;
}

/** Whether two values are the same JSON: the order of keys says nothing, a key with null differs from none. */
export function jsonEqual(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (isList(a))
    return isList(b) && a.length === b.length && a.every((item, index) => jsonEqual(item, b[index] ?? null));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => has(b, key) && jsonEqual(get(a, key) ?? null, get(b, key) ?? null))
  );
}

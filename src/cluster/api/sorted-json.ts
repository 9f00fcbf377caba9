/** JSON with the keys of its objects in order, as Go writes maps: one text for one value. */
import { fromEntries, isList, isObject, type Json } from "./json.ts";

export function sorted(value: Json): Json {
  if (isList(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)] as const),
  );
}

export function textOfJson(value: Json): string {
  return JSON.stringify(sorted(value));
}

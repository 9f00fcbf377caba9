/** Where an item of a list stands, found without a walk along the list for each: a body has room for a hundred thousand. */
import { get, isObject, type Json, type JsonObject } from "../json.ts";
import { textOfJson } from "../sorted-json.ts";
import { internalError } from "../status-error.ts";
import { goText, goType } from "./go-text.ts";

/** The place of the first item that is the same, by `key` if there is one; -1 for none. */
export type PlaceOf = (item: Json) => number;

/**
 * Items are looked at one after the other, as Kubernetes does: one that is no object, or does not have the key, is an error for whoever has to
 * look beyond it.
 */
export function placesIn(list: readonly Json[], key: string | undefined): PlaceOf {
  const places = new Map<Json, number>();
  if (key === undefined) {
    for (const [place, item] of list.entries()) if (!places.has(item)) places.set(item, place);
    return (item) => places.get(item) ?? -1;
  }
  let barred: Json | undefined;
  for (const [place, item] of list.entries()) {
    const value = isObject(item) ? get(item, key) : undefined;
    if (value === undefined) {
      barred = item;
      break;
    }
    const text = keyText(value);
    if (!places.has(text)) places.set(text, place);
  }
  return (item) => {
    if (list.length === 0) return -1;
    const found = places.get(keyText(keyOf(objectItem(item), key)));
    if (found !== undefined) return found;
    if (barred !== undefined) keyOf(objectItem(barred), key);
    return -1;
  };
}

/** One text for one value of a key: those of two values differ. */
export function keyText(value: Json): string {
  return typeof value === "string" ? `"${value}` : textOfJson(value);
}

/** Throws `StatusError` 500 for an item without the key, as Kubernetes. */
export function keyOf(item: JsonObject, key: string): Json {
  const value = get(item, key);
  if (value === undefined) {
    throw internalError(`map: ${goText(item)} does not contain declared merge key: ${key}`);
  }
  return value;
}

/** Throws `StatusError` 500 for what is no object. */
export function objectItem(item: Json): JsonObject {
  if (!isObject(item)) throw internalError(`expected a map[string]interface {}, but received a ${goType(item)}`);
  return item;
}

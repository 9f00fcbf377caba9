/** Lists with a schema: in order, or sets and maps whose order says nothing. */
import type { Schema } from "../../crd/schema/schema.ts";
import { get, isObject, type Json } from "../../json.ts";
import { MAX_SIZE, TOO_LONG } from "../value/collections.ts";
import { equalItems } from "../value/equal.ts";
import { toJson } from "../value/json.ts";
import { type CelError, isError, type List, type Value } from "../value/value.ts";

/** `read` makes a value of an item: lists and what is in them know each other. */
export function typedList(json: readonly Json[], schema: Schema, read: (item: Json) => Value | CelError): List {
  const keyOf = keyFor(schema);
  const list: List = {
    kind: "list",
    size: json.length,
    get: (index) => read(json[index] ?? null),
    plus(other) {
      if (json.length + other.size > MAX_SIZE) return TOO_LONG;
      const more = jsonOf(other);
      return isError(more) ? more : typedList(joined(json, more, keyOf), schema, read);
    },
    contains(value) {
      let failed: CelError | undefined;
      for (let index = 0; index < json.length; index++) {
        const answer = equalItems(this.get(index), value);
        if (answer === true) return true;
        if (isError(answer)) failed ??= answer;
      }
      return failed ?? false;
    },
    equals(other) {
      return equalLists(this, other, json, schema, keyOf);
    },
    json,
  };
  return list;
}

/** What tells an item of a set or a map from the others; undefined for a list that keeps its order. */
function keyFor({ listType, listKeys }: Schema): ((item: Json) => string) | undefined {
  if (listType === "set") return (item) => JSON.stringify(item);
  if (listType !== "map") return undefined;
  return (item) => JSON.stringify(listKeys.map((key) => (isObject(item) ? (get(item, key) ?? null) : null)));
}

function equalLists(
  list: List,
  other: List,
  json: readonly Json[],
  schema: Schema,
  keyOf: ((item: Json) => string) | undefined,
): boolean | CelError {
  if (list.size !== other.size) return false;
  if (keyOf === undefined) {
    for (let index = 0; index < list.size; index++) {
      const answer = equalItems(list.get(index), other.get(index));
      if (answer !== true) return answer;
    }
    return true;
  }
  const places = new Map(json.map((item, index) => [keyOf(item), index]));
  for (let index = 0; index < other.size; index++) {
    const item = other.get(index);
    const written = isError(item) ? item : toJson(item);
    if (isError(written)) return written;
    const place = places.get(keyOf(written));
    if (place === undefined) return false;
    if (schema.listType === "set") continue;
    const answer = equalItems(list.get(place), item);
    if (answer !== true) return answer;
  }
  return true;
}

function jsonOf(list: List): readonly Json[] | CelError {
  const json = toJson(list);
  return isError(json) ? json : (json as readonly Json[]);
}

/** Sets are united; of maps, the items of the second stand in the place of those with the same key. */
function joined(
  first: readonly Json[],
  second: readonly Json[],
  keyOf: ((item: Json) => string) | undefined,
): readonly Json[] {
  if (keyOf === undefined) return [...first, ...second];
  const places = new Map(first.map((item, index) => [keyOf(item), index]));
  const items = [...first];
  for (const item of second) {
    const key = keyOf(item);
    const place = places.get(key);
    if (place !== undefined) items[place] = item;
    else {
      places.set(key, items.length);
      items.push(item);
    }
  }
  return items;
}

/** A value and the one that it replaces, side by side: k8s.io/apiserver/pkg/cel/common/equality.go. */
import { entriesOf, get, has, isList, isObject, type Json, type JsonObject, jsonEqual } from "../../json.ts";
import { oncePer } from "../../once-per.ts";
import { itemWithKeys } from "../schema/items-by-key.ts";
import { type Schema, schemaOfKey } from "../schema/schema.ts";

export interface Correlation {
  readonly value: Json;
  readonly old: Json;
  readonly schema: Schema;
}

/**
 * What stands where, for who wants to know whether an error is new: the pair at this place, or, where there is no saying what
 * replaces what, the nearest pair around it.
 */
export interface Ratchet {
  readonly current: Correlation | undefined;
  readonly parent: Correlation | undefined;
}

export const NOTHING_BEFORE: Ratchet = { current: undefined, parent: undefined };

/** Whether what is wrong here was so before: nothing has changed. */
export function isUnchanged({ current, parent }: Ratchet): boolean {
  const pair = current ?? parent;
  return pair !== undefined && isSamePair(pair);
}

/** All items of a list that cannot be told apart ask about the list. */
const isSamePair = oncePer(({ value, old, schema }: Correlation) => isSame(value, old, schema));

/** Equal along the schema: what it does not know counts as changed, and lists of type `map` have no order. */
function isSame(value: Json, old: Json, schema: Schema): boolean {
  if (isList(value) && isList(old)) {
    if (value.length !== old.length) return false;
    if (schema.listType !== "map" || schema.items === undefined) return jsonEqual(value, old);
    const { items } = schema;
    return value.every((item) => {
      const before = itemBefore(schema, old, item);
      return before !== undefined && isSame(item, before, items);
    });
  }
  if (!isObject(value) || !isObject(old)) return jsonEqual(value, old);
  if (Object.keys(value).length !== Object.keys(old).length) return false;
  return entriesOf(value).every(([key, inner]) => {
    const known = schemaOfKey(schema, key);
    return known !== undefined && has(old, key) && isSame(inner, get(old, key) ?? null, known);
  });
}

export function atKey(ratchet: Ratchet, key: string): Ratchet {
  const { current, parent } = ratchet;
  if (current === undefined) return ratchet;
  // Both versions of an object are shown in the same one: whether it was another before cannot be seen.
  if (parent === undefined && (key === "apiVersion" || key === "kind")) return NOTHING_BEFORE;
  const { value, old, schema } = current;
  const inner = schemaOfKey(schema, key);
  const isPair = isObject(value) && isObject(old) && has(value, key) && has(old, key) && inner !== undefined;
  return {
    current: isPair ? { value: get(value, key) ?? null, old: get(old, key) ?? null, schema: inner } : undefined,
    parent: current,
  };
}

/** Only items of maps can be told apart. */
export function atIndex(ratchet: Ratchet, index: number): Ratchet {
  const { current } = ratchet;
  if (current === undefined) return ratchet;
  const { value, old, schema } = current;
  const item = isList(value) ? value[index] : undefined;
  const before = item === undefined ? undefined : itemBefore(schema, old, item);
  const isPair = item !== undefined && before !== undefined && schema.items !== undefined;
  return { current: isPair ? { value: item, old: before, schema: schema.items } : undefined, parent: current };
}

/** The item of a list of type `map` that has the same keys; undefined where there is none, and for any other list. */
export function itemBefore(schema: Schema, old: Json | undefined, item: Json): Json | undefined {
  const { listType, listKeys, items } = schema;
  if (listType !== "map" || listKeys.length === 0 || !isList(old) || !isObject(item)) return undefined;
  const keyOf = (each: JsonObject, key: string): Json => get(each, key) ?? items?.properties.get(key)?.fallback ?? null;
  return itemWithKeys(old, schema, (each) => listKeys.map((key) => keyOf(each, key)), item);
}

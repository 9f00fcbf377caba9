/** The items of a list that are told apart by keys, found without a walk along the list for each. */
import { isObject, type Json, type JsonObject } from "../../json.ts";
import { textOfJson } from "../../sorted-json.ts";

type KeyOf = (item: JsonObject) => readonly Json[];

/**
 * The first item with the same key as `item`. What was read of a list is kept as long as the list is; `by` says who reads it: one who
 * reads the same list with other keys is another.
 */
export function itemWithKeys(list: readonly Json[], by: object, keyOf: KeyOf, item: JsonObject): Json | undefined {
  const known = INDEXES.get(list);
  const items = known?.by === by ? known.items : indexOf(list, keyOf);
  if (known?.by !== by) INDEXES.set(list, { by, items });
  return items.get(textOfJson(keyOf(item)));
}

const INDEXES = new WeakMap<readonly Json[], { readonly by: object; readonly items: ReadonlyMap<string, Json> }>();

function indexOf(list: readonly Json[], keyOf: KeyOf): ReadonlyMap<string, Json> {
  const items = new Map<string, Json>();
  for (const item of list) {
    if (!isObject(item)) continue;
    const text = textOfJson(keyOf(item));
    if (!items.has(text)) items.set(text, item);
  }
  return items;
}

/** How a strategic merge patch merges and orders a list. */
import { get, has, isList, isObject, type Json, type JsonObject } from "../json.ts";
import type { FieldType } from "../schema/types.ts";
import { internalError, unprocessable } from "../status-error.ts";
import { goText, goType } from "./go-text.ts";
import { keyOf, keyText, objectItem, placesIn } from "./list-places.ts";

/** What the schema says of a list that a patch touches. */
export interface ListMeta {
  readonly item: FieldType;
  /** Whether a patch merges the list at all. */
  readonly merge: boolean;
  /** The field that tells items apart; none for a list of scalars. */
  readonly key?: string;
}

type MergeObject = (original: JsonObject, patch: JsonObject, type: FieldType) => JsonObject;

/**
 * The list after the patch: what the patch names comes in the patch's order, the rest keeps its own, and where the two
 * meet, the old order decides. `deletes`: the patch names scalars to take out.
 */
export function mergeList(
  original: readonly Json[],
  patch: readonly Json[],
  meta: ListMeta,
  deletes: boolean,
  mergeObject: MergeObject,
): readonly Json[] {
  if (original.length === 0 && patch.length === 0) return original;
  if (itemKind(original, patch) !== "map") {
    const named = new Set(patch);
    if (deletes) return original.filter((item) => !named.has(item));
    return arrange([...new Set([...original, ...patch])], patch, original, undefined);
  }
  const { key } = meta;
  if (key === undefined) throw internalError("cannot merge lists without merge key for struct");
  const { live, wanted } = withoutSpecialItems(original as JsonObject[], patch as JsonObject[], key);
  return arrange(mergeItems(live, wanted, key, meta.item, mergeObject), wanted, live, key);
}

/** Carries out `$patch` in items: `delete` takes the item with the same key out, `replace` takes all others out. */
function withoutSpecialItems(original: readonly JsonObject[], patch: readonly JsonObject[], key: string) {
  const deleted = new Set<string>();
  let replace = false;
  const wanted: JsonObject[] = [];
  for (const item of patch) {
    const directive = get(item, "$patch");
    if (directive === undefined) {
      wanted.push(item);
    } else if (directive === "delete") {
      deleted.add(keyText(keyOf(item, key)));
    } else if (directive === "replace") {
      replace = true;
    } else if (directive === "merge") {
      throw internalError("merging lists cannot yet be specified in the patch");
    } else {
      throw internalError(`unknown patch type: ${goText(directive)} in map: ${goText(item)}`);
    }
  }
  if (replace) return { live: wanted, wanted: [] };
  const isLeft = (each: JsonObject): boolean => {
    const value = get(each, key);
    return value === undefined || !deleted.has(keyText(value));
  };
  return { live: deleted.size === 0 ? original : original.filter(isLeft), wanted };
}

function mergeItems(
  live: readonly JsonObject[],
  wanted: readonly JsonObject[],
  key: string,
  type: FieldType,
  mergeObject: MergeObject,
): JsonObject[] {
  const merged = [...live];
  const places = placesByKey(live, key);
  for (const item of wanted) {
    const text = keyText(keyOf(item, key));
    const same = places.get(text);
    const place = same?.at(-1);
    if (place === undefined) {
      places.set(text, [merged.push(item) - 1]);
      continue;
    }
    const next = mergeObject(merged[place] ?? {}, item, type);
    merged[place] = next;
    // A key that is null goes by being merged: the item is not found by it again.
    if (!has(next, key)) same?.pop();
  }
  return merged;
}

/** Where the items of each key stand, the first of them last. Items without one are found by nobody. */
function placesByKey(items: readonly JsonObject[], key: string): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (let place = items.length - 1; place >= 0; place--) {
    const value = get(items[place] ?? {}, key);
    if (value === undefined) continue;
    const text = keyText(value);
    const same = places.get(text);
    if (same === undefined) places.set(text, [place]);
    else same.push(place);
  }
  return places;
}

interface OrderTools {
  readonly mergeObject: MergeObject;
  /** A list that is new, without the directives in it. */
  readonly fresh: (items: readonly Json[]) => readonly Json[];
}

/** The list after a patch with a `$setElementOrder`; undefined when there is none, neither before nor in the patch. */
export function orderList(
  live: readonly Json[] | undefined,
  patch: readonly Json[] | undefined,
  order: readonly Json[],
  meta: ListMeta,
  { mergeObject, fresh }: OrderTools,
): readonly Json[] | undefined {
  const { key } = meta;
  // A list of structures that is not merged cannot be ordered; upstream breaks down over it.
  if (key === undefined && [...order, ...(live ?? []), ...(patch ?? [])].some(isObject)) throw unprocessable();
  checkOrder(patch ?? [], order, key);
  if (live === undefined && patch === undefined) return undefined;
  let merged: readonly Json[];
  if (patch === undefined) merged = live ?? [];
  else if (live === undefined) merged = fresh(patch);
  else merged = meta.merge ? mergeList(live, patch, meta, false, mergeObject) : patch;
  itemKind(live ?? [], patch ?? []);
  return arrange(merged, order, live ?? [], key);
}

/** What the patch brings must come in the order that it states, and be part of it. */
function checkOrder(patch: readonly Json[], order: readonly Json[], key: string | undefined): void {
  if (patch.length === 0 || order.length === 0) return;
  if (key !== undefined) patch.forEach((item) => objectItem(item));
  const stated = patch.filter((item) => !isObject(item) || !has(item, "$patch"));
  let next = 0;
  for (const entry of order) {
    const item = stated[next];
    if (item === undefined) break;
    if (sameItem(item, entry, key)) next++;
  }
  if (next < stated.length) {
    throw internalError(
      `The order in patch list:\n${goText(patch)}\n doesn't match $setElementOrder list:\n${goText(order)}\n`,
    );
  }
}

/**
 * Items that `order` names in its order, the others in the order they had, merged: of the next of each, the one that the
 * old order has first if it has both, else the named one.
 */
function arrange(
  items: readonly Json[],
  order: readonly Json[],
  before: readonly Json[],
  key: string | undefined,
): readonly Json[] {
  const [inOrder, inBefore] = [placesIn(order, key), placesIn(before, key)];
  const placed = items.map((item) => ({ item, place: inOrder(item) }));
  const named = placed.filter(({ place }) => place >= 0).sort(byPlace);
  const unnamed = placed.filter(({ place }) => place < 0);
  if (named.length === 0 && unnamed.length < 2) return items;
  const others = unnamed.map(({ item }) => ({ item, place: inBefore(item) })).sort(byPlace);
  const arranged: Json[] = [];
  let next = 0;
  for (const { item } of named) {
    const at = inBefore(item);
    for (let other = others[next]; other !== undefined && other.place >= 0 && other.place <= at; other = others[++next])
      arranged.push(other.item);
    arranged.push(item);
  }
  for (const { item } of others.slice(next)) arranged.push(item);
  return arranged;
}

function byPlace(a: { readonly place: number }, b: { readonly place: number }): number {
  return a.place - b.place;
}

function sameItem(a: Json, b: Json, key: string | undefined): boolean {
  return key === undefined ? a === b : keyText(keyOf(objectItem(a), key)) === keyText(keyOf(objectItem(b), key));
}

/** The one kind that all items must have. */
function itemKind(original: readonly Json[], patch: readonly Json[]): "map" | "scalar" {
  const all = [...original, ...patch];
  const [first] = all;
  if (first === undefined) throw internalError("no elements in any of the given slices");
  if (isList(first)) throw unprocessable();
  if (all.some((item) => goType(item) !== goType(first))) {
    throw internalError(`list element types are not identical: ${goText([original, patch])}`);
  }
  return isObject(first) ? "map" : "scalar";
}

/** Which fields differ between two versions of an object. */
import { get, has, isList, isObject, type Json, type JsonObject, jsonEqual } from "../../json.ts";
import { type ListShape, type MapShape, shapeOf, typeOfKey } from "../../schema/schema.ts";
import type { FieldType } from "../../schema/types.ts";
import { buildFieldSet, differenceBelow, type FieldSet, type FieldSetBuilder, NO_FIELDS } from "./field-set.ts";
import { itemElement } from "./list-item.ts";
import { encodeElement, field, type PathElement } from "./path-element.ts";

/** No field is in two of the sets. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

type Builders = Readonly<Record<keyof Comparison, FieldSetBuilder>>;

/** What `after` has added to, changed in and removed from `before`. Both fit the type. */
export function compare(before: Json, after: Json, type: FieldType): Comparison {
  const { added, modified, removed } = below(before, after, type);
  return { added: added.built(), modified: modified.built(), removed: removed.built() };
}

/** The comparison without these fields and all below them. */
export function exclude({ added, modified, removed }: Comparison, fields: FieldSet): Comparison {
  return {
    added: differenceBelow(added, fields),
    modified: differenceBelow(modified, fields),
    removed: differenceBelow(removed, fields),
  };
}

function newBuilders(): Builders {
  return { added: buildFieldSet(), modified: buildFieldSet(), removed: buildFieldSet() };
}

/** Nothing is ever added to these. */
const NOTHING: Builders = newBuilders();

function below(before: Json | undefined, after: Json | undefined, type: FieldType): Builders {
  if (isReshaped(before, after, type)) {
    const { removed } = below(before, undefined, type);
    return { ...below(undefined, after, type), removed };
  }
  if (isLeaf(before, after, type)) return NOTHING;
  const found = newBuilders();
  const shape = shapeOf(type, after ?? before);
  if (shape.kind === "list") compareItems(listOf(before), listOf(after), shape, found);
  if (shape.kind === "map") compareKeys(objectOf(before), objectOf(after), shape, found);
  return found;
}

/** Where a value may be anything, a map may have become a scalar: all that was below is gone. */
function isReshaped(before: Json | undefined, after: Json | undefined, type: FieldType): boolean {
  if (before === undefined || after === undefined || before === null || after === null) return false;
  return shapeOf(type, before).kind !== shapeOf(type, after).kind;
}

/** A leaf is compared as a whole: a scalar, what is atomic, and what is empty on both sides. */
function isLeaf(before: Json | undefined, after: Json | undefined, type: FieldType): boolean {
  const shape = shapeOf(type, after ?? before);
  if (shape.kind === "scalar" || shape.atomic) return true;
  if (shape.kind === "list") return listOf(before).length === 0 && listOf(after).length === 0;
  return Object.keys(objectOf(before)).length === 0 && Object.keys(objectOf(after)).length === 0;
}

/** Compares what stands at one step, and notes it. One side may have nothing there. */
function compareStep(
  element: PathElement,
  before: Json | undefined,
  after: Json | undefined,
  type: FieldType,
  found: Builders,
): void {
  if (before === after) return;
  if (before === undefined || after === undefined) {
    const side = before === undefined ? found.added : found.removed;
    side.add(element, true, everythingBelow(before ?? after ?? null, type));
    return;
  }
  const isReplaced = isReshaped(before, after, type);
  if (!isReplaced && isLeaf(before, after, type)) {
    if (!jsonEqual(before, after)) found.modified.add(element, true);
    return;
  }
  const inner = below(before, after, type);
  const changed = isReplaced && !jsonEqual(before, after);
  found.added.add(element, false, inner.added.built());
  found.removed.add(element, false, inner.removed.built());
  found.modified.add(element, changed, inner.modified.built());
}

/** What is there on one side only is there with all that is below it. Items that cannot be told apart are one whole. */
function everythingBelow(value: Json, type: FieldType): FieldSet {
  const shape = shapeOf(type, value);
  if (shape.kind === "scalar" || shape.atomic) return NO_FIELDS;
  const builder = buildFieldSet();
  if (shape.kind === "map") {
    const object = objectOf(value);
    for (const key of Object.keys(object)) {
      builder.add(field(key), true, everythingBelow(object[key] ?? null, typeOfKey(shape, key) ?? "any"));
    }
    return builder.built();
  }
  for (const { element, after, others } of pairsOf([], listOf(value), shape).values()) {
    builder.add(element, true, others === undefined ? everythingBelow(after ?? null, shape.item) : NO_FIELDS);
  }
  return builder.built();
}

function compareKeys(before: JsonObject, after: JsonObject, shape: MapShape, found: Builders): void {
  const compareKey = (key: string): void =>
    compareStep(field(key), get(before, key), get(after, key), typeOfKey(shape, key) ?? "any", found);
  Object.keys(after).forEach(compareKey);
  for (const key of Object.keys(before)) if (!has(after, key)) compareKey(key);
}

/** Items are matched by what tells them apart. Those that are there twice on a side are compared as one whole. */
function compareItems(before: readonly Json[], after: readonly Json[], shape: ListShape, found: Builders): void {
  for (const { element, before: onlyOld, after: onlyNext, others } of pairsOf(before, after, shape).values()) {
    if (others === undefined) {
      compareStep(element, onlyOld, onlyNext, shape.item, found);
      continue;
    }
    const { before: old, after: next } = others;
    if (old.length >= 2 && next.length >= 2) {
      found.modified.add(element, !jsonEqual(old, next));
    } else if (old.length >= 2) {
      if (next[0] !== undefined) compareStep(element, undefined, next[0], shape.item, found);
      found.removed.add(element, true);
    } else {
      if (old[0] !== undefined) compareStep(element, old[0], undefined, shape.item, found);
      found.added.add(element, true);
    }
  }
}

/** What is alike on both sides: one item of each at most, or, where a side has several, all of them in `others`. */
interface Pair {
  readonly element: PathElement;
  before: Json | undefined;
  after: Json | undefined;
  others: { readonly before: Json[]; readonly after: Json[] } | undefined;
}

function pairsOf(before: readonly Json[], after: readonly Json[], shape: ListShape): Map<string, Pair> {
  const pairs = new Map<string, Pair>();
  const note = (item: Json, side: "before" | "after"): void => {
    const element = itemElement(shape, item);
    const text = encodeElement(element);
    const pair = pairs.get(text);
    if (pair === undefined) {
      const made: Pair = { element, before: undefined, after: undefined, others: undefined };
      made[side] = item;
      pairs.set(text, made);
    } else if (pair.others !== undefined) pair.others[side].push(item);
    else if (pair[side] === undefined) pair[side] = item;
    else {
      const all = { before: one(pair.before), after: one(pair.after) };
      all[side].push(item);
      pair.others = all;
    }
  };
  for (const item of before) note(item, "before");
  for (const item of after) note(item, "after");
  return pairs;
}

function one(item: Json | undefined): Json[] {
  return item === undefined ? [] : [item];
}

function listOf(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

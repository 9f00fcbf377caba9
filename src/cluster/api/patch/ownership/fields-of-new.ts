/**
 * What the maker of an object owns, written as `fieldsV1` at once. It is what `compare` finds between the object and an empty
 * one, in the words of `encodeFieldsV1`; but nothing was there before, so that one walk in order tells it, and no set is made.
 */
import { get, isList, isObject, type Json, type JsonObject, jsonEqual } from "../../json.ts";
import { type ListShape, type MapShape, type Shape, shapeOf, typeOfKey } from "../../schema/schema.ts";
import type { FieldType } from "../../schema/types.ts";
import type { FieldNode, FieldSet } from "./field-set.ts";
import { itemElement } from "./list-item.ts";
import { compareElements, compareText, encodeElement, field } from "./path-element.ts";

/** What is nobody's to own. */
export interface Unowned {
  /** Neither these fields nor what is below them. */
  readonly ignored: FieldSet;
  /** These alone: what is below them may be owned. */
  readonly stripped: FieldSet;
}

type Fields = Record<string, Json>;

/**
 * The fields that `object` adds to `empty`, an object of the same type that holds nothing but structures, nulls and zeros.
 * Undefined when it adds none.
 */
export function fieldsOfNew(
  object: JsonObject,
  empty: JsonObject,
  type: FieldType,
  { ignored, stripped }: Unowned,
): JsonObject | undefined {
  const fields: Fields = {};
  const shape = shapeOf(type, object);
  return shape.kind === "map" && addKeys(fields, empty, object, shape, ignored, stripped) ? fields : undefined;
}

/** Whether anything was added. */
function addKeys(
  fields: Fields,
  before: JsonObject,
  after: JsonObject,
  shape: MapShape,
  ignored: FieldSet | undefined,
  stripped: FieldSet | undefined,
): boolean {
  let added = false;
  for (const key of inOrder(Object.keys(after))) {
    const text = encodeElement(field(key));
    const type = typeOfKey(shape, key) ?? "any";
    const skipped = ignored?.get(text);
    if (skipped?.member) continue;
    const bare = stripped?.get(text);
    added = addStep(fields, text, get(before, key), after[key] ?? null, type, skipped, bare) || added;
  }
  return added;
}

/** Put in order in place: structures have few fields, and sorting a handful the usual way takes longer than all the rest here. */
function inOrder(keys: string[]): readonly string[] {
  if (keys.length > FEW) return keys.sort(compareText);
  for (let next = 1; next < keys.length; next++) {
    const key = keys[next] ?? "";
    let place = next;
    for (; place > 0 && compareText(keys[place - 1] ?? "", key) > 0; place--) keys[place] = keys[place - 1] ?? "";
    keys[place] = key;
  }
  return keys;
}

const FEW = 16;

/** Of items that cannot be told apart nothing more is said. */
function addItems(
  fields: Fields,
  items: readonly Json[],
  shape: ListShape,
  ignored: FieldSet | undefined,
  stripped: FieldSet | undefined,
): boolean {
  const steps = items.map((item) => ({ item, element: itemElement(shape, item) }));
  steps.sort((a, b) => compareElements(a.element, b.element));
  let added = false;
  let former: string | undefined;
  for (const [place, { item, element }] of steps.entries()) {
    const text = encodeElement(element);
    // Those that are alike stand together: the first is told.
    if (text === former) continue;
    former = text;
    const skipped = ignored?.get(text);
    if (skipped?.member) continue;
    const bare = stripped?.get(text);
    const next = steps[place + 1];
    const type = next !== undefined && encodeElement(next.element) === text ? "string" : shape.item;
    added = addStep(fields, text, undefined, item, type, skipped, bare) || added;
  }
  return added;
}

/** Notes what stands at one step, and what is below it. */
function addStep(
  fields: Fields,
  text: string,
  before: Json | undefined,
  after: Json,
  type: FieldType,
  ignored: FieldNode | undefined,
  stripped: FieldNode | undefined,
): boolean {
  if (before === after) return false;
  const shape = shapeOf(type, after ?? before);
  const member = stripped?.member !== true && (before === undefined || isOther(before, after, shape, type));
  if (shape.kind !== "scalar" && !shape.atomic) {
    // Where a field has others below it, a dot tells that it is itself in the set.
    const inner: Fields = member ? { ".": NOTHING } : {};
    if (addBelow(inner, before, after, shape, ignored?.children, stripped?.children)) {
      fields[text] = inner;
      return true;
    }
  }
  if (member) fields[text] = NOTHING;
  return member;
}

/** In common: there are some in every object. */
const NOTHING: JsonObject = {};

function addBelow(
  fields: Fields,
  before: Json | undefined,
  after: Json,
  shape: ListShape | MapShape,
  ignored: FieldSet | undefined,
  stripped: FieldSet | undefined,
): boolean {
  if (shape.kind === "list") return isList(after) && addItems(fields, after, shape, ignored, stripped);
  return isObject(after) && addKeys(fields, isObject(before) ? before : NOTHING, after, shape, ignored, stripped);
}

/** What is compared as a whole is owned when it is not the same: a leaf, and what may be anything and has another shape now. */
function isOther(before: Json, after: Json, shape: Shape, type: FieldType): boolean {
  return (isLeaf(before, after, shape) || isReshaped(before, after, shape, type)) && !jsonEqual(before, after);
}

function isLeaf(before: Json, after: Json, shape: Shape): boolean {
  return shape.kind === "scalar" || shape.atomic || (isBare(before) && isBare(after));
}

/** Nothing is in it. */
function isBare(value: Json): boolean {
  if (isList(value)) return value.length === 0;
  return !isObject(value) || Object.keys(value).length === 0;
}

function isReshaped(before: Json, after: Json, shape: Shape, type: FieldType): boolean {
  return before !== null && after !== null && shapeOf(type, before).kind !== shape.kind;
}

/** How the items of a merged list are told apart. */
import { get, isList, isObject, type Json, type JsonObject } from "../../json.ts";
import { type ListShape, shapeOf } from "../../schema/schema.ts";
import { key, type PathElement, value } from "./path-element.ts";

/** The step that leads to an item. Throws `ItemError` for an item that cannot be told apart. */
export function itemElement(list: ListShape, item: Json): PathElement {
  return list.keys.length > 0 ? keyedElement(list, item) : setElement(item);
}

/** Whether an item can be told apart: a look that makes nothing. */
export function isTold(list: ListShape, item: Json): boolean {
  if (list.keys.length === 0) return item !== null && typeof item !== "object";
  if (!isObject(item)) return false;
  return list.keys.some((name) => (get(item, name) ?? defaultOf(list, item, name)) !== undefined);
}

/** An item that has no place in its list; the message is Kubernetes' own. */
export class ItemError extends Error {
  override readonly name = "ItemError";
}

function keyedElement(list: ListShape, item: Json): PathElement {
  if (item === null) throw new ItemError("associative list with keys may not have a null element");
  if (!isObject(item)) throw new ItemError("associative list with keys may not have non-map elements");
  const fields = keyFields(list, item);
  if (fields.length === 0) {
    const names = list.keys.map((name) => JSON.stringify(name)).join(" ");
    throw new ItemError(
      `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
    );
  }
  return key(fields);
}

/** What tells the item apart. A key that it does not name is what it is by default. */
function keyFields(list: ListShape, item: JsonObject): (readonly [string, Json])[] {
  const fields: (readonly [string, Json])[] = [];
  for (const name of list.keys) {
    const said = get(item, name) ?? defaultOf(list, item, name);
    if (said !== undefined) fields.push([name, said]);
  }
  return fields;
}

function defaultOf(list: ListShape, item: JsonObject, name: string): Json | undefined {
  const shape = shapeOf(list.item, item);
  const defaults = shape.kind === "map" ? shape.structure?.defaults : undefined;
  return defaults !== undefined && Object.hasOwn(defaults, name) ? defaults[name] : undefined;
}

function setElement(item: Json): PathElement {
  if (isObject(item)) throw new ItemError("associative list without keys has an element that's a map type");
  if (isList(item)) throw new ItemError("not supported: associative list with lists as elements");
  if (item === null) throw new ItemError("associative list without keys has an element that's an explicit null");
  return value(item);
}

/** How the items of a merged list are told apart. */
import { get, isList, isObject, type Json } from "../../json.ts";
import { type ListShape, shapeOf } from "../../schema/schema.ts";
import { key, type PathElement } from "./path-element.ts";

/** The step that leads to an item. Throws `ItemError` for an item that cannot be told apart. */
export function itemElement(list: ListShape, item: Json): PathElement {
  return list.keys.length > 0 ? keyedElement(list, item) : setElement(item);
}

/** An item that has no place in its list; the message is Kubernetes' own. */
export class ItemError extends Error {
  override readonly name = "ItemError";
}

function keyedElement(list: ListShape, item: Json): PathElement {
  if (item === null) throw new ItemError("associative list with keys may not have a null element");
  if (!isObject(item)) throw new ItemError("associative list with keys may not have non-map elements");
  const shape = shapeOf(list.item, item);
  const defaults = shape.kind === "map" ? (shape.structure?.defaults ?? {}) : {};
  const fields = list.keys.flatMap((name): (readonly [string, Json])[] => {
    const value = get(item, name) ?? (Object.hasOwn(defaults, name) ? defaults[name] : undefined);
    return value === undefined ? [] : [[name, value]];
  });
  if (fields.length === 0) {
    const names = list.keys.map((name) => JSON.stringify(name)).join(" ");
    throw new ItemError(
      `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
    );
  }
  return key(fields);
}

function setElement(item: Json): PathElement {
  if (isObject(item)) throw new ItemError("associative list without keys has an element that's a map type");
  if (isList(item)) throw new ItemError("not supported: associative list with lists as elements");
  if (item === null) throw new ItemError("associative list without keys has an element that's an explicit null");
  return { kind: "value", value: item };
}

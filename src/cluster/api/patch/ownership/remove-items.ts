/** An object without some of its fields. */
import { entriesOf, fromEntries, isList, isObject, type Json } from "../../json.ts";
import { shapeOf, typeOfKey } from "../../schema/schema.ts";
import type { FieldType } from "../../schema/types.ts";
import { type FieldSet, NO_FIELDS } from "./field-set.ts";
import { itemElement } from "./list-item.ts";
import { encodeElement, field } from "./path-element.ts";

/** Takes the members of the set out. A map or list of which nothing remains, or that is atomic, becomes null. */
export function removeItems(value: Json, fields: FieldSet, type: FieldType): Json {
  const shape = shapeOf(type, value);
  if (shape.kind === "scalar") return value;
  if (shape.atomic) return null;
  const visit = (inner: Json, step: string, innerType: FieldType): Json | undefined => {
    const node = fields.get(step);
    if (node?.member === true) return undefined;
    const children = node?.children ?? NO_FIELDS;
    return children.size === 0 ? inner : removeItems(inner, children, innerType);
  };
  if (shape.kind === "list") {
    if (!isList(value)) return null;
    const kept = value.flatMap((item) => {
      const left = visit(item, encodeElement(itemElement(shape, item)), shape.item);
      return left === undefined ? [] : [left];
    });
    return kept.length === 0 ? null : kept;
  }
  if (!isObject(value)) return null;
  const kept = entriesOf(value).flatMap(([key, inner]) => {
    const left = visit(inner, encodeElement(field(key)), typeOfKey(shape, key) ?? "any");
    return left === undefined ? [] : [[key, left] as const];
  });
  return kept.length === 0 ? null : fromEntries(kept);
}

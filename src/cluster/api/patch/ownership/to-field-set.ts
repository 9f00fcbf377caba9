/** Which fields an object says something about. */
import { entriesOf, isList, isObject, type Json } from "../../json.ts";
import { isField, type ListShape, type MapShape, shapeOf, typeOfKey } from "../../schema/schema.ts";
import type { FieldType } from "../../schema/types.ts";
import { buildFieldSet, type FieldNode, type FieldSet, mapNodes, NO_FIELDS } from "./field-set.ts";
import { itemElement } from "./list-item.ts";
import { encodeElement, field } from "./path-element.ts";

/** The fields of a value that fits its type. The value itself has no path, so a leaf gives none. */
export function toFieldSet(value: Json, type: FieldType): FieldSet {
  return fieldsOf(value, type).children;
}

/** The fields below a value, and whether the value is a leaf: then its own path is in the set. */
function fieldsOf(value: Json, type: FieldType): { readonly leaf: boolean; readonly children: FieldSet } {
  const shape = shapeOf(type, value);
  if (shape.kind === "scalar" || shape.atomic) return LEAF;
  if (shape.kind === "list") return { leaf: false, children: isList(value) ? fieldsOfItems(value, shape) : NO_FIELDS };
  return { leaf: false, children: isObject(value) ? fieldsOfKeys(value, shape) : NO_FIELDS };
}

const LEAF = { leaf: true, children: NO_FIELDS };

/** Each item is in the set itself. Of items that cannot be told apart, nothing more is said. */
function fieldsOfItems(items: readonly Json[], shape: ListShape): FieldSet {
  const nodes = new Map<string, FieldNode>();
  for (const item of items) {
    const element = itemElement(shape, item);
    const text = encodeElement(element);
    const children = nodes.has(text) ? NO_FIELDS : fieldsOf(item, shape.item).children;
    nodes.set(text, { element, member: true, children });
  }
  return nodes;
}

/** A key that a user chose is in the set itself, a field of a structure only when nothing is below it. */
function fieldsOfKeys(object: { readonly [key: string]: Json }, shape: MapShape): FieldSet {
  const builder = buildFieldSet();
  for (const [key, value] of entriesOf(object)) {
    const { leaf, children } = fieldsOf(value, typeOfKey(shape, key) ?? "any");
    const empty = value === null || (isObject(value) && Object.keys(value).length === 0);
    builder.add(field(key), leaf || empty || !isField(shape, key), children);
  }
  return builder.built();
}

/** The set with every field of a structure that has others below it: what is there, is there as a whole. */
export function withNamedFields(set: FieldSet, type: FieldType | undefined): FieldSet {
  return mapNodes(set, (node) => {
    const { element, member, children } = node;
    const shape = type === undefined ? undefined : shapeOf(type, element.kind === "field" ? {} : []);
    let named = false;
    let inner: FieldType | undefined;
    if (element.kind === "field" && shape?.kind === "map") {
      named = children.size > 0 && isField(shape, element.name);
      inner = typeOfKey(shape, element.name);
    } else if (element.kind === "key" && shape?.kind === "list") {
      inner = shape.item;
    }
    const below = withNamedFields(children, inner);
    return (named && !member) || below !== children ? { element, member: member || named, children: below } : node;
  });
}

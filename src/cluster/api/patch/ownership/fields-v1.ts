/** Sets of fields as `managedFields[].fieldsV1` writes them. */
import { entriesOf, isObject, type Json, type JsonObject } from "../../json.ts";
import { buildFieldSet, type FieldNode, type FieldSet, NO_FIELDS, sortedNodes } from "./field-set.ts";
import { decodeElement, encodeElement } from "./path-element.ts";

/** A field with others below it says with `.` that it is itself in the set; one without is written as `{}`. */
export function encodeFieldsV1(set: FieldSet): JsonObject {
  return encodeInto({}, set);
}

/** Every key has its kind in front: none of them can be one that means something to JavaScript. */
function encodeInto(fields: Record<string, Json>, set: FieldSet): JsonObject {
  for (const node of sortedNodes(set)) fields[encodeElement(node.element)] = encodeNode(node);
  return fields;
}

function encodeNode({ member, children }: FieldNode): JsonObject {
  if (children.size === 0) return {};
  return encodeInto(member ? { ".": {} } : {}, children);
}

/** Reads a set. Kinds of steps that are not known are passed over. Throws `SyntaxError` for what cannot be read. */
export function decodeFieldsV1(fields: Json): FieldSet {
  if (!isObject(fields)) throw new SyntaxError("fields are not an object");
  const builder = buildFieldSet();
  for (const [text, inner] of entriesOf(fields)) {
    if (text === ".") continue;
    const element = decodeElement(text);
    if (element === undefined) continue;
    const children = isObject(inner) ? decodeFieldsV1(inner) : NO_FIELDS;
    builder.add(element, children.size === 0 || (isObject(inner) && Object.hasOwn(inner, ".")), children);
  }
  return builder.built();
}

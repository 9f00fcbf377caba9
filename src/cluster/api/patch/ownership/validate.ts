/** Whether a value fits its schema, as far as merging needs it; in Kubernetes' words, paths included. */
import { isList, isObject, type Json, type JsonObject } from "../../json.ts";
import { type ListShape, type MapShape, type ScalarShape, shapeOf, typeOfKey } from "../../schema/schema.ts";
import type { FieldType } from "../../schema/types.ts";
import { goText } from "../go-text.ts";
import { ItemError, isTold, itemElement } from "./list-item.ts";
import { elementText, encodeElement, field, type PathElement } from "./path-element.ts";

/** What is wrong with what is to be applied, as one text; undefined when nothing is. */
export function validate(value: Json, type: FieldType): string | undefined {
  const errors: string[] = [];
  check(value, type, undefined, errors);
  if (errors.length === 0) return undefined;
  return errors.length === 1 ? errors.join() : ["errors:", ...errors.map((error) => `  ${error}`)].join("\n");
}

/**
 * Whether nothing is wrong with a live object, which may hold an item of a list twice. Every write asks, and nearly always
 * it is so: no paths are kept for messages that nobody reads.
 */
export function fits(value: Json, type: FieldType): boolean {
  if (value === null) return true;
  const shape = shapeOf(type, value);
  switch (shape.kind) {
    case "scalar":
      return scalarError(shape, value) === undefined;
    case "list":
      return isList(value) && itemsFit(value, shape);
    case "map":
      return isObject(value) && keysFit(value, shape);
  }
}

function itemsFit(items: readonly Json[], shape: ListShape): boolean {
  for (const item of items) {
    if (!shape.atomic && !isTold(shape, item)) return false;
    if (!fits(item, shape.item)) return false;
  }
  return true;
}

function keysFit(object: JsonObject, shape: MapShape): boolean {
  for (const key of Object.keys(object)) {
    const type = typeOfKey(shape, key);
    if (type === undefined || !fits(object[key] ?? null, type)) return false;
  }
  return true;
}

/** The way to a value. Spelled out only where something is wrong there, which is hardly ever. */
type Place = { readonly parent: Place; readonly step: PathElement } | undefined;

function spelled(place: Place): string {
  return place === undefined ? "" : spelled(place.parent) + elementText(place.step);
}

function check(value: Json, type: FieldType, place: Place, errors: string[]): void {
  const shape = shapeOf(type, value);
  if (value === null) return;
  switch (shape.kind) {
    case "scalar":
      return note(scalarError(shape, value), place, errors);
    case "list":
      if (!isList(value)) return note(`expected list, got ${goValue(value)}`, place, errors);
      return checkItems(value, shape, place, errors);
    case "map":
      if (!isObject(value)) return note(`expected map, got ${goValue(value)}`, place, errors);
      return checkKeys(value, shape, place, errors);
  }
}

function note(message: string | undefined, place: Place, errors: string[]): void {
  if (message !== undefined) errors.push(place === undefined ? message : `${spelled(place)}: ${message}`);
}

function scalarError({ accepts }: ScalarShape, value: Json): string | undefined {
  switch (accepts) {
    case "number":
      return typeof value === "number" ? undefined : `expected numeric (int or float), got ${goKind(value)}`;
    case "string":
      return typeof value === "string"
        ? undefined
        : `expected string, got &value.valueUnstructured{Value:${goLiteral(value)}}`;
    case "boolean":
      return typeof value === "boolean" ? undefined : `expected boolean, got ${goValue(value)}`;
    case "scalar":
      return typeof value === "object" ? `expected any scalar, got ${goValue(value)}` : undefined;
  }
}

/** Ends with the first item that cannot be told apart. */
function checkItems(items: readonly Json[], shape: ListShape, place: Place, errors: string[]): void {
  if (shape.atomic) {
    items.forEach((item, index) => check(item, shape.item, { parent: place, step: { kind: "index", index } }, errors));
    return;
  }
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const step = stepTo(item, shape);
    if (step instanceof ItemError) {
      errors.push(`${spelled(place)}: element ${index}: ${step.message}`);
      return;
    }
    const text = encodeElement(step);
    if (seen.has(text)) {
      errors.push(`${spelled(place)}: duplicate entries for key ${elementText(step)}`);
    }
    seen.add(text);
    check(item, shape.item, { parent: place, step }, errors);
  }
}

function stepTo(item: Json, shape: ListShape): PathElement | ItemError {
  try {
    return itemElement(shape, item);
  } catch (error) {
    if (error instanceof ItemError) return error;
    throw error;
  }
}

/** Ends with the first field that the schema does not know. */
function checkKeys(object: JsonObject, shape: MapShape, place: Place, errors: string[]): void {
  for (const key of Object.keys(object)) {
    const type = typeOfKey(shape, key);
    const inner = { parent: place, step: field(key) };
    if (type === undefined) {
      errors.push(`${spelled(inner)}: field not declared in schema`);
      return;
    }
    check(object[key] ?? null, type, inner, errors);
  }
}

/** `%v` of a value in its wrapper. */
function goValue(value: Json): string {
  return `&{${goText(value)}}`;
}

function goKind(value: Json): string {
  if (isList(value)) return "[]interface {}";
  if (isObject(value)) return "map[string]interface {}";
  return typeof value === "boolean" ? "bool" : "string";
}

/** `%#v` of a value. */
function goLiteral(value: Json): string {
  if (value === null) return "interface {}(nil)";
  if (isList(value)) return `[]interface {}{${value.map(goLiteral).join(", ")}}`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[string]interface {}{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${goLiteral(inner)}`).join(", ")}}`;
}

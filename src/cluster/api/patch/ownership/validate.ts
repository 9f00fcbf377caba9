/** Whether a value fits its schema, as far as merging needs it; in Kubernetes' words, paths included. */
import { isList, isObject, type Json } from "../../json.ts";
import { type ListShape, type MapShape, type ScalarShape, shapeOf, typeOfKey } from "../../schema/schema.ts";
import type { FieldType } from "../../schema/types.ts";
import { goText } from "../go-text.ts";
import { ItemError, itemElement } from "./list-item.ts";
import { elementText, encodeElement, field, type PathElement } from "./path-element.ts";

export interface ValidateOptions {
  /** Live objects may hold an item twice; what is applied may not. */
  readonly allowDuplicates: boolean;
}

/** What is wrong, as one text; undefined when nothing is. */
export function validate(value: Json, type: FieldType, options: ValidateOptions): string | undefined {
  const errors = errorsIn(value, type, options, undefined);
  if (errors.length === 0) return undefined;
  return errors.length === 1 ? errors.join() : ["errors:", ...errors.map((error) => `  ${error}`)].join("\n");
}

/** The way to a value. Spelled out only where something is wrong there, which is hardly ever. */
type Place = { readonly parent: Place; readonly step: PathElement } | undefined;

function spelled(place: Place): string {
  return place === undefined ? "" : spelled(place.parent) + elementText(place.step);
}

const NONE: readonly string[] = [];

function errorsIn(value: Json, type: FieldType, options: ValidateOptions, place: Place): readonly string[] {
  const shape = shapeOf(type, value);
  if (value === null) return NONE;
  switch (shape.kind) {
    case "scalar":
      return wrong(place, scalarError(shape, value));
    case "list":
      if (!isList(value)) return wrong(place, `expected list, got ${goValue(value)}`);
      return itemErrors(value, shape, options, place);
    case "map":
      if (!isObject(value)) return wrong(place, `expected map, got ${goValue(value)}`);
      return keyErrors(value, shape, options, place);
  }
}

function wrong(place: Place, message: string | undefined): readonly string[] {
  if (message === undefined) return NONE;
  return [place === undefined ? message : `${spelled(place)}: ${message}`];
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

function itemErrors(
  items: readonly Json[],
  shape: ListShape,
  options: ValidateOptions,
  place: Place,
): readonly string[] {
  const seen = new Set<string>();
  const errors: string[] = [];
  for (const [index, item] of items.entries()) {
    let step: PathElement = { kind: "index", index };
    if (!shape.atomic) {
      try {
        step = itemElement(shape, item);
        const text = encodeElement(step);
        if (seen.has(text) && !options.allowDuplicates) {
          errors.push(`${spelled(place)}: duplicate entries for key ${elementText(step)}`);
        }
        seen.add(text);
      } catch (error) {
        if (!(error instanceof ItemError)) throw error;
        return [...errors, `${spelled(place)}: element ${index}: ${error.message}`];
      }
    }
    errors.push(...errorsIn(item, shape.item, options, { parent: place, step }));
  }
  return errors;
}

function keyErrors(
  object: { readonly [key: string]: Json },
  shape: MapShape,
  options: ValidateOptions,
  place: Place,
): readonly string[] {
  const errors: string[] = [];
  for (const key of Object.keys(object)) {
    const type = typeOfKey(shape, key);
    const inner = { parent: place, step: field(key) };
    if (type === undefined) return [...errors, `${spelled(inner)}: field not declared in schema`];
    errors.push(...errorsIn(object[key] ?? null, type, options, inner));
  }
  return errors;
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

/** Whether a value fits its schema, as far as merging needs it; in Kubernetes' words, paths included. */
import { isList, isObject, type Json } from "../../json.ts";
import { type ListShape, type MapShape, type ScalarShape, shapeOf, typeOfKey } from "../../schema/schema.ts";
import type { FieldType } from "../../schema/types.ts";
import { goText } from "../go-text.ts";
import { ItemError, itemElement } from "./list-item.ts";
import { elementText, encodeElement, field } from "./path-element.ts";

export interface ValidateOptions {
  /** Live objects may hold an item twice; what is applied may not. */
  readonly allowDuplicates: boolean;
}

/** What is wrong, as one text; undefined when nothing is. */
export function validate(value: Json, type: FieldType, options: ValidateOptions): string | undefined {
  const errors = errorsIn(value, type, options, "");
  if (errors.length === 0) return undefined;
  return errors.length === 1 ? errors.join() : ["errors:", ...errors.map((error) => `  ${error}`)].join("\n");
}

function errorsIn(value: Json, type: FieldType, options: ValidateOptions, path: string): string[] {
  const shape = shapeOf(type, value);
  const at = (message: string) => (path === "" ? message : `${path}: ${message}`);
  if (value === null) return [];
  switch (shape.kind) {
    case "scalar": {
      const error = scalarError(shape, value);
      return error === undefined ? [] : [at(error)];
    }
    case "list":
      return isList(value) ? itemErrors(value, shape, options, path) : [at(`expected list, got ${goValue(value)}`)];
    case "map":
      return isObject(value) ? keyErrors(value, shape, options, path) : [at(`expected map, got ${goValue(value)}`)];
  }
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

function itemErrors(items: readonly Json[], shape: ListShape, options: ValidateOptions, path: string): string[] {
  const seen = new Set<string>();
  const errors: string[] = [];
  for (const [index, item] of items.entries()) {
    let step = `[${index}]`;
    if (!shape.atomic) {
      try {
        const element = itemElement(shape, item);
        const text = encodeElement(element);
        step = elementText(element);
        if (seen.has(text) && !options.allowDuplicates) errors.push(`${path}: duplicate entries for key ${step}`);
        seen.add(text);
      } catch (error) {
        if (!(error instanceof ItemError)) throw error;
        return [...errors, `${path}: element ${index}: ${error.message}`];
      }
    }
    errors.push(...errorsIn(item, shape.item, options, path + step));
  }
  return errors;
}

function keyErrors(object: { readonly [key: string]: Json }, shape: MapShape, options: ValidateOptions, path: string) {
  const errors: string[] = [];
  for (const [key, value] of Object.entries(object)) {
    const type = typeOfKey(shape, key);
    const inner = path + elementText(field(key));
    if (type === undefined) return [...errors, `${inner}: field not declared in schema`];
    errors.push(...errorsIn(value, type, options, inner));
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

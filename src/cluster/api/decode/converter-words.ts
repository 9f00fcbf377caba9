/**
 * What does not fit of an object that a strategic merge patch led to. Upstream turns that into a structure without writing it as
 * JSON in between, and has other words there than its decoder (apimachinery/pkg/runtime/converter.go).
 */
import { isList, isObject, type Json } from "../json.ts";
import { base64Problem } from "./base64-text.ts";
import type { GoType } from "./go-types.ts";
import { MisfitError } from "./report.ts";
import { readTyped } from "./typed-reader.ts";

/** The first misfit in the order of the structure's fields; undefined where the converter has nothing against the value. */
export function misfitOf(value: Json | undefined, type: GoType): string | undefined {
  if (value === undefined || value === null) return undefined;
  const from = goKindOf(value);
  switch (type.kind) {
    case "any":
      return undefined;
    case "struct":
      if (!isObject(value)) return `cannot restore struct from: ${from}`;
      return firstOf(type.fields.values(), (field) => misfitOf(value[field.name], field.type));
    case "map":
      if (!isObject(value)) return `cannot restore map from ${from}`;
      return firstOf(Object.values(value), (item) => misfitOf(item, type.item));
    case "list":
      if (!isList(value)) return `cannot restore slice from ${from}`;
      return firstOf(value, (item) => misfitOf(item, type.item));
    case "bytes":
      return misfitOfBytes(value, from);
    case "string":
      // To Go a whole number is a character, which could be turned into a text.
      return from === "int64" ? `cannot convert int64 to ${type.name}` : unless(from === "string", type.kind);
    case "bool":
      return unless(from === "bool", type.kind);
    case "int32":
    case "int64":
      return from === "float64" ? `cannot convert float64 to ${type.name}` : unless(from === "int64", type.kind);
    case "float64":
      return unless(from === "int64" || from === "float64", type.kind);
    case "JSONSchemaPropsOrArray":
    case "JSONSchemaPropsOrBool":
    case "JSONSchemaPropsOrStringArray":
    case "Quantity":
    case "Time":
    case "MicroTime":
    case "IntOrString":
    case "JSON":
    case "RawExtension":
    case "FieldsV1":
      return misfitOfOwn(value, type);
  }
}

function misfitOfBytes(value: Json, from: string): string | undefined {
  if (typeof value !== "string") return isList(value) ? undefined : `cannot restore slice from ${from}`;
  const problem = base64Problem(value);
  return problem === undefined ? undefined : `error decoding from json: ${problem}`;
}

/** Types that read themselves from JSON are given JSON by the converter, too. */
function misfitOfOwn(value: Json, type: GoType): string | undefined {
  try {
    readTyped(JSON.stringify(value), type, false);
    return undefined;
  } catch (error) {
    if (error instanceof MisfitError) return error.message;
    throw error;
  }
}

function goKindOf(value: NonNullable<Json>): string {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  return isList(value) ? "slice" : "map";
}

function unless(fits: boolean, kind: string): string | undefined {
  return fits ? undefined : `unrecognized type: ${kind}`;
}

function firstOf<T>(items: Iterable<T>, problemOf: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = problemOf(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

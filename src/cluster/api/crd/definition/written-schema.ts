/** Reading `openAPIV3Schema` as it is written, before it is known to be a good one. */
import { entriesOf, get, isList, isObject, type Json, type JsonObject } from "../../json.ts";

export function textAt(schema: JsonObject, name: string): string {
  const value = get(schema, name);
  return typeof value === "string" ? value : "";
}

export function objectAt(schema: JsonObject, name: string): JsonObject | undefined {
  const value = get(schema, name);
  return isObject(value) ? value : undefined;
}

export function listAt(schema: JsonObject, name: string): readonly Json[] {
  const value = get(schema, name);
  return isList(value) ? value : [];
}

export function propertiesOf(schema: JsonObject, name = "properties"): readonly (readonly [string, JsonObject])[] {
  const written = objectAt(schema, name);
  if (written === undefined) return NO_PROPERTIES;
  return entriesOf(written).filter((entry): entry is [string, JsonObject] => isObject(entry[1]));
}

/** In common: most schemas are leaves. */
const NO_PROPERTIES: readonly (readonly [string, JsonObject])[] = [];

/** One of them; undefined when there is none. */
export function propertyOf(schema: JsonObject, name: string): JsonObject | undefined {
  return objectAt(objectAt(schema, "properties") ?? {}, name);
}

/**
 * Whether it says of a value what type it has, how large it may be, and nothing else. Most schemas of a large definition do, and there is nothing
 * in them that could be against a rule.
 */
export function isPlain(schema: JsonObject): boolean {
  for (const keyword of Object.keys(schema)) if (!PLAIN_KEYWORDS.has(keyword)) return false;
  return PLAIN_TYPES.has(schema["type"] as string);
}

const PLAIN_TYPES: ReadonlySet<string> = new Set(["boolean", "integer", "number", "string"]);
const PLAIN_KEYWORDS: ReadonlySet<string> = new Set([
  "type",
  "description",
  "title",
  "format",
  "maximum",
  "minimum",
  "maxLength",
  "minLength",
]);

/** Every schema in this one, itself first, wherever schemas can stand. */
export function* schemasIn(schema: JsonObject): Generator<JsonObject> {
  yield schema;
  if (isPlain(schema)) return;
  for (const name of ["items", "not", "additionalProperties", "additionalItems"]) {
    const inner = get(schema, name);
    if (isObject(inner)) yield* schemasIn(inner);
  }
  for (const name of ["items", "allOf", "anyOf", "oneOf"]) {
    for (const inner of listAt(schema, name)) if (isObject(inner)) yield* schemasIn(inner);
  }
  for (const name of ["properties", "patternProperties", "definitions", "dependencies"]) {
    for (const [, inner] of propertiesOf(schema, name)) {
      if (isPlain(inner)) yield inner;
      else yield* schemasIn(inner);
    }
  }
}

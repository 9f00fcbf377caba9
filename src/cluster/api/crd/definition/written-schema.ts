/** Reading `openAPIV3Schema` as it is written, before it is known to be a good one. */
import { get, isList, isObject, type Json, type JsonObject } from "../../json.ts";

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

export function propertiesOf(schema: JsonObject, name = "properties"): readonly [string, JsonObject][] {
  const written = objectAt(schema, name);
  if (written === undefined) return NO_PROPERTIES;
  const properties: [string, JsonObject][] = [];
  for (const [key, value] of Object.entries(written)) if (isObject(value)) properties.push([key, value]);
  return properties;
}

/** In common: most schemas are leaves. */
const NO_PROPERTIES: readonly [string, JsonObject][] = [];

/** One of them; undefined when there is none. */
export function propertyOf(schema: JsonObject, name: string): JsonObject | undefined {
  return objectAt(objectAt(schema, "properties") ?? {}, name);
}

/** Every schema in this one, itself first, wherever schemas can stand. */
export function* schemasIn(schema: JsonObject): Generator<JsonObject> {
  yield schema;
  for (const name of ["items", "not", "additionalProperties", "additionalItems"]) {
    const inner = get(schema, name);
    if (isObject(inner)) yield* schemasIn(inner);
  }
  for (const name of ["items", "allOf", "anyOf", "oneOf"]) {
    for (const inner of listAt(schema, name)) if (isObject(inner)) yield* schemasIn(inner);
  }
  for (const name of ["properties", "patternProperties", "definitions", "dependencies"]) {
    for (const [, inner] of propertiesOf(schema, name)) yield* schemasIn(inner);
  }
}

/**
 * The type that a structural schema declares: k8s.io/apiserver/pkg/cel/common/schemas.go. What a schema says nothing about
 * has none, and expressions cannot reach it.
 */
import type { Schema } from "../../crd/schema/schema.ts";
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  STRING,
  struct,
  TIMESTAMP,
  type Type,
} from "../check/types.ts";
import { escapeName } from "./escape.ts";

/** `name` is that of the type, should it be an object. */
export function declaredType(schema: Schema, name: string, isRoot: boolean): Type | undefined {
  if (isIntOrString(schema)) return DYN;
  switch (schema.types[0] ?? "") {
    case "array": {
      const item =
        schema.items === undefined ? undefined : declaredType(schema.items, `${name}.@idx`, schema.items.embedded);
      return item === undefined ? undefined : listOf(item);
    }
    case "object":
      return objectType(schema, name, isRoot);
    case "string":
      return textType(schema.rules.format);
    case "boolean":
      return BOOL;
    case "number":
      return DOUBLE;
    case "integer":
      return INT;
    default:
      return undefined;
  }
}

export function isIntOrString({ types }: Schema): boolean {
  return types.length === 2;
}

function textType(format: string): Type {
  switch (format) {
    case "byte":
      return BYTES;
    case "duration":
      return DURATION;
    case "date":
    case "date-time":
      return TIMESTAMP;
    default:
      return STRING;
  }
}

function objectType(schema: Schema, name: string, isRoot: boolean): Type | undefined {
  if (typeof schema.additional === "object" && !isRoot) {
    const value = declaredType(schema.additional, `${name}.@elem`, schema.additional.embedded);
    return value === undefined ? undefined : mapOf(STRING, value);
  }
  const fields = new Map<string, Type>();
  for (const [key, inner] of schema.properties) {
    const escaped = escapeName(key);
    const type = escaped === undefined ? undefined : declaredType(inner, `${name}.${escaped}`, inner.embedded);
    if (escaped !== undefined && type !== undefined) fields.set(escaped, type);
  }
  if (isRoot) for (const [key, type] of rootFields(name)) if (!isDeclaredRoot(schema, key)) fields.set(key, type);
  return struct(name, (field) => fields.get(field));
}

/** Of any resource, whatever its schema says. */
function rootFields(name: string): readonly (readonly [string, Type])[] {
  const metadata = struct(`${name}.metadata`, (field) =>
    field === "name" || field === "generateName" ? STRING : undefined,
  );
  return [
    ["apiVersion", STRING],
    ["kind", STRING],
    ["metadata", metadata],
  ];
}

/** Whether the schema itself has all of it, so that its own word stands. */
function isDeclaredRoot({ properties }: Schema, key: string): boolean {
  const texts = (names: readonly string[], of: ReadonlyMap<string, Schema>) =>
    names.every((each) => of.get(each)?.types[0] === "string");
  const metadata = properties.get("metadata");
  const isWhole =
    texts(["kind", "apiVersion"], properties) &&
    metadata?.types[0] === "object" &&
    texts(["name", "generateName"], metadata.properties);
  return isWhole && properties.has(key);
}

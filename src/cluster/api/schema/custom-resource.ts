/** The type of a custom resource, from the structural schema in its definition. */
import { entriesOf, fromEntries, get, isList, isObject, type Json, type JsonObject, put } from "../json.ts";
import type { FieldType, ObjectType } from "./types.ts";

const PRESERVE = "x-kubernetes-preserve-unknown-fields";

/** What every object has at its top, and an embedded one too. */
const IDENTITY: ObjectType["fields"] = {
  apiVersion: "string",
  kind: "string",
  metadata: { ref: "meta.v1.ObjectMeta" },
};

/**
 * The type of a custom resource with this `openAPIV3Schema`; without one, everything beside the metadata may be anything.
 * The schema is taken to be structural, as the API server has checked when it took the definition.
 */
export function customResourceType(schema: JsonObject | undefined): ObjectType {
  const type = schema === undefined ? "any" : fieldType(schema, false);
  if (typeof type === "string" || !("fields" in type)) return { fields: IDENTITY, rest: "any" };
  return { ...type, fields: { ...type.fields, ...IDENTITY } };
}

/** `open`: a structure around this one takes unknown fields, and so does everything in it. */
function fieldType(schema: JsonObject, open: boolean): FieldType {
  const preserves = open || get(schema, PRESERVE) === true;
  switch (textAt(schema, "type")) {
    case "object":
      return objectType(schema, preserves);
    case "array":
      return listType(schema, preserves);
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "string": {
      const format = get(schema, "format");
      return format === "date-time" ? "time" : format === "byte" ? "bytes" : "string";
    }
    default:
      return get(schema, "x-kubernetes-int-or-string") === true ? "intOrString" : "any";
  }
}

function objectType(schema: JsonObject, open: boolean): FieldType {
  const atomic = get(schema, "x-kubernetes-map-type") === "atomic" && { atomic: true };
  const written = objectAt(schema, "properties") ?? {};
  const properties = entriesOf(written).filter((entry): entry is [string, JsonObject] => isObject(entry[1]));
  const values = objectAt(schema, "additionalProperties");
  if (properties.length === 0) {
    if (values !== undefined) return { map: fieldType(values, open), ...atomic };
    if (get(schema, "x-kubernetes-embedded-resource") !== true) return { map: "any", ...atomic };
  }
  const embedded = get(schema, "x-kubernetes-embedded-resource") === true ? IDENTITY : {};
  const rest = values === undefined ? (open ? "any" : undefined) : fieldType(values, open);
  const fields: Record<string, FieldType> = { ...embedded };
  const defaults: [string, string | number | boolean][] = [];
  for (const [name, property] of properties) {
    put(fields, name, fieldType(property, open));
    const value = get(property, "default");
    if (value !== undefined && typeof value !== "object") defaults.push([name, value]);
  }
  return {
    fields,
    ...(rest !== undefined && { rest }),
    ...(defaults.length > 0 && { defaults: fromEntries(defaults) }),
    ...atomic,
  };
}

function listType(schema: JsonObject, open: boolean): FieldType {
  const list = fieldType(objectAt(schema, "items") ?? {}, open);
  const keys = get(schema, "x-kubernetes-list-map-keys");
  switch (textAt(schema, "x-kubernetes-list-type")) {
    case "set":
      return { list, set: true };
    case "map":
      return { list, keys: texts(keys) };
    default:
      return { list };
  }
}

function objectAt(schema: JsonObject, name: string): JsonObject | undefined {
  const value = get(schema, name);
  return isObject(value) ? value : undefined;
}

function textAt(schema: JsonObject, name: string): string {
  const value = get(schema, name);
  return typeof value === "string" ? value : "";
}

function texts(value: Json | undefined): string[] {
  return isList(value) ? value.filter((item) => typeof item === "string") : [];
}

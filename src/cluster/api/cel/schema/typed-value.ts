/**
 * JSON as values of the types that its schema declares, made when they are asked for:
 * k8s.io/apiserver/pkg/cel/common/valuesunstructured.go.
 */
import type { Schema } from "../../crd/schema/schema.ts";
import { wordyDuration } from "../../crd/schema/wordy-duration.ts";
import { get, has, isList, isObject, type Json, type JsonObject, jsonEqual } from "../../json.ts";
import { sealed } from "../check/types.ts";
import { equalItems } from "../value/equal.ts";
import { parseDate, parseDuration, parseTimestamp } from "../value/time.ts";
import { type CelError, type CelMap, duration, error, isError, NO_SUCH_OVERLOAD, type Value } from "../value/value.ts";
import { isIntOrString } from "./declared-type.ts";
import { escapeName, unescapeName } from "./escape.ts";
import { typedList } from "./typed-list.ts";

export function typedValue(json: Json, schema: Schema): Value | CelError {
  if (json === null) return schema.nullable ? null : error("invalid data, got null for schema with nullable=false");
  if (isIntOrString(schema)) {
    if (typeof json === "string") return json;
    if (typeof json === "number" && Number.isInteger(json)) return BigInt(json);
    return error("invalid data, expected XIntOrString value to be either a string or integer");
  }
  switch (schema.types[0] ?? "") {
    case "object":
      if (!isObject(json)) return error("invalid data, expected a map for the provided schema with type=object");
      return typedMap(json, schema);
    case "array":
      if (!isList(json)) return error("invalid data, expected an array for the provided schema with type=array");
      return typedItems(json, schema);
    case "string":
      return typeof json === "string" ? typedText(json, schema.rules.format) : error("invalid data, expected string");
    case "number":
      return typeof json === "number" ? json : error("invalid data, expected float");
    case "integer":
      return typeof json === "number" ? BigInt(Math.trunc(json)) : error("invalid data, expected int");
    case "boolean":
      return typeof json === "boolean" ? json : error("invalid data, expected bool");
    default:
      if (schema.preserves) return preserved(json);
      return error(
        "invalid type, expected object, array, number, integer, boolean or string, or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ",
      );
  }
}

function typedItems(json: readonly Json[], schema: Schema): Value | CelError {
  const { items } = schema;
  if (items === undefined) return error("invalid array type, expected Items with a non-empty Schema");
  return typedList(json, schema, (item) => typedValue(item, items));
}

function typedText(text: string, format: string): Value | CelError {
  switch (format) {
    case "duration": {
      const nanos = parseDuration(text) ?? wordyDuration(text);
      return nanos === undefined
        ? error(`Invalid duration ${text}: unable to parse ${text} as duration`)
        : duration(nanos);
    }
    case "date":
      return parseDate(text) ?? error(`Invalid date formatted string ${text}: `);
    case "date-time":
      return parseTimestamp(text) ?? error(`Invalid date-time formatted string ${text}: ${whyNoTime(text)}`);
    case "byte":
      return Buffer.from(text, "base64");
    default:
      return text;
  }
}

/** Of what the format takes, and Go does not: small letters. The format itself tells of all else. */
function whyNoTime(text: string): string {
  const [, behindDay = ""] = /^\d{4}-\d{2}-\d{2}(t.*)$/s.exec(text) ?? [];
  if (behindDay === "") return text.endsWith("z") ? `parsing time ${JSON.stringify(text)}: extra text: "z"` : "";
  return `parsing time ${JSON.stringify(text)} as "2006-01-02T15:04:05": cannot parse ${JSON.stringify(behindDay)} as "T"`;
}

const UNKNOWN = sealed("unknown");

/** What is kept of unknown fields can be compared, and nothing else. */
function preserved(json: Json): Value {
  return { kind: "opaque", type: UNKNOWN, data: json, equals: ({ data }) => jsonEqual(json, data as Json) };
}

function typedMap(json: JsonObject, schema: Schema): CelMap {
  const isDeclared = schema.embedded || schema.properties.size > 0;
  const schemaOf = (key: string): Schema | undefined => {
    const own = schema.properties.get(key);
    if (own !== undefined) return own;
    if (schema.embedded && (key === "apiVersion" || key === "kind" || key === "metadata")) return rootSchema(key);
    return !isDeclared && typeof schema.additional === "object" ? schema.additional : undefined;
  };
  const find = (key: Value): Value | CelError | undefined => {
    if (typeof key !== "string") return NO_SUCH_OVERLOAD;
    const name = isDeclared ? unescapeName(key) : key;
    if (name === undefined || !has(json, name)) return undefined;
    const value = get(json, name) ?? null;
    // Null where a field is declared is as good as no field.
    if (isDeclared && value === null) return undefined;
    const inner = schemaOf(name);
    return inner === undefined ? undefined : typedValue(value, inner);
  };
  return {
    kind: "map",
    get size() {
      return Object.keys(json).length;
    },
    find,
    keys: () =>
      Object.keys(json)
        .filter((key) => schemaOf(key) !== undefined)
        .map((key) => (isDeclared ? (escapeName(key) ?? key) : key)),
    equals: (other) => equalObjects(json, schemaOf, find, other),
    json,
  };
}

function equalObjects(
  json: JsonObject,
  schemaOf: (key: string) => Schema | undefined,
  find: CelMap["find"],
  other: CelMap,
): boolean | CelError {
  if (Object.keys(json).length !== other.size) return false;
  for (const [key, value] of Object.entries(json)) {
    if (schemaOf(key) === undefined) {
      if (!isObject(other.json)) return NO_SUCH_OVERLOAD;
      if (has(other.json, key) && !jsonEqual(value, get(other.json, key) ?? null)) return false;
      continue;
    }
    const [left, right] = [find(key), other.find(key)];
    if ((left === undefined) !== (right === undefined)) return false;
    if (left === undefined || right === undefined) continue;
    const answer = equalItems(left, right);
    if (isError(answer) || !answer) return answer;
  }
  return true;
}

const BARE: Omit<Schema, "types" | "properties"> = {
  nullable: false,
  additional: undefined,
  items: undefined,
  fallback: undefined,
  preserves: false,
  embedded: false,
  validations: [],
  listType: undefined,
  listKeys: [],
  rules: { format: "", options: [] as const, required: [] as const } as unknown as Schema["rules"],
  inside: { defaults: false, embedded: false, listTypes: false, rules: false },
  allOf: [],
  anyOf: [],
  oneOf: [],
  not: undefined,
};
const TEXT: Schema = { ...BARE, types: ["string"], properties: new Map() };
const METADATA: Schema = {
  ...BARE,
  types: ["object"],
  properties: new Map([
    ["name", TEXT],
    ["generateName", TEXT],
  ]),
};

/** What is known of any resource: `apiVersion`, `kind`, and two names in `metadata`. */
export function rootSchema(key: "apiVersion" | "kind" | "metadata"): Schema {
  return key === "metadata" ? METADATA : TEXT;
}

/** The schema of an object that is a resource, with what is known of any. */
export function asResource(schema: Schema): Schema {
  const properties = new Map(schema.properties);
  const isWhole =
    properties.get("kind")?.types[0] === "string" &&
    properties.get("apiVersion")?.types[0] === "string" &&
    properties.get("metadata")?.properties.get("name")?.types[0] === "string" &&
    properties.get("metadata")?.properties.get("generateName")?.types[0] === "string";
  if (isWhole) return schema;
  for (const key of ["apiVersion", "kind", "metadata"] as const) properties.set(key, rootSchema(key));
  return { ...schema, properties };
}

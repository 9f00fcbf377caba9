/** JSON as values of no declared type, made when they are asked for; and values as JSON. */
import { has, isList, isObject, type Json, type JsonObject } from "../../json.ts";
import { MAX_INT } from "../syntax/literals.ts";
import { joined } from "./collections.ts";
import { shownDuration, shownTimestamp } from "./time.ts";
import { type CelError, type CelMap, error, isError, type List, runtimeType, type Value } from "./value.ts";

export function fromJson(json: Json): Value {
  if (typeof json === "number") return Number.isInteger(json) ? BigInt(json) : json;
  if (typeof json !== "object" || json === null) return json;
  return isList(json) ? listOfJson(json) : mapOfJson(json);
}

function listOfJson(json: readonly Json[]): List {
  return {
    kind: "list",
    size: json.length,
    get: (index) => fromJson(json[index] ?? null),
    plus(other) {
      return joined(this, other);
    },
  };
}

function mapOfJson(json: JsonObject): CelMap {
  let keys: readonly string[] | undefined;
  return {
    kind: "map",
    get size() {
      keys ??= Object.keys(json);
      return keys.length;
    },
    find: (key) => (typeof key === "string" && has(json, key) ? fromJson(json[key] ?? null) : undefined),
    keys: () => Object.keys(json),
    json,
  };
}

/** How deep values nest that are made into JSON, and how many there may be: a list of lists doubles with each step that it costs. */
const MAX_DEPTH = 500;
const MAX_PARTS = 1_000_000;

interface Walk {
  left: number;
}

/** An error for what JSON has no form for. Whole numbers that a double cannot hold become texts, as upstream. */
export function toJson(value: Value | CelError): Json | CelError {
  return made(value, 0, { left: MAX_PARTS });
}

function made(value: Value | CelError, depth: number, walk: Walk): Json | CelError {
  if (isError(value)) return value;
  if (depth > MAX_DEPTH) return error("value nests too deeply");
  if (--walk.left < 0) return error(`value too large: more than ${MAX_PARTS} parts`);
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  if (typeof value === "number")
    return Number.isFinite(value) ? value : error("unsupported value: NaN or Infinity in JSON");
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : objectToJson(value, depth, walk);
}

function objectToJson(
  value: Exclude<Value, string | boolean | number | bigint | null | Uint8Array>,
  depth: number,
  walk: Walk,
): Json | CelError {
  switch (value.kind) {
    case "uint":
      return value.value <= MAX_INT && Number.isSafeInteger(Number(value.value))
        ? Number(value.value)
        : String(value.value);
    case "duration":
      return shownDuration(value);
    case "timestamp":
      return shownTimestamp(value);
    case "type":
      return error("type conversion not supported for 'type'");
    case "optional":
      return value.value === undefined ? error("optional.none() dereference") : made(value.value, depth + 1, walk);
    case "list": {
      if (value.json !== undefined) return value.json;
      const items: Json[] = [];
      for (let index = 0; index < value.size; index++) {
        const json = made(value.get(index), depth + 1, walk);
        if (isError(json)) return json;
        items.push(json);
      }
      return items;
    }
    case "map":
      return (
        value.json ??
        entriesToJson(
          value.keys().map((key) => [key, value.find(key)] as const),
          depth,
          walk,
        )
      );
    case "struct":
      return entriesToJson(value.fields, depth, walk);
    case "opaque":
      return error(`type conversion error from '${shortName(value.type.name)}' to '*structpb.Value'`);
  }
}

/** As values of Kubernetes name themselves. */
function shortName(type: string): string {
  if (type === "kubernetes.NamedFormat") return "Format";
  return type.startsWith("kubernetes.authorization.") ? type : type.slice(type.lastIndexOf(".") + 1);
}

/** Why a key is no text. */
function wrongKey(key: Value): CelError {
  if (typeof key === "boolean") return error("type conversion error from bool to 'string'");
  return error(`unsupported type conversion from '${runtimeType(key).name}' to string`);
}

function entriesToJson(
  entries: Iterable<readonly [Value, Value | CelError | undefined]>,
  depth: number,
  walk: Walk,
): Json | CelError {
  const object: Record<string, Json> = {};
  for (const [key, value] of entries) {
    if (typeof key !== "string") return wrongKey(key);
    const json = value === undefined ? null : made(value, depth + 1, walk);
    if (isError(json)) return json;
    Object.defineProperty(object, key, { value: json, enumerable: true, configurable: true, writable: true });
  }
  return isObject(object) ? object : null;
}

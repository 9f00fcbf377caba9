/**
 * The JSON form that an object has on a Kubernetes server, whatever was sent: Kubernetes reads a body into Go structures
 * and writes those. What no structure knows is gone, what is empty is left out or shown as its type demands, sizes and
 * times are in their canonical form. The same table that reads protobuf says how.
 */
import { fromTimestamp, toTimestamp } from "../../../core/clock.ts";
import { Quantity } from "../../../core/quantity.ts";
import { get, isList, isObject, type Json, type JsonObject, mapValues } from "../json.ts";
import { isReshaped } from "./decode.ts";
import { isScalar, isZero, zeroOf } from "./scalars.ts";
import { type Field, kindMessage, messageOf } from "./table.ts";

/**
 * The object as a server would show it; the same object for a kind that is not built in. A value of a wrong type stays as it
 * is: saying so is the business of whoever read the body.
 */
export function canonicalObject(object: JsonObject): JsonObject {
  const [apiVersion, kind] = [get(object, "apiVersion"), get(object, "kind")];
  if (typeof apiVersion !== "string" || typeof kind !== "string") return object;
  const message = kindMessage(apiVersion, kind);
  return message === undefined ? object : { kind, apiVersion, ...structure(message, object) };
}

/** One field of an object of this kind as a server would show it; undefined: nothing. Kinds that are not built in keep the value. */
export function canonicalField(
  apiVersion: string,
  kind: string,
  name: string,
  value: Json | undefined,
): Json | undefined {
  const message = kindMessage(apiVersion, kind);
  if (message === undefined) return value;
  const field = messageOf(message)
    .values()
    .find((each) => each.name === name);
  return field === undefined ? undefined : shownOf(field, value ?? undefined);
}

/** The same for metadata alone, of whatever kind. */
export function canonicalMetadata(metadata: JsonObject): JsonObject {
  return structure("meta.v1.ObjectMeta", metadata);
}

/** Built field by field, not from entries: every write comes through here. No field is called `__proto__`. */
function structure(name: string, object: JsonObject): JsonObject {
  const shown: Record<string, Json> = {};
  if (isTemplateOfClaims(name, object)) copyTypeMeta(object, shown);
  for (const field of messageOf(name).values()) {
    if (field.presence === "inline") {
      Object.assign(shown, structure(field.type, object));
      continue;
    }
    const value = shownOf(field, get(object, field.name) ?? undefined);
    if (value !== undefined) shown[field.name] = value;
  }
  return shown;
}

/** Claims stand inside of StatefulSets as whole objects, and keep what they say of their kind. */
function isTemplateOfClaims(name: string, object: JsonObject): boolean {
  return name === "core.v1.PersistentVolumeClaim" && get(object, "kind") !== undefined;
}

function copyTypeMeta(from: JsonObject, to: Record<string, Json>): void {
  for (const name of ["kind", "apiVersion"]) {
    const value = get(from, name);
    if (value !== undefined) to[name] = value;
  }
}

/** What is shown of a field; undefined: nothing. Null says as much as not there. */
function shownOf(field: Field, given: Json | undefined): Json | undefined {
  const value = given === undefined || isEmpty(given, field) ? undefined : valueOf(field, given);
  switch (field.presence) {
    case "omit":
      return value === undefined || isZero(value) ? undefined : value;
    case "value":
      return value ?? (field.holds === "one" ? zero(field.type) : null);
    case "nullable":
      return value ?? null;
    case "pointer":
    case "inline":
      return value;
  }
}

/** A list or map in which nothing is: stored, it cannot be told from none. */
function isEmpty(value: Json, { holds }: Field): boolean {
  if (holds === "list") return isList(value) && value.length === 0;
  return holds === "map" && isObject(value) && Object.keys(value).length === 0;
}

function valueOf({ holds, type }: Field, value: Json): Json {
  if (holds === "list") return isList(value) ? value.map((item) => oneOf(type, item)) : value;
  if (holds === "map" && isObject(value)) return mapValues(value, (item) => oneOf(type, item));
  return oneOf(type, value);
}

/** Null in a list or map is the zero value there. */
function oneOf(type: string, value: Json): Json {
  if (value === null) return zero(type);
  if (isScalar(type)) return canonicalScalar(type, value);
  if (isReshaped(type)) return reshaped(value);
  return isObject(value) ? structure(type, value) : value;
}

/** The schemas of custom resources: a structure among other forms, which stay. */
function reshaped(value: Json): Json {
  if (isList(value)) return value.map(reshaped);
  return isObject(value) ? structure("apiextensions.v1.JSONSchemaProps", value) : value;
}

function canonicalScalar(type: string, value: Json): Json {
  if (type === "quantity" && (typeof value === "string" || typeof value === "number")) {
    return Quantity.tryParse(String(value).trim())?.toString() ?? value;
  }
  if (type === "time" && typeof value === "string") {
    const moment = fromTimestamp(value);
    return moment === undefined ? value : toTimestamp(moment);
  }
  return value;
}

function zero(type: string): Json {
  if (isScalar(type)) return zeroOf(type);
  return isReshaped(type) ? null : structure(type, {});
}

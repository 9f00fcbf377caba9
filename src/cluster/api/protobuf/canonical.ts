/**
 * The JSON form that an object has on a Kubernetes server, whatever was sent: Kubernetes reads a body into Go structures
 * and writes those. What no structure knows is gone, what is empty is left out or shown as its type demands, sizes and
 * times are in their canonical form. The same table that reads protobuf says how.
 */
import { fromTimestamp, toTimestamp } from "../../../core/clock.ts";
import { Quantity } from "../../../core/quantity.ts";
import { fromEntries, get, isList, isObject, type Json, type JsonObject } from "../json.ts";
import { once } from "../once-per.ts";
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
  if (message === undefined) return object;
  const shown: Record<string, Json> = { kind, apiVersion };
  show(partsOf(message), object, shown);
  return shown;
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
  const part = partsOf(message).list.find((each) => each.name === name);
  return part === undefined ? undefined : shownOf(part, value ?? undefined);
}

/** The same for metadata alone, of whatever kind. */
export function canonicalMetadata(metadata: JsonObject): JsonObject {
  return structure("meta.v1.ObjectMeta", metadata);
}

function structure(name: string, object: JsonObject): JsonObject {
  return shownWhole(partsOf(name), object);
}

function shownWhole(parts: Parts, object: JsonObject): JsonObject {
  const shown: Record<string, Json> = {};
  if (isTemplateOfClaims(parts, object)) copyTypeMeta(object, shown);
  show(parts, object, shown);
  return parts.isSparse && isSame(object, shown) ? object : shown;
}

/** Whether both hold the very same, in the same order. */
function isSame(a: JsonObject, b: JsonObject): boolean {
  const [left, right] = [Object.keys(a), Object.keys(b)];
  return left.length === right.length && left.every((key, index) => key === right[index] && a[key] === b[key]);
}

/** Field by field into what is there, not from entries: every write comes through here. */
function show(parts: Parts, object: JsonObject, shown: Record<string, Json>): void {
  for (const part of partsIn(parts, object)) {
    if (part.presence === "inline") {
      show(part.inner(), object, shown);
      continue;
    }
    const value = shownOf(part, object[part.name] ?? undefined);
    if (value !== undefined) shown[part.name] = value;
  }
}

/** Those to look at: where nothing is shown of what is not there, and little is there, nobody looks for all the rest. */
function partsIn({ list, byName, isSparse }: Parts, object: JsonObject): readonly Part[] {
  if (!isSparse) return list;
  const keys = Object.keys(object);
  if (keys.length > FEW) return list;
  const found: Part[] = [];
  for (const key of keys) {
    const part = byName.get(key);
    if (part !== undefined) found.push(part);
  }
  return found.length < 2 ? found : found.sort((a, b) => a.place - b.place);
}

const FEW = 4;

/** The fields of a message, in their order. */
interface Parts {
  readonly message: string;
  readonly list: readonly Part[];
  readonly byName: ReadonlyMap<string, Part>;
  /** There are many, and what is not there is not shown. */
  readonly isSparse: boolean;
}

/** A field, and what its values need: most are fine as they are. */
interface Part extends Field {
  /** The number in their order. */
  readonly place: number;
  readonly form: "plain" | "quantity" | "time" | "reshaped" | "structure";
  /** Of a structure: those of its own message, looked up when they are met. Messages hold each other, and some themselves. */
  readonly inner: () => Parts;
}

/** Looked at several times for every write, so that they are arranged once. */
function partsOf(name: string): Parts {
  const known = PARTS.get(name);
  if (known !== undefined) return known;
  const list = [...messageOf(name).values()].map((field, place) => ({
    ...field,
    place,
    form: formOf(field.type),
    inner: once(() => partsOf(field.type)),
  }));
  // They are read from objects by name alone: what every object of JavaScript has must not pass for a field.
  if (list.some((part) => part.name in {})) throw new Error(`a field of ${name} cannot be told from none`);
  const made = {
    message: name,
    list,
    byName: new Map(list.map((part) => [part.name, part])),
    isSparse: list.length > 4 * FEW && list.every(({ presence }) => presence === "omit" || presence === "pointer"),
  };
  PARTS.set(name, made);
  return made;
}

/** One per message of the table. */
const PARTS = new Map<string, Parts>();

function formOf(type: string): Part["form"] {
  if (type === "quantity" || type === "time") return type;
  if (isScalar(type)) return "plain";
  return isReshaped(type) ? "reshaped" : "structure";
}

/** Claims stand inside of StatefulSets as whole objects, and keep what they say of their kind. */
function isTemplateOfClaims({ message }: Parts, object: JsonObject): boolean {
  return message === "core.v1.PersistentVolumeClaim" && get(object, "kind") !== undefined;
}

function copyTypeMeta(from: JsonObject, to: Record<string, Json>): void {
  for (const name of ["kind", "apiVersion"]) {
    const value = get(from, name);
    if (value !== undefined) to[name] = value;
  }
}

/** What is shown of a field; undefined: nothing. Null says as much as not there. */
function shownOf(part: Part, given: Json | undefined): Json | undefined {
  const value = given === undefined || isEmpty(given, part) ? undefined : valueOf(part, given);
  switch (part.presence) {
    case "omit":
      return value === undefined || isZero(value) ? undefined : value;
    case "value":
      return value ?? (part.holds === "one" ? zero(part) : null);
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

function valueOf(part: Part, value: Json): Json {
  if (part.holds === "list") return isList(value) ? listOf(part, value) : value;
  if (part.holds === "map" && isObject(value)) return mapOf(part, value);
  return oneOf(part, value);
}

function listOf(part: Part, list: readonly Json[]): Json {
  return part.form === "plain" && !list.includes(null) ? list : list.map((item) => oneOf(part, item));
}

/** The same map where nothing in it is shown otherwise: a large one takes long to make. */
function mapOf(part: Part, map: JsonObject): Json {
  const keys = Object.keys(map);
  const shown = keys.map((key) => oneOf(part, map[key] ?? null));
  if (keys.every((key, index) => shown[index] === map[key])) return map;
  return fromEntries(keys.map((key, index) => [key, shown[index] ?? null]));
}

/** Null in a list or map is the zero value there. */
function oneOf(part: Part, value: Json): Json {
  if (value === null) return zero(part);
  switch (part.form) {
    case "plain":
      return value;
    case "quantity":
      return canonicalQuantity(value);
    case "time":
      return canonicalTime(value);
    case "reshaped":
      return reshaped(value);
    case "structure":
      return isObject(value) ? shownWhole(part.inner(), value) : value;
  }
}

/** The schemas of custom resources: a structure among other forms, which stay. */
function reshaped(value: Json): Json {
  if (isList(value)) return value.map(reshaped);
  return isObject(value) ? structure("apiextensions.v1.JSONSchemaProps", value) : value;
}

/** What nearly everybody writes, and what is its own canonical form: no power of its base is left in the number. */
const CANONICAL = /^[1-9]\d{0,2}(?:[KMGTP]i|[mkMGTP])?$/;

function canonicalQuantity(value: Json): Json {
  if (typeof value !== "string" && typeof value !== "number") return value;
  const text = String(value).trim();
  return CANONICAL.test(text) ? text : (Quantity.tryParse(text)?.toString() ?? value);
}

function canonicalTime(value: Json): Json {
  if (typeof value !== "string") return value;
  const moment = fromTimestamp(value);
  return moment === undefined ? value : toTimestamp(moment);
}

function zero({ type, form, inner }: Part): Json {
  if (isScalar(type)) return zeroOf(type);
  return form === "reshaped" ? null : shownWhole(inner(), {});
}

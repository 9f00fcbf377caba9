/** Values that are one value in JSON, from their bytes or numbers on the wire. */
import { Quantity } from "../../../core/quantity.ts";
import type { Json } from "../json.ts";
import type { ScalarType } from "./table.ts";
import {
  FIXED64,
  LENGTH_DELIMITED,
  readFields,
  toBool,
  toInt32,
  toInt64,
  toText,
  VARINT,
  WireError,
  type WireField,
} from "./wire.ts";

/** How deep the JSON inside a message may nest. */
const MAX_JSON_DEPTH = 500;

/** The first and the last second of the years that RFC 3339 can write, and Go's zero time. */
const [FIRST_SECOND, LAST_SECOND] = [-62_135_596_800, 253_402_300_799];

const ZEROS: Readonly<Record<ScalarType, Json>> = {
  string: "",
  bool: false,
  bytes: null,
  int32: 0,
  int64: 0,
  double: 0,
  quantity: "0",
  time: null,
  microTime: null,
  intOrString: 0,
  json: null,
};

export function isScalar(type: string): type is ScalarType {
  return Object.hasOwn(ZEROS, type);
}

/** What JSON shows of a value that was not sent. */
export function zeroOf(type: ScalarType): Json {
  return ZEROS[type];
}

/** Whether Go leaves the value out of JSON where it may. */
export function isZero(value: Json): boolean {
  return value === "" || value === 0 || value === false || value === null;
}

/** Throws `WireError` for a field of another wire type than its own, or a value that has no JSON. */
export function decodeScalar(type: ScalarType, field: WireField): Json {
  switch (type) {
    case "string":
      return toText(bytesOf(field));
    case "bytes":
      return Buffer.from(bytesOf(field)).toString("base64");
    case "bool":
      return toBool(numberOf(field));
    case "int32":
      return toInt32(numberOf(field));
    case "int64":
      return toInt64(numberOf(field));
    case "double":
      return toDouble(field);
    case "quantity":
      return toQuantity(bytesOf(field));
    case "time":
      return toTime(bytesOf(field));
    case "microTime":
      return toMicroTime(bytesOf(field));
    case "intOrString":
      return toIntOrString(bytesOf(field));
    case "json":
      return toJson(bytesOf(field));
  }
}

/** Whether lists of it may be sent packed: all numbers in one field. */
export function packs(type: string): type is "bool" | "int32" | "int64" {
  return type === "bool" || type === "int32" || type === "int64";
}

/** The bytes of a field that has some; throws for one that is a number. */
export function bytesOf(field: WireField): Uint8Array {
  if (field.wireType !== LENGTH_DELIMITED) throw wrongWireType(field);
  return field.value;
}

function numberOf(field: WireField) {
  if (field.wireType !== VARINT) throw wrongWireType(field);
  return field.value;
}

function wrongWireType({ number, wireType }: WireField): WireError {
  return new WireError(`wrong wireType = ${wireType} for field ${number}`);
}

function toDouble(field: WireField): number {
  if (field.wireType !== FIXED64) throw wrongWireType(field);
  const { buffer, byteOffset } = field.value;
  const value = new DataView(buffer, byteOffset, 8).getFloat64(0, true);
  if (!Number.isFinite(value)) throw new WireError(`${value} is not a number that JSON has`);
  return value;
}

/** In its canonical form: `1024Mi` becomes `1Gi`, as a Kubernetes server reads it. */
function toQuantity(bytes: Uint8Array): string {
  let quantity: Quantity | undefined = Quantity.zero;
  for (const field of readFields(bytes)) {
    if (field.number === 1) quantity = Quantity.tryParse(toText(bytesOf(field)));
  }
  if (quantity === undefined) throw new WireError("unable to parse a quantity");
  return quantity.toString();
}

function toTime(bytes: Uint8Array): string | null {
  const { seconds } = readTimestamp(bytes);
  return seconds === FIRST_SECOND ? null : isoSeconds(seconds) + "Z";
}

function toMicroTime(bytes: Uint8Array): string | null {
  const { seconds, nanos } = readTimestamp(bytes);
  if (seconds === FIRST_SECOND && nanos === 0) return null;
  return `${isoSeconds(seconds)}.${String(Math.floor(nanos / 1000)).padStart(6, "0")}Z`;
}

/** Nothing sent is Go's zero time. */
function readTimestamp(bytes: Uint8Array): { seconds: number; nanos: number } {
  let [seconds, nanos] = [bytes.length === 0 ? FIRST_SECOND : 0, 0];
  for (const field of readFields(bytes)) {
    if (field.number === 1) seconds = toInt64(numberOf(field));
    if (field.number === 2) nanos = toInt32(numberOf(field));
  }
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND || nanos < 0 || nanos >= 1e9) {
    throw new WireError("a time lies outside of the years 1 to 9999");
  }
  return { seconds, nanos };
}

function isoSeconds(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19);
}

function toIntOrString(bytes: Uint8Array): number | string {
  let [type, number, text] = [0, 0, ""];
  for (const field of readFields(bytes)) {
    if (field.number === 1) type = toInt64(numberOf(field));
    if (field.number === 2) number = toInt32(numberOf(field));
    if (field.number === 3) text = toText(bytesOf(field));
  }
  if (type !== 0 && type !== 1) throw new WireError("impossible IntOrString.Type");
  return type === 0 ? number : text;
}

function toJson(bytes: Uint8Array): Json {
  let text = "";
  for (const field of readFields(bytes)) {
    if (field.number === 1) text = toText(bytesOf(field));
  }
  if (text === "") return null;
  if (jsonDepth(text) > MAX_JSON_DEPTH) throw new WireError("JSON inside of the message is nested too deeply");
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new WireError("what should be JSON inside of the message is not");
  }
}

/** How deep brackets nest outside of strings. */
function jsonDepth(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{\]}]/g)) {
    if (token === "[" || token === "{") deepest = Math.max(deepest, ++depth);
    else if (token === "]" || token === "}") depth--;
  }
  return deepest;
}

/**
 * JSON as a message of the table: the same table that reads protobuf says which number and which type a field has. What is not there or
 * says nothing is left out: whoever reads the message fills in the same zero.
 */
import { fromTimestamp } from "../../../core/clock.ts";
import { isList, isObject, type Json, type JsonObject } from "../json.ts";
import { isScalar } from "./scalars.ts";
import { type Field, messageOf, type ScalarType } from "./table.ts";

import { WireWriter } from "./wire-writer.ts";

/** The object as a message of this name. A value of another type than its field has, which nothing stored has, is left out. */
export function encodeMessage(name: string, object: JsonObject): Buffer {
  const writer = new WireWriter();
  writeFields(writer, name, object);
  return writer.bytes();
}

function writeFields(writer: WireWriter, name: string, object: JsonObject): void {
  for (const [number, field] of messageOf(name)) {
    // Its fields stand among those of the message around it in JSON alone.
    if (field.presence === "inline") writer.bytesField(number, encodeMessage(field.type, object));
    else writeField(writer, number, field, Object.hasOwn(object, field.name) ? object[field.name] : undefined);
  }
}

function writeField(writer: WireWriter, number: number, { type, holds }: Field, value: Json | undefined): void {
  if (value === undefined || value === null) return;
  switch (holds) {
    case "one":
      return writeValue(writer, number, type, value);
    case "list":
      if (isList(value)) for (const item of value) writeValue(writer, number, type, item);
      return;
    case "map":
      if (isObject(value)) for (const [key, item] of Object.entries(value)) writeEntry(writer, number, type, key, item);
  }
}

function writeEntry(writer: WireWriter, number: number, type: string, key: string, value: Json): void {
  const entry = new WireWriter();
  entry.textField(1, key);
  writeValue(entry, 2, type, value);
  writer.bytesField(number, entry.bytes());
}

function writeValue(writer: WireWriter, number: number, type: string, value: Json): void {
  if (isScalar(type)) return writeScalar(writer, number, type, value);
  const shaped = Object.hasOwn(SHAPES, type) ? SHAPES[type]?.(value) : value;
  writer.bytesField(number, encodeMessage(type, isObject(shaped) ? shaped : {}));
}

/** Messages that JSON shows as something else than a structure with their fields. */
const SHAPES: Readonly<Record<string, (value: Json) => Json>> = {
  "authentication.v1.ExtraValue": (items) => ({ items }),
  "authorization.v1.ExtraValue": (items) => ({ items }),
  "certificates.v1.ExtraValue": (items) => ({ items }),
  "apiextensions.v1.JSONSchemaPropsOrArray": (value) => (isList(value) ? { JSONSchemas: value } : { Schema: value }),
  "apiextensions.v1.JSONSchemaPropsOrBool": (value) =>
    typeof value === "boolean" ? { Allows: value } : { Allows: true, Schema: value },
  "apiextensions.v1.JSONSchemaPropsOrStringArray": (value) => (isList(value) ? { Property: value } : { Schema: value }),
};

function writeScalar(writer: WireWriter, number: number, type: ScalarType, value: Json): void {
  switch (type) {
    case "string":
      if (typeof value === "string") writer.textField(number, value);
      return;
    case "bytes":
      if (typeof value === "string") writer.bytesField(number, Buffer.from(value, "base64"));
      return;
    case "bool":
      if (typeof value === "boolean") writer.numberField(number, value ? 1 : 0);
      return;
    case "int32":
    case "int64":
      if (typeof value === "number") writer.numberField(number, value);
      return;
    case "double":
      if (typeof value === "number") writer.doubleField(number, value);
      return;
    case "quantity": {
      if (typeof value !== "string" && typeof value !== "number") return;
      const quantity = new WireWriter();
      quantity.textField(1, String(value));
      return writer.bytesField(number, quantity.bytes());
    }
    case "time":
    case "microTime":
      return writeTime(writer, number, value);
    case "intOrString": {
      if (typeof value !== "string" && typeof value !== "number") return;
      const either = new WireWriter();
      either.numberField(1, typeof value === "number" ? 0 : 1);
      if (typeof value === "number") either.numberField(2, value);
      else either.textField(3, value);
      return writer.bytesField(number, either.bytes());
    }
    case "json": {
      const raw = new WireWriter();
      raw.textField(1, JSON.stringify(value));
      return writer.bytesField(number, raw.bytes());
    }
  }
}

/** Seconds, and what is left of one in nanoseconds. JSON has six places at most. */
function writeTime(writer: WireWriter, number: number, value: Json): void {
  const moment = typeof value === "string" ? fromTimestamp(value) : undefined;
  if (typeof value !== "string" || moment === undefined) return;
  const time = new WireWriter();
  time.numberField(1, Math.floor(moment / 1000));
  const micros = Number((/\.(\d{1,6})/.exec(value)?.[1] ?? "").padEnd(6, "0"));
  if (micros > 0) time.numberField(2, micros * 1000);
  writer.bytesField(number, time.bytes());
}

/** A message of the table as JSON: what Go's encoder would write of the same object. */
import { fromEntries, get, isObject, type Json, type JsonObject } from "../json.ts";
import { bytesOf, decodeScalar, isScalar, isZero, packs, zeroOf } from "./scalars.ts";
import { type Field, messageOf } from "./table.ts";
import { LENGTH_DELIMITED, readFields, readPacked, toText, VARINT, WireError, type WireField } from "./wire.ts";

/** Messages inside of messages. Only schemas of custom resources nest without end; none comes near. */
const MAX_DEPTH = 500;

/** Messages, list items and map entries in one body: a few bytes each on the wire, much more in memory. */
const MAX_VALUES = 200_000;

/** Messages that JSON shows as something else than a structure with their fields. */
const RESHAPED: Readonly<Record<string, (message: JsonObject) => Json>> = {
  "authentication.v1.ExtraValue": (message) => get(message, "items") ?? null,
  "authorization.v1.ExtraValue": (message) => get(message, "items") ?? null,
  "certificates.v1.ExtraValue": (message) => get(message, "items") ?? null,
  "apiextensions.v1.JSONSchemaPropsOrArray": (message) => get(message, "JSONSchemas") ?? get(message, "Schema") ?? null,
  "apiextensions.v1.JSONSchemaPropsOrBool": (message) => get(message, "Schema") ?? get(message, "Allows") ?? false,
  "apiextensions.v1.JSONSchemaPropsOrStringArray": (message) =>
    get(message, "Property") ?? get(message, "Schema") ?? null,
};

/** Whether JSON shows the message as something else than a structure. */
export function isReshaped(name: string): boolean {
  return Object.hasOwn(RESHAPED, name);
}

/**
 * The message of this name, without `apiVersion` and `kind`: they are not part of it. Unknown fields are passed over; of a
 * field that may stand once and stands twice, the last counts. Throws `WireError` for bytes that are no such message, and
 * for one that nests too deeply or holds too much.
 */
export function decodeMessage(name: string, bytes: Uint8Array): JsonObject {
  return new Decoder().structure(name, bytes, 0);
}

/** What was read of one field: its value, or the items or entries so far. */
type Found =
  | { readonly holds: "one"; readonly value: Json }
  | { readonly holds: "list"; readonly items: Json[] }
  | { readonly holds: "map"; readonly entries: [string, Json][] };

class Decoder {
  #values = 0;

  structure(name: string, bytes: Uint8Array, depth: number): JsonObject {
    if (depth > MAX_DEPTH) throw new WireError("exceeded max depth");
    this.#count();
    const message = messageOf(name);
    const found = new Map<number, Found>();
    for (const wire of readFields(bytes)) {
      const field = message.get(wire.number);
      if (field !== undefined) found.set(wire.number, this.#add(found.get(wire.number), field, wire, depth));
    }
    const entries: [string, Json][] = [];
    for (const [number, field] of message) {
      const value = toValue(found.get(number));
      if (field.presence === "inline") {
        const inlined = value ?? this.structure(field.type, NOTHING, depth + 1);
        if (isObject(inlined)) entries.push(...Object.entries(inlined));
        continue;
      }
      const shown = this.#shown(field, value, depth);
      if (shown !== undefined) entries.push([field.name, shown]);
    }
    return fromEntries(entries);
  }

  #add(before: Found | undefined, field: Field, wire: WireField, depth: number): Found {
    switch (field.holds) {
      case "one":
        return { holds: "one", value: this.#value(field.type, wire, depth) };
      case "list": {
        const list = before?.holds === "list" ? before : { holds: "list" as const, items: [] };
        for (const item of itemsOf(field, wire)) list.items.push(this.#value(field.type, item, depth));
        return list;
      }
      case "map": {
        const map = before?.holds === "map" ? before : { holds: "map" as const, entries: [] };
        map.entries.push(this.#entry(field.type, bytesOf(wire), depth));
        return map;
      }
    }
  }

  #value(type: string, wire: WireField, depth: number): Json {
    if (isScalar(type)) {
      this.#count();
      return decodeScalar(type, wire);
    }
    return this.#message(type, bytesOf(wire), depth + 1);
  }

  #message(type: string, bytes: Uint8Array, depth: number): Json {
    const message = this.structure(type, bytes, depth);
    const reshape = RESHAPED[type];
    return reshape === undefined ? message : reshape(message);
  }

  #entry(type: string, bytes: Uint8Array, depth: number): [string, Json] {
    let key = "";
    let value: Json | undefined;
    for (const wire of readFields(bytes)) {
      if (wire.number === 1) key = toText(bytesOf(wire));
      if (wire.number === 2) value = this.#value(type, wire, depth);
    }
    return [key, value ?? (type === "bytes" ? "" : this.#zero(type, depth))];
  }

  /** What JSON shows of the field; undefined: nothing. */
  #shown(field: Field, value: Json | undefined, depth: number): Json | undefined {
    switch (field.presence) {
      case "omit":
        return value === undefined || isZero(value) ? undefined : value;
      case "value":
        return value ?? (field.holds === "one" ? this.#zero(field.type, depth) : null);
      case "pointer":
        return value;
      case "nullable":
        return value ?? null;
      case "inline":
        return undefined;
    }
  }

  #zero(type: string, depth: number): Json {
    return isScalar(type) ? zeroOf(type) : this.#message(type, NOTHING, depth + 1);
  }

  #count(): void {
    if (++this.#values > MAX_VALUES) throw new WireError(`more than ${MAX_VALUES} values`);
  }
}

const NOTHING = new Uint8Array();

function toValue(found: Found | undefined): Json | undefined {
  switch (found?.holds) {
    case undefined:
      return undefined;
    case "one":
      return found.value;
    case "list":
      return found.items;
    case "map":
      return fromEntries(found.entries);
  }
}

/** One item per field, or many numbers packed into one: senders may do either. */
function* itemsOf(field: Field, wire: WireField): Generator<WireField> {
  if (!packs(field.type) || wire.wireType !== LENGTH_DELIMITED) yield wire;
  else for (const value of readPacked(wire.value)) yield { number: wire.number, wireType: VARINT, value };
}

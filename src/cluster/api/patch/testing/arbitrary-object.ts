/** Objects of a kind, made up by its schema: for tests that must hold for all of them. */
import * as fc from "fast-check";
import type { Json, JsonObject } from "../../json.ts";
import { structureOf } from "../../schema/schema.ts";
import type { FieldType, ListType, ObjectType, ScalarName } from "../../schema/types.ts";

const WORDS = ["a", "b", "c"] as const;

const SCALARS: Readonly<Record<Exclude<ScalarName, "any" | "raw">, fc.Arbitrary<Json>>> = {
  string: fc.constantFrom(...WORDS),
  bytes: fc.constantFrom("AA==", "AQ=="),
  integer: fc.integer({ min: 0, max: 3 }),
  number: fc.integer({ min: 0, max: 3 }),
  boolean: fc.boolean(),
  time: fc.constantFrom("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"),
  microTime: fc.constantFrom("2026-01-01T00:00:00.000000Z"),
  quantity: fc.constantFrom("1Gi", "2Gi"),
  intOrString: fc.constantFrom<Json>(80, "http"),
};

/** `depth` levels of structures; what lies deeper, and what may be anything, is left out. */
export function arbitraryObject(name: string, depth = 5): fc.Arbitrary<JsonObject> {
  return structure(structureOf(name), depth, []) as fc.Arbitrary<JsonObject>;
}

function structure(type: ObjectType, depth: number, needed: readonly string[]): fc.Arbitrary<Json> {
  const fields = Object.entries(type.fields).flatMap(([name, field]) => {
    const value = name === "managedFields" ? undefined : valueOf(field, depth);
    return value === undefined ? [] : [[name, value] as const];
  });
  // Of a large structure few fields are there, so that objects stay of a size to be read.
  const absent = fields.length > 8 ? fields.length / 8 : 0.5;
  const parts = fields.map(([name, value]) => [name, needed.includes(name) ? value : maybe(value, absent)] as const);
  return fc
    .record(Object.fromEntries(parts))
    .map(
      (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as JsonObject,
    );
}

/** The value once for every `absent` times that it is missing. */
function maybe(value: fc.Arbitrary<Json>, absent: number): fc.Arbitrary<Json | undefined> {
  return fc.oneof(
    { weight: Math.round(absent * 10), arbitrary: fc.constant(undefined) },
    { weight: 10, arbitrary: value },
  );
}

function valueOf(type: FieldType, depth: number): fc.Arbitrary<Json> | undefined {
  if (type === "any" || type === "raw") return undefined;
  if (typeof type === "string") return SCALARS[type];
  if (depth <= 0) return undefined;
  if ("list" in type) return list(type, depth);
  if ("map" in type) {
    const value = valueOf(type.map, depth - 1);
    return value === undefined ? undefined : fc.dictionary(fc.constantFrom(...WORDS), value, { maxKeys: 2 });
  }
  return structure("ref" in type ? structureOf(type.ref) : type, depth - 1, []);
}

/** Items of a merged list have what tells them apart, and no two have the same. */
function list(type: ListType, depth: number): fc.Arbitrary<Json> | undefined {
  const keys = [...(type.keys ?? []), ...(typeof type.merge === "string" ? [type.merge] : [])];
  if (typeof type.list === "object" && "ref" in type.list) {
    const item = structure(structureOf(type.list.ref), depth - 1, keys);
    if (keys.length === 0) return fc.array(item, { maxLength: 2 });
    const key = typeof type.merge === "string" ? type.merge : (keys[0] ?? "");
    return fc.uniqueArray(item, { maxLength: 3, selector: (each) => JSON.stringify((each as JsonObject)[key]) });
  }
  const item = valueOf(type.list, depth - 1);
  if (item === undefined) return undefined;
  return type.set === true ? fc.uniqueArray(item, { maxLength: 3 }) : fc.array(item, { maxLength: 3 });
}

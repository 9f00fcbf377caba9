/** test/kube/crd holds all of this against a real server; here is what each rule is for. */
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../json.ts";
import { withSchemaDefaults } from "./default.ts";
import { pruneObject } from "./prune.ts";
import { readSchema } from "./schema.ts";

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });
const text = { type: "string" };

function pruned(properties: JsonObject, spec: JsonObject) {
  const schema = readSchema(object({ spec: object(properties) }));
  const { object: kept, unknown } = pruneObject({ kind: "A", metadata: { name: "a" }, spec }, schema);
  return { spec: kept["spec"], unknown };
}

describe("what the schema does not know is taken away", () => {
  test.each<[string, JsonObject, JsonObject, JsonObject, string[]]>([
    ["beside known fields", { a: text }, { a: "x", b: 1 }, { a: "x" }, ["spec.b"]],
    [
      "inside of lists",
      { l: { type: "array", items: object({ a: text }) } },
      { l: [{ a: "x", b: 1 }, { c: 1 }] },
      { l: [{ a: "x" }, {}] },
      ["spec.l[0].b", "spec.l[1].c"],
    ],
    [
      "under keys that the user chose",
      { m: { type: "object", additionalProperties: object({ a: text }) } },
      { m: { k: { b: 1 } } },
      { m: { k: {} } },
      ["spec.m.k.b"],
    ],
    [
      "but not where unknown fields are preserved",
      { o: object({}, { "x-kubernetes-preserve-unknown-fields": true }) },
      { o: { x: { y: 1 } } },
      { o: { x: { y: 1 } } },
      [],
    ],
    [
      "in known fields of what preserves",
      { o: object({ k: object({ a: text }) }, { "x-kubernetes-preserve-unknown-fields": true }) },
      { o: { k: { b: 1 }, x: 1 } },
      { o: { k: {}, x: 1 } },
      ["spec.o.k.b"],
    ],
    [
      "all of it, where any key may stand but nothing is said of its value",
      { f: { type: "object", additionalProperties: true } },
      { f: { a: 1, b: { c: 1 } } },
      { f: { a: 1, b: {} } },
      ["spec.f.b.c"],
    ],
    ["also names that every JavaScript object has", { a: text }, { constructor: 1 }, {}, ["spec.constructor"]],
    ["nulls without a word", { a: text, n: { type: "string", nullable: true } }, { a: null, n: null }, { n: null }, []],
  ])("%s", (_, properties, spec, kept, unknown) => {
    expect(pruned(properties, spec)).toEqual({ spec: kept, unknown });
  });

  test("metadata is kept as far as Kubernetes knows it", () => {
    const sent = { metadata: { name: "a", foo: 1, labels: {}, creationTimestamp: null }, other: 1 };
    expect(pruneObject(sent, readSchema(object({})))).toEqual({
      object: { metadata: { name: "a" } },
      unknown: ["metadata.foo", "other"],
    });
  });

  test("so is that of embedded objects", () => {
    const embedded = object(
      {},
      { "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
    );
    const spec = { e: { apiVersion: "v1", kind: "Pod", metadata: { name: "a", foo: 1 }, x: 1 } };
    expect(pruned({ e: embedded }, spec)).toEqual({
      spec: { e: { apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, x: 1 } },
      unknown: ["spec.e.metadata.foo"],
    });
  });

  test("without a schema everything but the metadata is", () => {
    expect(pruneObject({ kind: "A", metadata: { name: "a" }, spec: {} }, undefined)).toEqual({
      object: { kind: "A", metadata: { name: "a" } },
      unknown: ["spec"],
    });
  });
});

describe("defaults are filled in", () => {
  const schema = readSchema(
    object({
      size: { type: "integer", default: 3 },
      maybe: { type: "string", nullable: true, default: "a" },
      never: { type: "string", default: "a" },
      outer: object({ inner: { type: "integer", default: 1 } }, { default: {} }),
      missing: object({ inner: { type: "integer", default: 1 } }),
      list: { type: "array", items: object({ protocol: { type: "string", default: "TCP" } }) },
      map: { type: "object", additionalProperties: object({ size: { type: "integer", default: 2 } }) },
    }),
  );
  const all = { size: 3, maybe: "a", never: "a", outer: { inner: 1 } };

  test.each<[string, JsonObject, JsonObject]>([
    ["for what is missing, and inside of what was filled in", {}, all],
    ["not for what is there", { size: 0, never: "" }, { ...all, size: 0, never: "" }],
    ["for null, unless it may be null", { never: null, maybe: null }, { ...all, maybe: null }],
    ["not in a parent that is missing", { missing: {} }, { ...all, missing: { inner: 1 } }],
    [
      "in items and values",
      { list: [{}], map: { k: {} } },
      { ...all, list: [{ protocol: "TCP" }], map: { k: { size: 2 } } },
    ],
  ])("%s", (_, given, expected) => {
    expect(withSchemaDefaults(given, schema)).toEqual(expected);
  });

  test("and what is complete is given back as it is", () => {
    expect(withSchemaDefaults(all, schema)).toBe(all);
  });
});

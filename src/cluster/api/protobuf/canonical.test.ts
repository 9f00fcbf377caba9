import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Quantity } from "../../../core/quantity.ts";
import type { JsonObject } from "../json.ts";
import { canonicalObject } from "./canonical.ts";

const BODIES = JSON.parse(readFileSync(new URL("testdata/bodies.json", import.meta.url), "utf8")) as {
  name: string;
  json: JsonObject;
}[];

const claim = (more: JsonObject): JsonObject => ({ apiVersion: "v1", kind: "PersistentVolumeClaim", ...more });

/** A pointer to nothing is null in JSON, and null is read as no pointer: those cannot come back as they were. */
const POINTERS_TO_ZERO = "every zero is said";

describe("what Go has written is canonical already", () => {
  test.each(BODIES.filter(({ name }) => !name.endsWith(POINTERS_TO_ZERO)))("$name", ({ json }) => {
    expect(canonicalObject(json)).toEqual(json);
  });
});

test.each<[string, JsonObject, JsonObject]>([
  ["fields that no structure knows are gone", { spec: { foo: 1 }, bar: {} }, { spec: { resources: {} } }],
  ["null is none", { metadata: { labels: null, name: "a" }, spec: null }, { metadata: { name: "a" } }],
  ["null in a map is an empty value", { metadata: { labels: { a: null } } }, { metadata: { labels: { a: "" } } }],
  [
    "an empty list or map is none",
    { metadata: { finalizers: [], annotations: {} }, spec: { accessModes: [] } },
    { metadata: {}, spec: { resources: {} } },
  ],
  [
    "sizes are canonical",
    { spec: { resources: { requests: { storage: "1024Mi" }, limits: { storage: 1500 } } } },
    { spec: { resources: { requests: { storage: "1Gi" }, limits: { storage: "1500" } } } },
  ],
  [
    "an empty text that a pointer holds says something",
    { spec: { storageClassName: "", volumeName: "" } },
    { spec: { storageClassName: "", resources: {} } },
  ],
  [
    "moments are in UTC",
    { metadata: { creationTimestamp: "2024-01-01T02:00:00.5+02:00" } },
    { metadata: { creationTimestamp: "2024-01-01T00:00:00Z" } },
  ],
  ["a value of a wrong type stays, for others to refuse", { spec: 7 }, { spec: 7 }],
])("%s", (_, given, expected) => {
  const least = { metadata: {}, spec: { resources: {} }, status: {} };
  expect(canonicalObject(claim(given))).toEqual(claim({ ...least, ...expected }));
});

test("a kind that is not built in is the same object", () => {
  const object = { apiVersion: "example.com/v1", kind: "Thing", spec: { a: null } };
  expect(canonicalObject(object)).toBe(object);
});

test("templates of a StatefulSet keep what they say of their kind", () => {
  const template = { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "data" } };
  const object = { apiVersion: "apps/v1", kind: "StatefulSet", spec: { volumeClaimTemplates: [template] } };
  expect(canonicalObject(object)).toMatchObject({ spec: { volumeClaimTemplates: [template] } });
});

test("sizes that are taken as they stand are what reading and writing them gives", () => {
  const suffixes = ["", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
  for (const suffix of suffixes) {
    for (const number of [0, 1, 7, 8, 10, 99, 100, 512, 999, 1000, 1024, 2048]) {
      const claim = {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        spec: { resources: { requests: { storage: `${number}${suffix}` } } },
      };
      expect(canonicalObject(claim)).toMatchObject({
        spec: { resources: { requests: { storage: Quantity.parse(`${number}${suffix}`).toString() } } },
      });
    }
  }
});

describe("a schema in a definition", () => {
  const shown = (properties: JsonObject): JsonObject => {
    const schema = { openAPIV3Schema: { type: "object", properties } };
    const spec = { versions: [{ name: "v1", served: true, storage: true, schema }] };
    const object = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", spec };
    const text = JSON.stringify(canonicalObject(object));
    return JSON.parse(/"properties":(\{.*?\}\})/.exec(text)?.[1] ?? "null") as JsonObject;
  };

  test.each<[string, JsonObject, string]>([
    ["in another order", { type: "string", description: "x" }, '{"description":"x","type":"string"}'],
    ["with a field that nobody knows", { type: "string", foo: 1 }, '{"type":"string"}'],
    ["with what is empty", { type: "string", title: "", required: [], not: null }, '{"type":"string"}'],
    [
      "with much in it",
      { type: "string", title: "t", maxLength: 5, minLength: 1, pattern: "a" },
      '{"type":"string","title":"t","maxLength":5,"minLength":1,"pattern":"a"}',
    ],
  ])("is put into form: %s", (_, schema, expected) => {
    expect(JSON.stringify(shown({ a: schema }))).toBe(`{"a":${expected}}`);
  });

  test("stays the very same where it is in form", () => {
    const properties = { a: { type: "string" }, b: { description: "x", type: "integer" } };
    const schema = { openAPIV3Schema: { type: "object", properties } };
    const spec = { versions: [{ name: "v1", served: true, storage: true, schema }] };
    const object = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", spec };
    const found = canonicalObject(object) as unknown as typeof object;
    expect(found.spec.versions[0]?.schema.openAPIV3Schema.properties).toBe(properties);
  });
});

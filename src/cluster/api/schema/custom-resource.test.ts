import { expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import { customResourceType } from "./custom-resource.ts";
import { shapeOf, typeOfKey } from "./schema.ts";
import type { FieldType } from "./types.ts";

const text = { type: "string" };
const specOf = (spec: JsonObject) => {
  const type = customResourceType({
    type: "object",
    properties: { spec: { type: "object", properties: { x: spec } } },
  });
  return (type.fields["spec"] as { readonly fields: Record<string, FieldType> }).fields["x"];
};

test.each<[string, JsonObject, unknown]>([
  ["a text", text, "string"],
  ["a moment", { type: "string", format: "date-time" }, "time"],
  ["a number", { type: "integer" }, "number"],
  ["a truth", { type: "boolean" }, "boolean"],
  ["a number or a text", { "x-kubernetes-int-or-string": true }, "intOrString"],
  ["anything", {}, "any"],
  ["a map", { type: "object", additionalProperties: text }, { map: "string" }],
  [
    "a map that is replaced whole",
    { type: "object", additionalProperties: text, "x-kubernetes-map-type": "atomic" },
    { map: "string", atomic: true },
  ],
  ["a structure", { type: "object", properties: { a: text } }, { fields: { a: "string" } }],
  [
    "a structure with defaults",
    { type: "object", properties: { a: { ...text, default: "x" } } },
    { fields: { a: "string" }, defaults: { a: "x" } },
  ],
  [
    "a structure that keeps what it does not know, and all in it too",
    {
      type: "object",
      "x-kubernetes-preserve-unknown-fields": true,
      properties: { a: { type: "object", properties: { b: text } } },
    },
    { fields: { a: { fields: { b: "string" }, rest: "any" } }, rest: "any" },
  ],
  ["an object of which nothing is said", { type: "object" }, { map: "any" }],
  ["a list", { type: "array", items: text }, { list: "string" }],
  ["a set", { type: "array", items: text, "x-kubernetes-list-type": "set" }, { list: "string", set: true }],
  [
    "a keyed list",
    {
      type: "array",
      items: { type: "object", properties: { k: text } },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
    },
    { list: { fields: { k: "string" } }, keys: ["k"] },
  ],
  [
    "an object in an object",
    { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
    { fields: { apiVersion: "string", kind: "string", metadata: { ref: "meta.v1.ObjectMeta" } }, rest: "any" },
  ],
])("%s", (_, schema, expected) => {
  expect(specOf(schema)).toEqual(expected);
});

test("metadata is that of every kind, with a schema and without", () => {
  for (const schema of [
    undefined,
    { type: "object" },
    { type: "object", properties: { metadata: { type: "object" } } },
  ]) {
    const shape = shapeOf(customResourceType(schema), {});
    expect(shape.kind === "map" && typeOfKey(shape, "metadata")).toEqual({ ref: "meta.v1.ObjectMeta" });
  }
  expect(customResourceType(undefined).rest).toBe("any");
});

/** Lists that hold nothing twice, and objects inside of objects. */
import { describe, expect, test } from "vitest";
import { fieldErrorText } from "../../../../admission/verdict.ts";
import type { Json, JsonObject } from "../../json.ts";
import { validateEmbedded } from "./embedded.ts";
import { validateListTypes } from "./list-types.ts";
import { readSchema } from "./schema.ts";

const schemaOf = (field: JsonObject) => readSchema({ type: "object", properties: { a: field } });

describe("nothing stands twice", () => {
  const errors = (field: JsonObject, value: Json) =>
    validateListTypes({ a: value }, schemaOf(field)).map(fieldErrorText);
  const set = { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" };
  const map = {
    type: "array",
    items: { type: "object", properties: { k: { type: "string" }, l: { type: "string" } } },
    "x-kubernetes-list-type": "map",
  };

  test.each<[string, JsonObject, Json, string[]]>([
    ["in a set", set, ["x", "y", "x", "x"], ['a[2]: Duplicate value: "x"']],
    [
      "in a map, by its key",
      { ...map, "x-kubernetes-list-map-keys": ["k"] },
      [{ k: "1" }, { k: "1", l: "2" }],
      ['a[1]: Duplicate value: {"k":"1"}'],
    ],
    [
      "in a map, by all of its keys",
      { ...map, "x-kubernetes-list-map-keys": ["k", "l"] },
      [{ k: "1" }, { k: "1", l: "2" }],
      [],
    ],
    [
      "in a map of what are no objects",
      { ...map, "x-kubernetes-list-map-keys": ["k"] },
      ["x"],
      ['a[0]: Invalid value: "x": must be an object for an array of list-type map'],
    ],
    ["but in a plain list it may", { type: "array", items: { type: "string" } }, ["x", "x"], []],
    [
      "under keys of the user",
      { type: "object", additionalProperties: set },
      { b: ["x", "x"] },
      ['a[b][1]: Duplicate value: "x"'],
    ],
  ])("%s", (_, field, value, expected) => {
    expect(errors(field, value)).toEqual(expected);
  });
});

describe("an embedded object says what it is", () => {
  const embedded = {
    type: "object",
    "x-kubernetes-embedded-resource": true,
    "x-kubernetes-preserve-unknown-fields": true,
  };
  const errors = (value: Json) => validateEmbedded({ a: value }, schemaOf(embedded)).map(fieldErrorText);

  test.each<[string, Json, string[]]>([
    ["fine", { apiVersion: "apps/v1", kind: "StatefulSet", metadata: { name: "db" } }, []],
    ["nothing", {}, ["a.apiVersion: Required value", "a.kind: Required value"]],
    [
      "no version",
      { apiVersion: "a/b/c", kind: "Pod" },
      ['a.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c'],
    ],
    [
      "a name that leads elsewhere",
      { apiVersion: "v1", kind: "Pod", metadata: { name: "a/b" } },
      ["a.metadata.name: Invalid value: \"a/b\": may not contain '/'"],
    ],
  ])("%s", (_, value, expected) => {
    expect(errors(value)).toEqual(expected);
  });
});

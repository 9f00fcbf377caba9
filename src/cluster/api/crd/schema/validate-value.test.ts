import { describe, expect, test } from "vitest";
import { fieldErrorText } from "../../../../admission/verdict.ts";
import type { Json, JsonObject } from "../../json.ts";
import { toFieldErrors } from "./result.ts";
import { readSchema } from "./schema.ts";
import { validateValue } from "./validate-value.ts";

function errors(field: JsonObject, value: Json, before?: Json): string[] {
  const schema = readSchema({ type: "object", properties: { spec: { type: "object", properties: { size: field } } } });
  const old = before === undefined ? undefined : { spec: { size: before } };
  return toFieldErrors(validateValue({ spec: { size: value } }, schema, "", old), "").map(fieldErrorText);
}

describe("a value that does not fit its schema is refused in Kubernetes' words", () => {
  test.each<[JsonObject, Json, string]>([
    [
      { type: "integer" },
      "x",
      'spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"',
    ],
    [
      { type: "integer", format: "int32" },
      true,
      'spec.size: Invalid value: "": spec.size in body must be of type int32: ""',
    ],
    [
      { type: "integer", maximum: 5 },
      6,
      "spec.size: Invalid value: 6: spec.size in body should be less than or equal to 5",
    ],
    [
      { type: "integer", minimum: 5, exclusiveMinimum: true },
      5,
      "spec.size: Invalid value: 5: spec.size in body should be greater than 5",
    ],
    [{ type: "integer", multipleOf: 2 }, 3, "spec.size: Invalid value: 3: spec.size in body should be a multiple of 2"],
    [{ type: "string", maxLength: 2 }, "abc", "spec.size: Too long: may not be more than 2 bytes"],
    [
      { type: "string", minLength: 2 },
      "a",
      'spec.size: Invalid value: "a": spec.size in body should be at least 2 chars long',
    ],
    [{ type: "string", pattern: "^a" }, "b", `spec.size: Invalid value: "b": spec.size in body should match '^a'`],
    [{ type: "string", enum: ["a", "b"] }, "c", 'spec.size: Unsupported value: "c": supported values: "a", "b"'],
    [
      { type: "string", format: "date-time" },
      "now",
      'spec.size: Invalid value: "now": spec.size in body must be of type date-time: "now"',
    ],
    [
      { type: "array", items: { type: "string" }, maxItems: 1 },
      ["a", "b"],
      "spec.size: Too many: 2: must have at most 1 item",
    ],
    [{ type: "object", required: ["a"] }, {}, "spec.size.a: Required value"],
    [
      { "x-kubernetes-int-or-string": true },
      true,
      'spec.size: Invalid value: "boolean": spec.size in body must be of type integer,string: "boolean"',
    ],
    [
      { type: "string", not: { enum: ["a"] } },
      "a",
      '<nil>: Invalid value: "": "spec.size" must not validate the schema (not)',
    ],
  ])("%j: %j", (field, value, message) => {
    expect(errors(field, value)).toEqual([message]);
  });

  test("and what fits is not", () => {
    expect(errors({ type: "number", minimum: 0, maximum: 1, multipleOf: 0.25 }, 0.75)).toEqual([]);
    expect(errors({ type: "string", maxLength: 2 }, "😀😀")).toEqual([]);
    expect(errors({ type: "string", nullable: true }, null)).toEqual([]);
  });
});

test("of alternatives that all fail, the one that came furthest tells why", () => {
  const field = {
    type: "object",
    properties: { a: { type: "string" }, b: { type: "integer" } },
    oneOf: [{ required: ["a"] }, { required: ["b"], properties: { b: { minimum: 1 }, a: { minLength: 1 } } }],
  };
  expect(errors(field, { a: "", b: 0 }).join()).toBe("");
  expect(errors(field, {})).toEqual([
    '<nil>: Invalid value: "": "spec.size" must validate one and only one schema (oneOf). Found none valid',
    "spec.size.a: Required value",
  ]);
});

describe("what was wrong before and was not touched is let through", () => {
  test.each<[string, Json, Json, number]>([
    ["untouched", "abc", "abc", 0],
    ["changed", "abcd", "abc", 1],
  ])("%s", (_, value, before, count) => {
    expect(errors({ type: "string", maxLength: 1 }, value, before)).toHaveLength(count);
  });

  test("in a list with keys, item by item; in another, only as a whole", () => {
    const items = { type: "object", properties: { id: { type: "integer" }, v: { type: "string", maxLength: 1 } } };
    const map = { type: "array", items, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["id"] };
    const [before, moved] = [[{ id: 1, v: "ab" }], [{ id: 2 }, { id: 1, v: "ab" }]];
    expect(errors(map, moved, before)).toEqual([]);
    expect(errors({ type: "array", items }, moved, before)).toHaveLength(1);
    expect(errors({ type: "array", items }, before, before)).toEqual([]);
  });
});

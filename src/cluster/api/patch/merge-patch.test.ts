import * as fc from "fast-check";
import { expect, test } from "vitest";
import { mergePatch as difference } from "../../../kube/client/patch.ts";
import type { Json, JsonObject } from "../json.ts";
import { mergePatch } from "./merge-patch.ts";
import { arbitraryObject } from "./testing/arbitrary-object.ts";

test.each<[string, JsonObject, JsonObject, JsonObject]>([
  ["what is named replaces", { a: 1, b: 2 }, { a: 3 }, { a: 3, b: 2 }],
  ["null removes", { a: 1, b: 2 }, { a: null }, { b: 2 }],
  ["maps are merged", { a: { b: 1, c: 2 } }, { a: { b: null, d: 3 } }, { a: { c: 2, d: 3 } }],
  ["lists are replaced", { a: [1, 2] }, { a: [3] }, { a: [3] }],
  ["nulls in what is new are dropped", {}, { a: { b: null, c: [{ d: null }, null] } }, { a: { c: [{}, null] } }],
  ["a map takes the place of a scalar", { a: 1 }, { a: { b: null, c: 1 } }, { a: { c: 1 } }],
  ["a scalar takes the place of a map", { a: { b: 1 } }, { a: 1 }, { a: 1 }],
  ["a map takes the place of null", { a: null }, { a: { b: 1 } }, { a: { b: 1 } }],
])("%s", (_, document, patch, expected) => {
  expect(mergePatch(document, patch)).toEqual(expected);
});

test.each<[Json, string]>([
  [null, "Invalid JSON Patch"],
  [[], "error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}"],
  ["x", "error decoding patch: json: cannot unmarshal string into Go value of type map[string]interface {}"],
])("%j is no merge patch", (patch, message) => {
  expect(() => mergePatch({}, patch)).toThrow(expect.objectContaining({ code: 400, message }));
});

test("the difference of any two objects makes one of the other", () => {
  const pods = arbitraryObject("core.v1.Pod", 4);
  fc.assert(
    fc.property(pods, pods, (before, after) => {
      expect(mergePatch(before, (difference(before, after) ?? {}) as JsonObject)).toEqual(after);
    }),
    { seed: 20_261_115, numRuns: 150 },
  );
});

import { describe, expect, test } from "vitest";
import { differingSizes, semanticallyEqual, sizesEqual } from "./semantic-equal.ts";

describe("semanticallyEqual", () => {
  test.each<[string, unknown, unknown, boolean]>([
    ["an empty map equals a missing one", {}, undefined, true],
    ["an empty list equals a missing one", [], null, true],
    ["nothing inside is as good as nothing", { matchLabels: {} }, {}, true],
    ["null inside is missing", { a: null, b: 1 }, { b: 1 }, true],
    ["the order of keys says nothing", { a: 1, b: 2 }, { b: 2, a: 1 }, true],
    ["the order of a list counts", [1, 2], [2, 1], false],
    ["a longer list differs", [1], [1, 2], false],
    ["a list is no map", [1], { 0: 1 }, false],
    ["the empty string is something", "", undefined, false],
    ["false is something", false, undefined, false],
    ["zero is something", 0, null, false],
    ["a number is no string", 1, "1", false],
    ["deep differences count", { a: [{ b: "x" }] }, { a: [{ b: "y" }] }, false],
  ])("%s", (_, a, b, expected) => {
    expect(semanticallyEqual(a, b)).toBe(expected);
    expect(semanticallyEqual(b, a)).toBe(expected);
  });
});

test("sizes are compared as numbers, whatever their notation", () => {
  expect(sizesEqual("1Gi", "1024Mi")).toBe(true);
  expect(sizesEqual("1Gi", 1073741824)).toBe(true);
  expect(sizesEqual("1Gi", "1G")).toBe(false);
  expect(sizesEqual(undefined, "0")).toBe(false);
  expect(sizesEqual(undefined, null)).toBe(true);
  expect(sizesEqual("big", "big")).toBe(true);
});

test("the names that differ between two resource lists", () => {
  expect(differingSizes({ storage: "1Gi", cpu: "1" }, { storage: "1024Mi", cpu: "2", memory: "1Gi" })).toEqual([
    "cpu",
    "memory",
  ]);
  expect(differingSizes(undefined, {})).toEqual([]);
});

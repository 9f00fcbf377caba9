import { expect, test } from "vitest";
import { keyOfParts, repeated } from "./repeated.ts";

test("what is there already, by its place", () => {
  expect([...repeated(["a", "b", "a", "a", "c"], (item) => item)]).toEqual([2, 3]);
  expect([...repeated([1, 2, 1], () => undefined)]).toEqual([]);
});

test("parts are told apart", () => {
  expect(keyOfParts("a", "b,c")).not.toBe(keyOfParts("a,b", "c"));
});

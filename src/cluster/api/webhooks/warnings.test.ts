import { expect, test } from "vitest";
import { boundWarnings } from "./warnings.ts";

test("are told once each, and in their order", () => {
  expect(boundWarnings(["b", "a", "b", ""])).toEqual(["b", "a"]);
});

test("cannot break out of a header", () => {
  expect(boundWarnings(["fine", "two\r\nlines", "a\u0000b"])).toEqual(["fine"]);
});

test("that are long are told whole while there is room", () => {
  const long = "x".repeat(4096);
  expect(boundWarnings([long])).toEqual([long]);
});

test("that are too long together are cut short, and end", () => {
  const many = Array.from({ length: 100 }, (_, index) => `${index}${"🙂".repeat(300)}`);
  const bounded = boundWarnings(many);
  expect(bounded).toHaveLength(16);
  expect(bounded.every((text) => Array.from(text).length === 256)).toBe(true);
});

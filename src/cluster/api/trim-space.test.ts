import { expect, test } from "vitest";
import { trimSpace } from "./trim-space.ts";

test.each([
  ["", ""],
  [" \t\n a b \u00a0\u2003\u0085", "a b"],
  ["\ufeffa", "\ufeffa"],
  [`${" ".repeat(200_000)}x${" ".repeat(200_000)}y`, `x${" ".repeat(200_000)}y`],
])("white space is what Go takes for it", (text, expected) => {
  expect(trimSpace(text) === expected).toBe(true);
});

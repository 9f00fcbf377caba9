import { describe, expect, test } from "vitest";
import { table } from "./table.ts";
import { hanging, wrap } from "./wrap.ts";

describe("wrap", () => {
  test.each([
    ["it breaks at blanks", "one two three four five six", 20, ["one two three four", "five six"]],
    ["what fits stays", "one two three four", 20, ["one two three four"]],
    ["a long word stays whole", `a ${"x".repeat(30)} b`, 20, ["a", "x".repeat(30), "b"]],
    ["where nothing fits nothing is broken", "one two three", 5, ["one two three"]],
  ] as const)("%s", (_, text, width, lines) => {
    expect(wrap(text, width)).toEqual(lines);
  });
});

test("further lines hang below the first; in a file there is one", () => {
  const text = "one two three four five six";
  expect(hanging("WHY  ", text, 25)).toBe("WHY  one two three four\n     five six");
  expect(hanging("WHY  ", text, undefined)).toBe(`WHY  ${text}`);
});

test("the last column of a table hangs", () => {
  const rows = [["a", "one two three four five six"]];
  expect(table(["NAME", "WHY"], rows, 26)).toBe("NAME  WHY\na     one two three four\n      five six\n");
});

import { expect, test } from "vitest";
import { textDifferences } from "./text-differences.ts";
import { words } from "./words.ts";

test.each([
  ["get pods  -o wide", ["get", "pods", "-o", "wide"]],
  [`patch cm x -p '{"a": "b c"}'`, ["patch", "cm", "x", "-p", '{"a": "b c"}']],
  [`-o=jsonpath='{.a}'"{.b}"`, ["-o=jsonpath={.a}{.b}"]],
  ["--empty ''", ["--empty", ""]],
])("the line %s is taken apart as a shell does", (line, expected) => {
  expect(words(line)).toEqual(expected);
});

test.each([
  ["a\nb\nc", "a\nb\nc", []],
  ["a\nx\nc", "a\nb\nc", ["theirs: b", "ours: x"]],
  ["a\nc", "a\nb\nc\nd", ["theirs: b", "theirs: d"]],
  ["a\nb\nc", "", ["theirs: ", "ours: a", "ours: b", "ours: c"]],
])("texts %j and %j differ in %j", (ours, theirs, expected) => {
  expect(textDifferences(ours, theirs)).toEqual(expected);
});

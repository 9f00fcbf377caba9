import { expect, test } from "vitest";
import { createKeptLines } from "./kept-lines.ts";

const objects = Array.from({ length: 6 }, (_, index) => ({ metadata: { name: String(index) } }));

function filled(characters: number) {
  const lines = createKeptLines<string>({ objects: 4, characters: 100 });
  for (const object of objects) lines.keep(object, "ADDED", object.metadata.name, characters);
  return objects.map((object) => lines.get(object, "ADDED"));
}

test.each([
  ["short, as many as may be", 1, [undefined, undefined, "2", "3", "4", "5"]],
  ["long, as many as there is room for", 40, [undefined, undefined, undefined, undefined, "4", "5"]],
  ["longer than all that may be kept, the last", 1000, [undefined, undefined, undefined, undefined, undefined, "5"]],
])("of lines that are %s are kept", (_, characters, expected) => {
  expect(filled(characters)).toEqual(expected);
});

test("an object has a line for each thing that can happen to it, and goes with all of them", () => {
  const lines = createKeptLines<string>({ objects: 4, characters: 100 });
  const [first = {}, second = {}] = objects;
  lines.keep(first, "ADDED", "added", 40);
  lines.keep(first, "MODIFIED", "modified", 40);
  expect([lines.get(first, "ADDED"), lines.get(first, "MODIFIED"), lines.get(first, "DELETED")]).toEqual([
    "added",
    "modified",
    undefined,
  ]);
  lines.keep(second, "ADDED", "second", 40);
  expect([lines.get(first, "ADDED"), lines.get(first, "MODIFIED"), lines.get(second, "ADDED")]).toEqual([
    undefined,
    undefined,
    "second",
  ]);
});

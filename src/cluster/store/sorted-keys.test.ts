import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createFiledKeys } from "./filed-keys.ts";
import { endOfPrefix } from "./keys.ts";
import { createSortedKeys } from "./sorted-keys.ts";

const makers = [
  ["sorted", createSortedKeys],
  ["filed", createFiledKeys],
] as const;

const key = fc.string({ unit: fc.constantFrom("a", "b", "/", "-"), maxLength: 6 });

test.each(makers)("%s keys are in order whatever comes and goes, and ranges have their ends", (_, create) => {
  const property = fc.property(
    fc.array(key),
    fc.array(fc.record({ add: fc.boolean(), key }), { maxLength: 60 }),
    key,
    fc.option(key, { nil: undefined }),
    fc.nat({ max: 10 }),
    (begin, changes, from, to, limit) => {
      const model = new Set(begin);
      const keys = create(model);
      for (const change of changes) {
        if (change.add) model.add(change.key);
        else model.delete(change.key);
        if (change.add) keys.add(change.key);
        else keys.delete(change.key);
      }
      const expected = [...model].sort().filter((each) => each >= from && (to === undefined || each < to));
      expect(keys.range(from, to)).toEqual(expected);
      expect(keys.range(from, to, limit)).toEqual(expected.slice(0, limit));
      expect(keys.count(from, to)).toBe(expected.length);
      expect(keys.size).toBe(model.size);
      const below = [...model].filter((each) => each.startsWith(from)).sort();
      expect(keys.range(from, endOfPrefix(from))).toEqual(below);
      expect(keys.count(from, endOfPrefix(from))).toBe(below.length);
      expect(keys.countOf(from)).toBe(below.length);
    },
  );
  fc.assert(property, { seed: 7, numRuns: 500 });
});

test.each(makers)("many %s keys are split into many chunks, and all are found again", (_, create) => {
  const names = Array.from({ length: 5000 }, (_, n) => `k/${(n * 7919) % 5000}`);
  const keys = create();
  for (const name of names) keys.add(name);
  expect(keys.range("", undefined)).toEqual([...names].sort());
  for (const name of names.slice(0, 2500)) keys.delete(name);
  expect(keys.range("", undefined)).toEqual(names.slice(2500).sort());
  expect(keys.count("k/1", "k/2")).toBe(names.slice(2500).filter((name) => name.startsWith("k/1")).length);
});

test.each([
  ["a/", "a0"],
  ["a\uffff", "b"],
  ["", undefined],
  ["\uffff", undefined],
])("what begins with %j ends before %j", (prefix, end) => {
  expect(endOfPrefix(prefix)).toBe(end);
});

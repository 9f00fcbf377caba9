import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyMergePatch } from "../testing/requests.ts";
import { mergePatch, withPrecondition } from "./patch.ts";

describe("a merge patch", () => {
  it.each([
    ["nothing", { a: 1, b: { c: [1] } }, { a: 1, b: { c: [1] } }, undefined],
    ["a field that is new", {}, { a: 1 }, { a: 1 }],
    ["a field that differs", { a: 1, b: 2 }, { a: 3, b: 2 }, { a: 3 }],
    ["a field that is gone", { a: 1, b: 2 }, { b: 2 }, { a: null }],
    ["a field that is undefined", { a: 1 }, { a: undefined }, { a: null }],
    ["a field that is null on both sides", { a: null }, { a: null }, undefined],
    ["a field that is null and was missing", {}, { a: null }, undefined],
    ["something deep", { a: { b: { c: 1, d: 2 } } }, { a: { b: { c: 1, d: 3 } } }, { a: { b: { d: 3 } } }],
    ["a list: whole", { a: [1, 2] }, { a: [1, 3] }, { a: [1, 3] }],
    ["lists of equal objects: nothing", { a: [{ b: 1 }] }, { a: [{ b: 1 }] }, undefined],
    ["an object instead of a list", { a: [1] }, { a: { b: 1 } }, { a: { b: 1 } }],
    ["an empty object that is new", {}, { a: {} }, { a: {} }],
    ["the last entry of a map", { a: { b: 1 } }, { a: {} }, { a: { b: null } }],
  ])("says %s", (_, before, after, patch) => {
    expect(mergePatch(before, after)).toEqual(patch);
  });

  it("applied to what was before gives what is after, for any two objects, and is undefined only for equal ones", () => {
    const leaf = fc.oneof(fc.integer(), fc.string(), fc.boolean());
    const { object } = fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: "small" }, leaf, fc.array(leaf, { maxLength: 3 }), tie("object")),
      object: fc.dictionary(fc.constantFrom("a", "b", "c", "d"), tie("value"), { maxKeys: 4, noNullPrototype: true }),
    }));
    fc.assert(
      fc.property(object, object, (before, after) => {
        const patch = mergePatch(before, after);
        if (patch === undefined) expect(before).toEqual(after);
        else expect(applyMergePatch(before, patch)).toEqual(after);
      }),
      { seed: 1790, numRuns: 2000 },
    );
  });
});

describe("a precondition", () => {
  it("asks for the same object, unchanged, and keeps what the patch says of metadata", () => {
    const read = { metadata: { name: "db", uid: "u1", resourceVersion: "7" } };
    expect(withPrecondition({ metadata: { labels: { a: "b" } }, spec: { c: 1 } }, read)).toEqual({
      metadata: { labels: { a: "b" }, uid: "u1", resourceVersion: "7" },
      spec: { c: 1 },
    });
    expect(withPrecondition({ spec: {} }, { metadata: { name: "db" } })).toEqual({ spec: {}, metadata: {} });
  });
});

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../json.ts";
import {
  difference,
  differenceBelow,
  type FieldSet,
  hasPath,
  intersection,
  pathsOf,
  setOfPaths,
  union,
} from "./field-set.ts";
import { decodeFieldsV1, encodeFieldsV1 } from "./fields-v1.ts";
import { field, key, type Path, type PathElement, pathText, value } from "./path-element.ts";

const texts = (set: FieldSet) => pathsOf(set).map((path) => pathText(path));
const set = (...paths: string[]) => setOfPaths(paths.map((path) => path.split(".").map(field)));

const element: fc.Arbitrary<PathElement> = fc.oneof(
  fc.constantFrom("a", "b", "c").map(field),
  fc.constantFrom("x", "<&>").map((name) => key([["name", name]])),
  fc.integer({ min: 0, max: 2 }).map((port) =>
    key([
      ["protocol", "TCP"],
      ["port", port],
    ]),
  ),
  fc.constantFrom("v", "w").map(value),
  fc.integer({ min: 0, max: 1 }).map((index): PathElement => ({ kind: "index", index })),
);
const path: fc.Arbitrary<Path> = fc.array(element, { minLength: 1, maxLength: 3 });
const anySet = fc.array(path, { maxLength: 8 }).map(setOfPaths);
const RUNS = { seed: 20_261_115, numRuns: 300 };

describe("sets of fields", () => {
  test("a field and what is below it are two things", () => {
    const both = set("a", "a.b");
    expect(texts(difference(both, set("a")))).toEqual([".a.b"]);
    expect(texts(difference(both, set("a.b")))).toEqual([".a"]);
    expect(texts(differenceBelow(set("a.b.c", "d"), set("a.b")))).toEqual([".d"]);
    expect(texts(intersection(both, set("a.b", "c")))).toEqual([".a.b"]);
  });

  test("any two are joined, cut and parted member by member", () => {
    fc.assert(
      fc.property(anySet, anySet, path, (a, b, probe) => {
        const [inA, inB] = [hasPath(a, probe), hasPath(b, probe)];
        expect(hasPath(union(a, b), probe)).toBe(inA || inB);
        expect(hasPath(intersection(a, b), probe)).toBe(inA && inB);
        expect(hasPath(difference(a, b), probe)).toBe(inA && !inB);
        expect(difference(a, a).size).toBe(0);
      }),
      RUNS,
    );
  });

  test("members are listed before what is below, in Kubernetes' order", () => {
    const paths = [
      [field("b"), field("x")],
      [field("b")],
      [field("a"), key([["port", 9]])],
      [field("a"), key([["port", 10]])],
    ];
    expect(texts(setOfPaths(paths))).toEqual([".b", ".a[port=9]", ".a[port=10]", ".b.x"]);
  });
});

describe("fieldsV1", () => {
  test("of any set reads back as the same", () => {
    fc.assert(
      fc.property(anySet, (some) => {
        const again = decodeFieldsV1(JSON.parse(JSON.stringify(encodeFieldsV1(some))) as JsonObject);
        expect(texts(again)).toEqual(texts(some));
      }),
      RUNS,
    );
  });

  test("looks as Kubernetes writes it", () => {
    const port = key([
      ["protocol", "TCP"],
      ["containerPort", 80],
    ]);
    expect(
      encodeFieldsV1(setOfPaths([[field("ports"), port], [field("ports"), port, field("name")], [field("a")]])),
    ).toEqual({
      "f:a": {},
      "f:ports": { 'k:{"containerPort":80,"protocol":"TCP"}': { ".": {}, "f:name": {} } },
    });
    expect(encodeFieldsV1(setOfPaths([[value("a<b")]]))).toEqual({ 'v:"a\\u003cb"': {} });
  });

  test("items stand in the order of their texts, not of what stands around these in JSON", () => {
    const names = ["a!", "a", 'a"b', "a b", "b"];
    const set = setOfPaths(names.map((name) => [key([["name", name]])]));
    expect(Object.keys(encodeFieldsV1(set))).toEqual(
      ["a", "a b", "a!", 'a\\"b', "b"].map((name) => `k:{"name":"${name}"}`),
    );
  });

  test("steps of a kind that is not known are passed over; malformed ones are not", () => {
    expect(texts(decodeFieldsV1({ "z:new": {}, "f:a": {} }))).toEqual([".a"]);
    for (const text of ["a", "fx", 'k:["a"]', "v:{", "i:x"])
      expect(() => decodeFieldsV1({ [text]: {} }), text).toThrow(SyntaxError);
  });
});

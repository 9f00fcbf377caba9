import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../json.ts";
import { follow } from "./json-path.ts";
import { parseJsonPath } from "./parse-json-path.ts";

const OBJECT: Json = {
  spec: { list: [1, 2, 3, 4], empty: [], text: "abc", nothing: null, map: { a: "x", b: "y" } },
  status: {
    conditions: [
      { type: "Stalled", status: "False" },
      { type: "Ready", status: "True", reason: "Grown", age: 5 },
    ],
  },
  metadata: { labels: { "example.com/tier": "gold" } },
};

describe("a path", () => {
  test.each<[string, readonly Json[]]>([
    [".spec.list", [[1, 2, 3, 4]]],
    ["$.spec.text", ["abc"]],
    [".spec.missing.deeper", []],
    [".spec.nothing", [null]],
    [".spec.nothing.deeper", []],
    [".spec.text.deeper", []],
    [".spec.list[0]", [1]],
    [".spec.list[-1]", [4]],
    [".spec.list[1:3]", [2, 3]],
    [".spec.list[:2]", [1, 2]],
    [".spec.list[-2:]", [3, 4]],
    [".spec.list[0:4:2]", [1, 3]],
    [".spec.list[2:2]", []],
    [".spec.list[*]", [1, 2, 3, 4]],
    [".spec.empty[*]", []],
    [".spec.map.*", ["x", "y"]],
    [".spec.list[3,0]", [4, 1]],
    [".spec['map', 'text']", [{ a: "x", b: "y" }, "abc"]],
    [".spec['map']['a']", ["x"]],
    [".metadata.labels.example\\.com/tier", ["gold"]],
    ["..reason", ["Grown"]],
    ['.status.conditions[?(@.type=="Ready")].status', ["True"]],
    [".status.conditions[?(@.type == 'Ready')].status", ["True"]],
    ['.status.conditions[?(@.type!="Ready")].status', ["False"]],
    ['.status.conditions[?("Ready"==@.type)].reason', ["Grown"]],
    [".status.conditions[?(@.reason)].type", ["Ready"]],
    [".status.conditions[?(@.age>=5)].type", ["Ready"]],
    [".status.conditions[?(@.age<5)].type", []],
    ['.status.conditions[?(@.type>"Sa")].type', ["Stalled"]],
    ['.status.conditions[?(@.type=="no) such")].type', []],
    [".spec.list[?(@>2)]", [3, 4]],
    [".spec.list[?(@<=2)]", [1, 2]],
  ])("%s leads to %j", (path, values) => {
    expect(follow(parseJsonPath(path)!, OBJECT)).toEqual(values);
  });

  test.each([
    ".spec.list[9]",
    ".spec.list[2:9]",
    ".spec.list[3:1]",
    ".spec.empty[0]",
    ".spec.text[0]",
    ".spec.map[*]",
    ".spec.map[?(@.a)]",
    ".spec.nothing[?(@.a)]",
    ".spec.list[?(@=='a')]",
    ".spec.list[?(@=1)]",
    ".spec.list[?(@>true)]",
    ".status.conditions[?(@.type>true)]",
    ".status.conditions[?(@.*==1)]",
  ])("%s does not fit", (path) => {
    expect(follow(parseJsonPath(path)!, OBJECT)).toBeUndefined();
  });

  test.each([
    ".spec[abc]",
    ".spec[",
    ".spec[?(@.a]",
    "spec",
    ".a....b",
    ".a}",
    '.a[?(@.b=="x)]',
    ".a[0,x]",
    ".a[-]",
    ".a[?(b c)]",
  ])("%s cannot be read", (path) => {
    expect(parseJsonPath(path)).toBeUndefined();
  });

  test("that multiplies without end leads nowhere", () => {
    const deep: Json = { a: { a: { a: 1 } } };
    expect(follow(parseJsonPath("['a','a']".repeat(3))!, deep)).toHaveLength(8);
    const endless = Array.from({ length: 40 }).reduce<Json>((inner) => ({ a: inner }), 1);
    expect(follow(parseJsonPath("['a','a']".repeat(40))!, endless)).toBeUndefined();
  });

  test("of any text is read or not, and leads somewhere or not, without a throw", () => {
    const pieces = [".", "..", "a", "[", "]", "*", "?(", ")", "@", "==", '"', "'", "0", ":", "-1", ",", "\\", " "];
    const anyPath = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((parts) => parts.join(""));
    const value = fc.letrec((tie) => ({
      json: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<Json>(null, true, 0, "a"),
        fc.array(tie("json"), { maxLength: 3 }),
        fc.dictionary(fc.constant("a"), tie("json")),
      ),
    })).json as fc.Arbitrary<Json>;
    let read = 0;
    fc.assert(
      fc.property(anyPath, value, (text, root) => {
        const path = parseJsonPath(text);
        if (path === undefined) return;
        read++;
        expect(follow(path, root) ?? []).toBeInstanceOf(Array);
      }),
      { seed: 20_261_115, numRuns: 3000 },
    );
    expect(read).toBeGreaterThan(100);
  });
});

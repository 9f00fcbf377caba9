import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OutgrowError } from "../../core/errors.ts";
import { fieldPath, formatPath, goesThroughList, parsePath, readAt, type Step } from "./path.ts";

const SEED = { seed: 20_261_116, numRuns: 2_000 };

describe("a path", () => {
  test.each([
    [".spec", ".spec"],
    [".spec.storage.size", ".spec.storage.size"],
    [".spec.with-hyphen._x9", ".spec.with-hyphen._x9"],
    ['.metadata.annotations["example.com/paused"]', '.metadata.annotations["example.com/paused"]'],
    [".metadata.annotations['example.com/paused']", '.metadata.annotations["example.com/paused"]'],
    [".spec['it\\'s']", '.spec["it\'s"]'],
    ['.spec["a\\"b\\u0041"]', '.spec["a\\"bA"]'],
    ['["spec"]["volume"]', ".spec.volume"],
    [".spec.list[0].size", ".spec.list[0].size"],
    [".spec.nodeSets[*].volumeClaimTemplates", ".spec.nodeSets[*].volumeClaimTemplates"],
    [".a[*][*].b", ".a[*][*].b"],
    [".__proto__.constructor", ".__proto__.constructor"],
  ])("%s is read", (text, printed) => {
    expect(formatPath(parsePath(text))).toBe(printed);
  });

  test.each([
    ["", 1, "write it from the resource down, as .spec.storage.size"],
    ["spec.size", 1, "it begins with a dot, as .spec.storage.size"],
    ["$.spec", 1, "it begins with a dot, as .spec.storage.size"],
    [".spec..size", 6, "after this dot a field's name should stand"],
    [".spec.", 6, "after this dot a field's name should stand"],
    [".spec.0", 6, "after this dot a field's name should stand"],
    [".spec.a/b", 8, "here a dot should stand; a name with other letters is written"],
    [".spec size", 6, "here a dot should stand"],
    [".spec[", 6, "this should be [0], [*] or"],
    [".spec[-1]", 6, "this should be [0], [*] or"],
    [".spec[1234567890]", 6, "this should be [0], [*] or"],
    [".spec[a]", 6, "this should be [0], [*] or"],
    ['.spec["open', 6, "this should be [0], [*] or"],
    ['.spec["\\q"]', 6, "this should be [0], [*] or"],
    [".spec[?(@.x)]", 6, "this should be [0], [*] or"],
    ["..spec", 1, "after this dot"],
  ])("%j is refused at position %i", (text, position, problem) => {
    expect(() => parsePath(text)).toThrow(
      expect.objectContaining({
        code: "PATH_MALFORMED",
        message: expect.stringContaining(`${JSON.stringify(text)} is no path, at position ${position}: ${problem}`),
      }),
    );
  });

  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("__proto__", "constructor", "a.b/c", "")).map((key) => ({
      kind: "key" as const,
      key,
    })),
    fc.integer({ min: 0, max: 999_999_999 }).map((index) => ({ kind: "index" as const, index })),
    fc.constant({ kind: "each" as const }),
  );

  test("that is printed is read as the same", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (path) => {
        expect(parsePath(formatPath(path))).toEqual(path);
      }),
      SEED,
    );
  });

  test("of whatever text is read or refused with a position in it, and never breaks anything", () => {
    const pieces = fc.constantFrom(".", "[", "]", "*", "0", '"', "'", "\\", "a", "spec", " ", "\n", "é");
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces).map((each) => each.join("")),
        ),
        (text) => {
          try {
            expect(parsePath(text).length).toBeGreaterThan(0);
          } catch (error) {
            if (!(error instanceof OutgrowError)) throw error;
            const position = Number(/at position (\d+):/.exec(error.message)?.[1]);
            expect(position).toBeGreaterThanOrEqual(1);
            expect(position).toBeLessThanOrEqual(Math.max(1, text.length));
          }
        },
      ),
      SEED,
    );
  });
});

describe("what stands at a path", () => {
  const resource = {
    spec: {
      size: "10Gi",
      nothing: null,
      nodeSets: [{ name: "a", size: 1 }, { name: "b" }, { name: "c", size: 3 }],
    },
  };
  const values = (text: string) => readAt(resource, parsePath(text)).map(({ value }) => value);

  test.each([
    [".spec.size", ["10Gi"]],
    [".spec.nothing", [null]],
    [".spec.missing", []],
    [".spec.size.deeper", []],
    [".spec.nodeSets[1].name", ["b"]],
    [".spec.nodeSets[3]", []],
    [".spec.nodeSets.length", []],
    [".spec[0]", []],
    [".spec[*]", []],
    [".spec.nodeSets[*].size", [1, 3]],
    [".constructor", []],
    [".__proto__", []],
    [".spec.__proto__.toString", []],
    [".spec.size.length", []],
  ])("%s gives %j", (text, expected) => {
    expect(values(text)).toEqual(expected);
  });

  test("names like __proto__ and constructor are ordinary where somebody wrote them", () => {
    const written: unknown = JSON.parse('{"__proto__":{"constructor":"5Gi"}}');
    expect(readAt(written, parsePath(".__proto__.constructor")).map(({ value }) => value)).toEqual(["5Gi"]);
  });

  test("comes with its own place and the item on the way", () => {
    const found = readAt(resource, parsePath(".spec.nodeSets[*].size"));
    expect(found.map(({ at }) => fieldPath(at))).toEqual(["spec.nodeSets[0].size", "spec.nodeSets[2].size"]);
    expect(found.map(({ item }) => item)).toEqual([resource.spec.nodeSets[0], resource.spec.nodeSets[2]]);
  });

  test("is many only through a list", () => {
    expect([".a[*].b", ".a[0].b"].map((text) => goesThroughList(parsePath(text)))).toEqual([true, false]);
  });
});

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import type { Cutter, Piece } from "./cutter.ts";
import { jsonCutter } from "./json-cutter.ts";
import { yamlCutter } from "./yaml-cutter.ts";

const seed = 20240612;

function cut(cutter: Cutter, ...portions: string[]): Piece[] {
  return [...portions.flatMap((portion) => [...cutter.push(portion)]), ...cutter.end()];
}

/** Which document, which item, and the value: what a reader makes of the pieces. */
function values(pieces: readonly Piece[], read: (text: string) => unknown): unknown[] {
  return pieces.map(({ document, item, text }) => [document, item, read(text)]);
}

describe("YAML", () => {
  const LIST = "apiVersion: v1\nitems:\n- kind: A\n  a: b\n- kind: B\nkind: List\nmetadata:\n  resourceVersion: ''\n";

  test("a list as kubectl prints it gives its items, then the rest of the document", () => {
    expect(values(cut(yamlCutter(), LIST), parse)).toEqual([
      [1, 1, { kind: "A", a: "b" }],
      [1, 2, { kind: "B" }],
      [1, undefined, { apiVersion: "v1", items: null, kind: "List", metadata: { resourceVersion: "" } }],
    ]);
  });

  const documents: Record<string, [text: string, wanted: unknown[]]> = {
    "two documents": [
      "a: 1\n---\nb: 2\n",
      [
        [1, undefined, { a: 1 }],
        [2, undefined, { b: 2 }],
      ],
    ],
    "a marker first, and one last": ["---\na: 1\n---\n", [[1, undefined, { a: 1 }]]],
    "a marker with a comment": [
      "--- # one\na: 1\n--- # two\nb: 2\n",
      [
        [1, undefined, { a: 1 }],
        [2, undefined, { b: 2 }],
      ],
    ],
    "content on the line of the marker": ["--- {a: 1}\n", [[1, undefined, { a: 1 }]]],
    "the end marker": [
      "a: 1\n...\nb: 2\n",
      [
        [1, undefined, { a: 1 }],
        [2, undefined, { b: 2 }],
      ],
    ],
    "comments before the first marker are no document": ["# x\n\n---\na: 1\n", [[1, undefined, { a: 1 }]]],
    "empty documents do not count": ["---\n---\n\n---\na: 1\n", [[1, undefined, { a: 1 }]]],
    "dashes inside literal text are text": ["a: |\n  ---\n  - x\nb: 2\n", [[1, undefined, { a: "---\n- x\n", b: 2 }]]],
    "a list right of its key stays in its document": ["items:\n  - a: 1\n", [[1, undefined, { items: [{ a: 1 }] }]]],
    "a list under another key stays in its document": ["things:\n- a: 1\n", [[1, undefined, { things: [{ a: 1 }] }]]],
    "JSON between markers": [
      'a: 1\n---\n{\n "b": 2\n}\n',
      [
        [1, undefined, { a: 1 }],
        [2, undefined, { b: 2 }],
      ],
    ],
    nothing: ["", []],
    "blank lines": ["\n\n", []],
  };
  test.each(Object.entries(documents))("%s", (_, [text, wanted]) => {
    expect(values(cut(yamlCutter(), text), parse)).toEqual(wanted);
  });

  test("two lists, each with its own count of items", () => {
    const places = cut(yamlCutter(), `${LIST}---\n${LIST}`).map(({ document, item }) => [document, item]);
    expect(places).toEqual([
      [1, 1],
      [1, 2],
      [1, undefined],
      [2, 1],
      [2, 2],
      [2, undefined],
    ]);
  });

  test("however the text is portioned, the pieces are the same", () => {
    const object = fc.dictionary(
      fc.constantFrom("a", "b", "c"),
      fc.oneof(fc.lorem(), fc.string(), fc.constant({ d: ["---"] })),
    );
    const inputs = fc.array(
      fc.oneof(
        object,
        fc.array(object).map((items) => ({ apiVersion: "v1", items, kind: "List" })),
      ),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(inputs, fc.array(fc.nat()), fc.boolean(), (objects, cuts, indentSeq) => {
        const text = objects.map((value) => stringify(value, { indentSeq, lineWidth: 30 })).join("---\n");
        expect(cut(yamlCutter(), ...portion(text, cuts))).toEqual(cut(yamlCutter(), text));
      }),
      { seed, numRuns: 500 },
    );
  });
});

describe("JSON", () => {
  const documents: Record<string, [text: string, wanted: unknown[]]> = {
    "one object": ['{"a": {"items": [1]}}', [[1, undefined, { a: { items: [1] } }]]],
    "a list gives its items, then the rest": [
      '{"apiVersion": "v1", "items": [ {"a": "}]\\"{"}, {"b": [{}]} ], "kind": "List"}',
      [
        [1, 1, { a: '}]"{' }],
        [1, 2, { b: [{}] }],
        [1, undefined, { apiVersion: "v1", items: [], kind: "List" }],
      ],
    ],
    "one object after the other": [
      '{"a": 1}\n{"b": 2}{}',
      [
        [1, undefined, { a: 1 }],
        [2, undefined, { b: 2 }],
        [3, undefined, {}],
      ],
    ],
    "an empty list": ['{"items": [], "kind": "List"}', [[1, undefined, { items: [], kind: "List" }]]],
    "a list of no objects stays where it is": ['{"items": [1, 2]}', [[1, undefined, { items: [1, 2] }]]],
    "a key that ends like items": ['{"a\\"items": [{}]}', [[1, undefined, { 'a"items': [{}] }]]],
    "items further down": ['{"a": [{"items": [{}]}]}', [[1, undefined, { a: [{ items: [{}] }] }]]],
  };
  test.each(Object.entries(documents))("%s", (_, [text, wanted]) => {
    expect(values(cut(jsonCutter(), text), JSON.parse)).toEqual(wanted);
  });

  test("text that stops in the middle is given as it is, for its reader to refuse", () => {
    const pieces = cut(jsonCutter(), '{"items": [{"a": 1}, {"b": ');
    expect(pieces.map(({ item }) => item)).toEqual([1, undefined]);
    expect(() => JSON.parse(pieces[1]?.text ?? "{}")).toThrow();
  });

  test("however the text is portioned, the pieces are the same, and hold all items", () => {
    const items = fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })), { maxLength: 5 });
    fc.assert(
      fc.property(items, fc.array(fc.nat()), fc.constantFrom(0, 4), (items, cuts, indent) => {
        const text = JSON.stringify({ apiVersion: "v1", items, kind: "List" }, null, indent);
        const pieces = cut(jsonCutter(), ...portion(text, cuts));
        expect(pieces).toEqual(cut(jsonCutter(), text));
        expect(pieces.slice(0, -1).map(({ text }) => JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(items)));
      }),
      { seed, numRuns: 500 },
    );
  });
});

/** The text in pieces, cut at the given places. */
function portion(text: string, cuts: readonly number[]): string[] {
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length].sort((a, b) => a - b);
  return places.slice(1).map((place, index) => text.slice(places[index], place));
}

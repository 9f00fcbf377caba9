import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { readBlockYaml } from "./block-yaml.ts";
import { prune } from "./keep.ts";

describe("what kubectl prints is read as the full reader reads it", () => {
  const cases: Record<string, string> = {
    "nested mappings": "a:\n  b:\n    c: d\n  e: f\n",
    "a list at the column of its key": "items:\n- a\n- b\nkind: List\n",
    "a list right of its key": "items:\n  - a\n  - b\nkind: List\n",
    "a list of mappings": "v:\n- name: a\n  size: 1\n- name: b\n  size: 2\n",
    "a list of lists": "v:\n- - a\n  - b\n- - c\n",
    "an entry on the line below its dash": "v:\n-\n  a: b\n- c\n",
    "an empty entry": "v:\n-\n- a\n",
    "nothing behind a key": "a:\nb: c\n",
    "empty collections": "a: {}\nb: []\n",
    numbers: "a: 1\nb: -2\nc: 1.5\nd: 1e3\ne: 007\nf: .5\ng: 12e03\n",
    "booleans and null": "a: true\nb: False\nc: null\nd: ~\n",
    "words of YAML 1.1 are text": "a: yes\nb: on\nc: off\nd: 1:20\n",
    "text that starts like a number": "a: 10Gi\nb: 1.2.3\nc: 2025-01-01T00:00:00Z\nd: -a\ne: nullable\n",
    "double quotes": 'a: "123"\nb: "a\\nb \\"c\\""\nc: ""\n',
    "single quotes": "a: 'it''s: x'\nb: ''\nc: '# no comment'\n",
    "wrapped plain text": "a: one two\n  three\n  four\nb: c\n",
    "wrapped plain text in a list": "v:\n- one\n  two\n- three\n",
    "wrapped single quotes": "a: 'one: two\n  three''s\n\n  four'\nb: c\n",
    "a blank line inside wrapped text": "a: one\n\n  two\nb: c\n",
    "literal text": 'a: |\n  {"x":\n    1}\n\nb: |-\n  x\n   y\nc: |+\n  z\n\nd: e\n',
    "blank lines anywhere": "\na: b\n\n\nc:\n\n  d: e\n\n",
    "text with colons and dashes": "a: http://x:80/y\nb: a:b\nc: a - b\n",
    "no line end at the end": "a:\n  b: c",
    "everything indented": "  a: b\n  c:\n  - d\n",
    "text with an umlaut": "a: größe\n",
  };
  test.each(Object.entries(cases))("%s", (_, text) => {
    const value = readBlockYaml(text, true);
    expect(value).toBeDefined();
    expect(value).toEqual(parse(text));
  });

  test("every kind of scalar, as printed by kubectl itself", () => {
    const text = readFileSync(new URL("testdata/kubectl-scalars.yaml", import.meta.url), "utf8");
    const lines = text.split("\n");
    // Seven of them are for the full reader: odd keys, an indentation indicator, escapes that JSON does not have, a tab.
    expect(readBlockYaml(text, true)).toBeUndefined();
    const annotations = Object.entries(parse(text).metadata.annotations as Record<string, string>);
    let read = 0;
    for (const [key, wanted] of annotations) {
      const from = lines.findIndex((line) => line.startsWith(`    ${key}:`) || line.startsWith(`    "${key}":`));
      const length = lines.slice(from + 1).findIndex((line) => /^ {2,4}\S/.test(line)) + 1;
      const value = readBlockYaml(`${lines.slice(from, from + length).join("\n")}\n`, true);
      if (value === undefined) continue;
      expect(value).toEqual({ [key]: wanted });
      read++;
    }
    expect(annotations.length - read).toBe(7);
  });
});

describe("what is outside the subset is left to the full reader", () => {
  const cases: Record<string, string> = {
    "a comment line": "# x\na: b\n",
    "a comment behind a value": "a: b # x\n",
    "an anchor": "a: &x b\n",
    "an alias": "a: *x\n",
    "a tag": "a: !!str 1\n",
    "a flow mapping": "a: {b: c}\n",
    "a flow list": "a: [b]\n",
    "folded text": "a: >\n  b\n",
    "an indentation indicator": "a: |2\n    b\n",
    "a tab": "a:\tb\n",
    "a key given twice": "a: b\na: c\n",
    "a quoted key": '"a": b\n',
    "a key that is no word": "1a: b\n",
    "a key that YAML takes for something else": "true: b\n",
    "the key __proto__": "__proto__: b\n",
    "a mapping on the line of its key": "a: b: c\n",
    "a value with a mapping below": "a: b\n  c: d\n",
    "a key further left than the first": "  a: b\nc: d\n",
    "a key further right than the first": "a: b\n c: d\n",
    "a list after a mapping": "a: b\n- c\n",
    "an unfinished quote": "a: 'b\n",
    "wrapped double quotes": 'a: "b\n  c"\n',
    "text behind a quote": "a: 'b' c\n",
    "an explicit key": "? a\n: b\n",
    "a hexadecimal number": "a: 0x10\n",
    "a list at the top": "- a\n",
    "text at the top": "a\n",
    nothing: "",
  };
  test.each(Object.entries(cases))("%s", (_, text) => {
    expect(readBlockYaml(text, true)).toBeUndefined();
  });
});

describe("properties", () => {
  const seed = 20240611;
  const key = fc.stringMatching(/^[a-z][a-zA-Z0-9_./-]{0,12}$/);
  const text = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.string({ unit: "grapheme", maxLength: 12 }),
    fc
      .array(fc.constantFrom("a", "b:", "- c", "# d", "'", '"', " ", "\n", "|", "x y", ": ", "1", "true"), {
        maxLength: 8,
      })
      .map((parts) => parts.join("")),
    fc.lorem({ maxCount: 30 }),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 4, withCrossShrink: true }, tie("scalar"), tie("list"), tie("table")),
    scalar: fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.constantFrom("100Gi", "1e3", "0.5", "")),
    list: fc.array(tie("value"), { maxLength: 4 }),
    table: fc.dictionary(key, tie("value"), { maxKeys: 5 }),
  }));
  const object = fc.dictionary(key, value, { minKeys: 1, maxKeys: 6 });
  const style = fc.record({ indentSeq: fc.boolean(), lineWidth: fc.constantFrom(40, 80, 0) });

  test("what it reads is what the full reader reads", () => {
    let read = 0;
    fc.assert(
      fc.property(object, style, (wanted, style) => {
        const printed = stringify(wanted, { ...style, defaultKeyType: "PLAIN", singleQuote: style.indentSeq });
        const value = readBlockYaml(printed, true);
        if (value === undefined) return;
        read++;
        expect(value).toEqual(parse(printed));
      }),
      { seed, numRuns: 3000 },
    );
    // The property would hold for a reader that reads nothing.
    expect(read).toBeGreaterThan(1000);
  });

  test("whatever the text, it says what the full reader says or nothing", () => {
    const soup = fc
      .array(
        fc.constantFrom(
          "a",
          "b",
          ":",
          " ",
          "  ",
          "\n",
          "- ",
          "-",
          "'",
          '"',
          "|",
          "|-",
          "#",
          "{}",
          "[]",
          "1",
          "~",
          "x y",
          ",",
          "\nb: ",
          "\n  c: ",
          "\n- ",
          "\n  ",
        ),
        { maxLength: 24 },
      )
      .map((parts) => `a: ${parts.join("")}`);
    let read = 0;
    fc.assert(
      fc.property(soup, (text) => {
        const value = readBlockYaml(text, true);
        if (value === undefined) return;
        read++;
        expect(value).toEqual(parse(text));
      }),
      { seed, numRuns: 20_000 },
    );
    expect(read).toBeGreaterThan(1000);
  });

  test("skipping what is not kept leaves the rest as it is", () => {
    const keep = { a: true, b: { a: true, c: {} }, d: { b: { a: true } } } as const;
    const short = fc.constantFrom("a", "b", "c", "d");
    const { table } = fc.letrec((tie) => ({
      table: fc.dictionary(short, tie("value"), { minKeys: 1, maxKeys: 4 }),
      value: fc.oneof(
        { maxDepth: 3 },
        fc.lorem({ maxCount: 12 }),
        fc.array(tie("table"), { maxLength: 3 }),
        tie("table"),
      ),
    }));
    fc.assert(
      fc.property(table, style, (wanted, style) => {
        const printed = stringify(wanted, style);
        const value = readBlockYaml(printed, keep);
        expect(value).toBeDefined();
        expect(value).toEqual(prune(parse(printed), keep));
      }),
      { seed, numRuns: 1000 },
    );
  });
});

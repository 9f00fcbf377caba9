import { describe, expect, test } from "vitest";
import { resolveScalar } from "./yaml-scalar.ts";
import { yamlToJson } from "./yaml-text.ts";

const convert = (text: string) => yamlToJson(Buffer.from(text));

test.each([
  ["yes", true],
  ["off", false],
  ["~", null],
  ["", null],
  ["0777", 511n],
  ["0x1F", 31n],
  ["-0b11", -3n],
  ["1_000", 1000n],
  ["18446744073709551615", 18_446_744_073_709_551_615n],
  ["08", 8],
  ["1.5", 1.5],
  ["1:30", "1:30"],
  ["2020-01-01", "2020-01-01"],
  ["1a", "1a"],
  ["yEs", "yEs"],
])("unquoted, %s means what it means in YAML 1.1, as Go reads it", (text, value) => {
  expect(resolveScalar(text, true, undefined)).toBe(value);
  expect(resolveScalar(text, false, undefined)).toBe(text);
});

describe("YAML becomes the JSON that Kubernetes makes of it", () => {
  test.each([
    ["keys come sorted", "b: 1\na: 2\n", '{"a":2,"b":1}'],
    ["keys become texts", "1: a\ntrue: b\n1.50: c\n", '{"1":"a","1.5":"c","true":"b"}'],
    ["aliases are written out", "a: &x [1, 2]\nb: *x\n", '{"a":[1,2],"b":[1,2]}'],
    ["mappings are merged", "a: &x {p: 1, q: 2}\nb:\n  <<: *x\n  q: 3\n", '{"a":{"p":1,"q":2},"b":{"p":1,"q":3}}'],
    ["of several mappings the first counts", "a: {<<: [{p: 1}, {p: 2, q: 2}]}", '{"a":{"p":1,"q":2}}'],
    ["only the first document counts", "a: 1\n---\nb: [\n", '{"a":1}'],
    ["nothing is null", "# nothing\n", "null"],
    ["JSON is YAML", '{"b":1.0,"a":[null]}', '{"a":[null],"b":1}'],
    ["whole numbers keep their digits", "a: 9007199254740993", '{"a":9007199254740993}'],
  ])("%s", (_, yaml, json) => {
    expect(convert(yaml).text).toBe(json);
  });

  test("keys that stand twice are told with their lines, and the last counts", () => {
    expect(convert("a: 1\nb:\n  c: 1\n  c: 2\na: 3\n")).toEqual({
      text: '{"a":3,"b":{"c":2}}',
      duplicates: ['line 4: key "c" already set in map', 'line 5: key "a" already set in map'],
    });
  });
});

test.each([
  ["a: b: c", "yaml: mapping values are not allowed in this context"],
  ["x: y\na:\n\tb: 1\n", "yaml: line 3: found character that cannot start any token"],
  ["a: *b", "yaml: unknown anchor 'b' referenced"],
  ["&a [*a]", "yaml: anchor 'a' value contains itself"],
  ["a: {<<: 1}", "yaml: map merge requires map or sequence of maps as the value"],
  ["a: !!int x", "yaml: cannot decode !!str `x` as a !!int"],
  ["a: .inf", "json: unsupported value: +Inf"],
  ["a: \x01", "yaml: control characters are not allowed"],
  ["%YAML 1.2\n---\na: 1", "yaml: found incompatible YAML document"],
])("%j is refused", (yaml, message) => {
  expect(() => convert(yaml)).toThrow(message);
});

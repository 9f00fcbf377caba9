import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { yamlToJson } from "../decode/yaml-text.ts";
import type { Json } from "../json.ts";
import { toYaml } from "./yaml.ts";

test("it looks as Kubernetes writes it", () => {
  const object = {
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: { name: "settings", labels: {}, creationTimestamp: "2026-01-01T00:00:00Z", generation: 1 },
    data: { "my.conf": "a=1\nb = 2\n", on: "yes", empty: "", size: "1Gi", ip: "10.0.0.1", open: "x\n\ny" },
    list: [{ name: "a", items: [1, 2.5, null, true] }, [], [["x"]], {}],
  };
  expect(toYaml(object)).toBe(`apiVersion: v1
data:
  empty: ""
  ip: 10.0.0.1
  my.conf: |
    a=1
    b = 2
  "on": "yes"
  open: |-
    x

    y
  size: 1Gi
kind: ConfigMap
list:
- items:
  - 1
  - 2.5
  - null
  - true
  name: a
- []
- - - x
- {}
metadata:
  creationTimestamp: "2026-01-01T00:00:00Z"
  generation: 1
  labels: {}
  name: settings
`);
});

describe("whatever is written is what is read", () => {
  const odd = fc.constantFrom(
    "~",
    "null",
    "1e3",
    "0x1F",
    "- a",
    "a: b",
    "#x",
    "a #b",
    " a",
    "a ",
    "\n",
    "\na",
    "a\n\n",
    "a\n b\n",
    "a\n\tb",
    "\ta\nb",
    "'",
    '"',
    "\\",
    "{",
    "[",
    "&a",
    "*a",
    "!a",
    "%a",
    "@a",
    "`a",
    "|",
    ">",
    "?",
    "-",
    ":",
    "2026-01-01",
    "1:30",
    ".inf",
    "NaN",
    "=",
    "<<",
    "\u0085",
    "\u2028",
    "\ufeff",
    "a\u0085\nb",
    "é\nü\n",
    "...",
    "---\na",
  );
  const text = fc.oneof(
    odd,
    fc.string({ unit: "grapheme", maxLength: 12 }),
    fc.array(odd, { maxLength: 4 }).map((parts) => parts.join("\n")),
  );
  const value = fc.letrec<{ json: Json }>((tie) => ({
    json: fc.oneof(
      { depthSize: "small" },
      text,
      fc.constantFrom<Json>(0, -1, 1.5, true, false, null, 1e21),
      fc.array(tie("json"), { maxLength: 4 }),
      fc.dictionary(text, tie("json"), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).json;

  test.each([
    ["YAML 1.1", (yaml: string) => parse(yaml, { version: "1.1", merge: false, uniqueKeys: false }) as Json],
    ["YAML 1.2", (yaml: string) => parse(yaml, { version: "1.2", uniqueKeys: false }) as Json],
    ["ourselves", (yaml: string) => JSON.parse(yamlToJson(Buffer.from(yaml)).text) as Json],
  ])("by %s", (_, read) => {
    fc.assert(
      fc.property(value, (json) => {
        fc.pre(!JSON.stringify(json).includes("__proto__"));
        expect(read(toYaml({ it: json }))).toEqual({ it: json });
      }),
      { seed: 20_261_118, numRuns: 500 },
    );
  });
});

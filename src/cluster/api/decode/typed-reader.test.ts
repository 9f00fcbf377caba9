import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../json.ts";
import { ANY, goType } from "./go-types.ts";
import { readTyped } from "./typed-reader.ts";

const CONFIG_MAP = goType("v1", "ConfigMap")!;
const STATEFUL_SET = goType("apps/v1", "StatefulSet")!;
const CLAIM = goType("v1", "PersistentVolumeClaim")!;
const DEFINITION = goType("apiextensions.k8s.io/v1", "CustomResourceDefinition")!;

const read = (text: string, type = CONFIG_MAP) => readTyped(text, type, true);
const set = (spec: string) => read(`{"spec":${spec}}`, STATEFUL_SET);
const size = (text: string) => read(`{"spec":{"resources":{"requests":{"storage":${text}}}}}`, CLAIM);

describe("what fits is kept, and nothing else", () => {
  test.each<[string, string, Json]>([
    ["names match exactly", '{"data":{"a":"b"},"Data":{"c":"d"}}', { data: { a: "b" } }],
    ["null is as good as nothing", '{"data":null,"immutable":null,"metadata":{"name":null}}', { metadata: {} }],
    ["null in a map of texts is an empty one", '{"data":{"a":null}}', { data: { a: "" } }],
    [
      "null in a list of texts is an empty one",
      '{"metadata":{"finalizers":[null]}}',
      { metadata: { finalizers: [""] } },
    ],
    ["base64 loses its line breaks", '{"binaryData":{"a":"aG\\nk="}}', { binaryData: { a: "aGk=" } }],
    ["bytes may be a list of numbers", '{"binaryData":{"a":[104,105]}}', { binaryData: { a: "aGk=" } }],
    ["half a surrogate pair is replaced", '{"data":{"a":"\\ud800"}}', { data: { a: "\ufffd" } }],
    ["zero has no sign", '{"metadata":{"generation":-0}}', { metadata: { generation: 0 } }],
  ])("%s", (_, text, expected) => {
    expect(read(text).value).toEqual(expected);
  });

  test("a key called __proto__ is a key", () => {
    const { value } = read('{"data":{"__proto__":"x"}}');
    expect(Object.entries((value as { data: object }).data)).toEqual([["__proto__", "x"]]);
  });

  test("a size stays as it was written, number or text", () => {
    const storage = (text: string) => size(text).value;
    const holding = (text: string) => ({ spec: { resources: { requests: { storage: text } } } });
    expect(storage('" 1Gi "')).toEqual(holding("1Gi"));
    expect(storage("1e3")).toEqual(holding("1e3"));
    expect(storage("null")).toEqual(holding("0"));
  });

  test("fields of a schema inside of a schema that are unknown are dropped without a word", () => {
    const schema = '{"bar":1,"items":{"foo":2,"type":"string"}}';
    const { value, findings } = read(`{"spec":{"versions":[{"schema":{"openAPIV3Schema":${schema}}}]}}`, DEFINITION);
    expect(value).toEqual({ spec: { versions: [{ schema: { openAPIV3Schema: { items: { type: "string" } } } }] } });
    expect(findings).toEqual(['unknown field "spec.versions[0].schema.openAPIV3Schema.bar"']);
  });
});

describe("what is found", () => {
  test("unknown and duplicate fields, in the order of the text, each once", () => {
    const { value, findings } = read(
      '{"metadata":{"name":"a","name":"b"},"x":1,"x":2,"data":{"k":"1","k":"2"},"metadata":{"uid":"u"}}',
    );
    expect(findings).toEqual([
      'duplicate field "metadata.name"',
      'unknown field "x"',
      'duplicate field "data.k"',
      'duplicate field "metadata"',
    ]);
    expect(value).toEqual({ metadata: { name: "b", uid: "u" }, data: { k: "2" } });
  });

  test("paths count the items of lists", () => {
    expect(set('{"template":{"spec":{"containers":[{},{"foo":1}]}}}').findings).toEqual([
      'unknown field "spec.template.spec.containers[1].foo"',
    ]);
  });

  test("a null that came before is a field too", () => {
    expect(read('{"data":null,"data":{}}').findings).toEqual(['duplicate field "data"']);
  });

  test("no more than a hundred", () => {
    const many = Array.from({ length: 300 }, (_, index) => `"f${index}":1`).join(",");
    expect(read(`{${many}}`).findings).toHaveLength(100);
  });

  test("nothing when nobody asks", () => {
    expect(readTyped('{"x":1,"data":{"a":"1","a":"2"}}', CONFIG_MAP, false).findings).toEqual([]);
  });

  test("nothing inside of what is kept as it is", () => {
    const { value, findings } = read('{"data":{"a":1,"a":2}}', goType("apps/v1", "ControllerRevision"));
    expect(findings).toEqual([]);
    expect(value).toEqual({ data: { a: 2 } });
  });
});

describe("what does not fit is refused in Go's words", () => {
  test.each<[string, () => unknown, string]>([
    [
      "a text for a number",
      () => set('{"replicas":"3"}'),
      "json: cannot unmarshal string into Go struct field StatefulSetSpec.spec.replicas of type int32",
    ],
    [
      "a number that is too large",
      () => set('{"replicas":3000000000}'),
      "json: cannot unmarshal number 3000000000 into Go struct field StatefulSetSpec.spec.replicas of type int32",
    ],
    [
      "a number that is not whole",
      () => set('{"replicas":1.0}'),
      "json: cannot unmarshal number 1.0 into Go struct field StatefulSetSpec.spec.replicas of type int32",
    ],
    [
      "part of an embedded structure",
      () => set('{"template":{"spec":{"volumes":[{"hostPath":1}]}}}'),
      "json: cannot unmarshal number into Go struct field Volume.spec.template.spec.volumes.VolumeSource.hostPath of type v1.HostPathVolumeSource",
    ],
    [
      "a size that is none",
      () => size('"big"'),
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    ["a suffix that is none", () => size('"1KM"'), "unable to parse quantity's suffix"],
    [
      "a moment that is none",
      () => read('{"metadata":{"creationTimestamp":"x"}}'),
      'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
    ],
    ["what is not JSON, before what does not fit", () => read('{"data":1,'), "unexpected end of JSON input"],
    [
      "the first that does not fit",
      () => read('{"data":1,"immutable":2}'),
      "json: cannot unmarshal number into Go struct field ConfigMap.data of type map[string]string",
    ],
    [
      "a size that is none, before what came first",
      () => read('{"metadata":1,"spec":{"resources":{"requests":{"storage":""}}}}', CLAIM),
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
  ])("%s", (_, reading, message) => {
    expect(reading).toThrow(message);
  });
});

describe("whole numbers beyond 2^53 never change in silence", () => {
  const generation = (digits: string) => read(`{"metadata":{"generation":${digits}}}`).value;

  test("one that would change is refused, and its field named", () => {
    expect(() => generation("9007199254740993")).toThrow('number 9007199254740993 in field "metadata.generation"');
    expect(() => read('{"a":{"b":[9223372036854775807]}}', ANY)).toThrow('9223372036854775807 in field "a.b[0]"');
  });

  test("one that survives is kept", () => {
    expect(generation("9007199254740994")).toEqual({ metadata: { generation: 9_007_199_254_740_994 } });
  });

  test("in a field that nobody knows it is dropped like anything else", () => {
    expect(read('{"x":9007199254740993}').value).toEqual({});
  });
});

test("any JSON is read as JSON.parse reads it (seed 7)", () => {
  fc.assert(
    fc.property(fc.json({ noUnicodeString: false }), (text) => {
      const parsed = JSON.parse(text) as Json;
      const { value, findings } = readTyped(text, ANY, true);
      expect(JSON.stringify(value)).toBe(JSON.stringify(parsed));
      expect(findings).toEqual([]);
    }),
    { seed: 7, numRuns: 500 },
  );
});

test("what JSON.parse refuses is refused, what it takes is taken (seed 8)", () => {
  const pieces = [
    '"',
    "\\",
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "1",
    "-",
    ".",
    "e",
    "true",
    "null",
    "a",
    " ",
    "\n",
    "é",
    "\\u00e9",
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (parts) => {
      const text = parts.join("");
      const outcome = (parse: () => unknown) => {
        try {
          parse();
          return "taken";
        } catch (error) {
          return error instanceof Error && error.name === "MisfitError" ? "taken" : "refused";
        }
      };
      expect(outcome(() => readTyped(text, ANY, true))).toBe(outcome(() => JSON.parse(text)));
    }),
    { seed: 8, numRuns: 3000 },
  );
});

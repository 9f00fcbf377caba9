import { describe, expect, test } from "vitest";
import { checkObject, decodeBody, type FieldValidation, reportUnknown } from "./index.ts";

const CONFIG_MAP = { apiVersion: "v1", kind: "ConfigMap", type: "any", custom: false } as const;
const THING = { apiVersion: "example.com/v1", kind: "Thing", type: "any", custom: true } as const;

const decode = (text: string, validation: FieldValidation = "Warn", contentType?: string) =>
  decodeBody(Buffer.from(text), contentType, CONFIG_MAP, validation);
const decodeThing = (text: string, validation: FieldValidation = "Warn") =>
  decodeBody(Buffer.from(text), "application/json", THING, validation);

describe("unknown and duplicate fields", () => {
  const text = '{"foo":1,"data":{"a":"1","a":"2"}}';
  const object = { apiVersion: "v1", kind: "ConfigMap", data: { a: "2" } };

  test("are warned of", () => {
    const warnings = ['unknown field "foo"', 'duplicate field "data.a"'];
    expect(decode(text, "Warn")).toEqual({ object, warnings });
  });

  test("are passed over", () => {
    expect(decode(text, "Ignore")).toEqual({ object, warnings: [] });
  });

  test("are refused", () => {
    expect(() => decode(text, "Strict")).toThrow(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "foo", duplicate field "data.a"',
    );
  });

  test("in YAML are told with their lines: one by one in warnings, together in a refusal", () => {
    const yaml = "data: {a: b, a: c}\nfoo: 1\n";
    const duplicate = 'line 1: key "a" already set in map';
    expect(decode(yaml, "Warn", "application/yaml").warnings).toEqual([duplicate, 'unknown field "foo"']);
    expect(() => decode(yaml, "Strict", "application/yaml")).toThrow(
      `strict decoding error: yaml: unmarshal errors:\n  ${duplicate}, unknown field "foo"`,
    );
  });
});

describe("what a body says it is", () => {
  test("nothing: it is what is expected", () => {
    expect(decode('{"metadata":{"name":"a"}}').object).toEqual({ ...CONFIG_MAP_TYPE, metadata: { name: "a" } });
    expect(decode("null").object).toEqual(CONFIG_MAP_TYPE);
  });

  test("the options of a DELETE, in the version of what is to be deleted", () => {
    const options = { apiVersion: "v1", kind: "DeleteOptions", type: "any", custom: false } as const;
    const body = Buffer.from('{"apiVersion":"apps/v1","kind":"DeleteOptions","gracePeriodSeconds":0}');
    expect(decodeBody(body, undefined, options, "Strict").object).toEqual({
      apiVersion: "v1",
      kind: "DeleteOptions",
      gracePeriodSeconds: 0,
    });
  });

  test.each([
    ['{"kind":"Pod"}', 'Pod in version "v1" cannot be handled as a ConfigMap: converting (v1.Pod) to (core.ConfigMap)'],
    [
      '{"kind":"Foo"}',
      'Foo in version "v1" cannot be handled as a ConfigMap: no kind "Foo" is registered for version "v1"',
    ],
    [
      '{"kind":1,"data":2}',
      "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind",
    ],
    ['{"apiVersion":"a/b/c"}', "unexpected GroupVersion string: a/b/c"],
    ["[]", "the object provided is unrecognized (must be of type ConfigMap)"],
  ])("%s is refused", (text, message) => {
    expect(() => decode(text)).toThrow(message);
  });
});

describe("a custom resource", () => {
  const thing = { apiVersion: "example.com/v1", kind: "Thing" };

  test("keeps whatever it says, but for its metadata", () => {
    const object = { ...thing, metadata: { name: "a", foo: 1 }, spec: { any: [null, { x: 1.5 }] } };
    expect(decodeThing(JSON.stringify(object))).toEqual({
      object: { ...object, metadata: { name: "a" } },
      warnings: ['unknown field "metadata.foo"'],
    });
  });

  test.each([
    [{ kind: "" }, 400, "Object 'Kind' is missing"],
    [{ apiVersion: "example.com/v2" }, 400, "the API version in the data (example.com/v2) does not match"],
    [
      { kind: "Foo", metadata: { name: "a" } },
      422,
      'Foo.example.com "a" is invalid: kind: Invalid value: "Foo": must be Thing',
    ],
    [
      { metadata: { labels: { a: 1 } } },
      400,
      "json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string",
    ],
  ])("%j is refused", (more, code, message) => {
    const decoding = () => decodeThing(JSON.stringify({ ...thing, ...more }));
    expect(decoding).toThrow(expect.objectContaining({ code, message: expect.stringContaining(message) }));
  });

  test("has fields that only its definition can call unknown", () => {
    expect(reportUnknown(["spec.foo"], THING, "Warn")).toEqual(['unknown field "spec.foo"']);
    expect(reportUnknown(["spec.foo"], THING, "Ignore")).toEqual([]);
    expect(() => reportUnknown(["spec.foo"], THING, "Strict")).toThrow(
      'Thing in version "v1" cannot be handled as a Thing: strict decoding error: unknown field "spec.foo"',
    );
    expect(reportUnknown([], THING, "Strict")).toEqual([]);
  });
});

test.each(["text/plain", "application/cbor", "json", "application/json;;", "application/json; charset"])(
  "%s is not read",
  (contentType) => {
    expect(() => decode("{}", "Warn", contentType)).toThrow(
      expect.objectContaining({
        code: 415,
        message:
          "the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf",
      }),
    );
  },
);

test("an object that is there already is read as if it had been sent", () => {
  expect(checkObject({ data: { a: "b" }, foo: 1 }, CONFIG_MAP, "Warn")).toEqual({
    object: { ...CONFIG_MAP_TYPE, data: { a: "b" } },
    warnings: ['unknown field "foo"'],
  });
  expect(() => checkObject({ data: { a: 1 } }, CONFIG_MAP, "Ignore")).toThrow("cannot unmarshal number");
});

const CONFIG_MAP_TYPE = { apiVersion: "v1", kind: "ConfigMap" };

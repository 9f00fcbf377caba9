import { expect, test } from "vitest";
import { atOnce } from "../steps.ts";
import { checkPatched as checkInSteps, decodePatch, type PatchForm } from "./index.ts";

const checkPatched = (...how: Parameters<typeof checkInSteps>) => atOnce(checkInSteps(...how));

const EXPECTED = { apiVersion: "v1", kind: "ConfigMap", type: "any", custom: false } as const;
const JSON_PATCH = "application/json-patch+json";
const MERGE = "application/merge-patch+json";
const STRATEGIC = "application/strategic-merge-patch+json";
const APPLY = "application/apply-patch+yaml";

const decode = (text: string, form: PatchForm) => decodePatch(Buffer.from(text), form);

test.each<[PatchForm, string, unknown]>([
  [JSON_PATCH, '[{"op":"add","path":"/a","value":null}]', [{ op: "add", path: "/a", value: null }]],
  [JSON_PATCH, "null", []],
  [MERGE, '{"a":null,"b":{"c":null}}', { a: null, b: { c: null } }],
  [MERGE, "null", null],
  [STRATEGIC, "null", {}],
  [APPLY, "a: yes\n", { a: true }],
  [APPLY, "", {}],
])("%s takes %s", (form, text, patch) => {
  expect(decode(text, form)).toEqual({ form, patch, findings: [] });
});

test.each<[PatchForm, string, string]>([
  [
    JSON_PATCH,
    "{}",
    "error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp",
  ],
  [MERGE, "[]", "error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}"],
  [STRATEGIC, "{", "unexpected end of JSON input"],
  [APPLY, "a: b: c", "error decoding YAML: error converting YAML to JSON: yaml: mapping values are not allowed"],
  [APPLY, "x", "error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal string"],
])("%s refuses %j", (form, text, message) => {
  expect(() => decode(text, form)).toThrow(
    expect.objectContaining({ code: 400, message: expect.stringContaining(message) }),
  );
});

test("what a patch says twice is told with what it led to", () => {
  const patch = decode('{"data":{"a":"1","a":"2"},"foo":1}', MERGE);
  const patched = { apiVersion: "v1", kind: "ConfigMap", data: { a: "2" }, foo: 1 };
  expect(checkPatched(patched, patch, EXPECTED, "Warn")).toEqual({
    object: { apiVersion: "v1", kind: "ConfigMap", data: { a: "2" } },
    warnings: ['duplicate field "data.a"', 'unknown field "foo"'],
  });
  expect(checkPatched(patched, patch, EXPECTED, "Ignore").warnings).toEqual([]);
  expect(() => checkPatched(patched, patch, EXPECTED, "Strict")).toThrow(
    expect.objectContaining({
      code: 422,
      causes: [expect.objectContaining({ field: "patch", reason: "FieldValueInvalid" })],
    }),
  );
});

test("a strategic merge patch shows itself when it is refused, and cannot change the kind", () => {
  const patch = decode('{"data":{"a":1},"kind":"Pod"}', STRATEGIC);
  expect(() => checkPatched({ kind: "Pod", data: { a: 1 } }, patch, EXPECTED, "Warn")).toThrow(
    ' "" is invalid: patch: Invalid value: "map[data:map[a:1] kind:Pod]": cannot convert int64 to string',
  );
  expect(checkPatched({ kind: "Pod" }, decode('{"kind":"Pod"}', STRATEGIC), EXPECTED, "Strict").object["kind"]).toBe(
    "ConfigMap",
  );
});

test("an apply with a key twice is refused where the client is strict", () => {
  const patch = decode("a: {b: 1, b: 2}", APPLY);
  expect(() => checkPatched({}, patch, EXPECTED, "Strict")).toThrow(
    'error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  line 1: key "b" already set in map',
  );
});

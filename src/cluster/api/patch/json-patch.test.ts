import { describe, expect, test } from "vitest";
import type { Json } from "../json.ts";
import { jsonPatch } from "./json-patch.ts";

const DOCUMENT = { a: { b: [1, 2, 3], "c/d": "x", "~": null }, list: [{ n: 1 }], text: "t" };

describe("each operation", () => {
  test.each<[string, Json, Json]>([
    ["add", [{ op: "add", path: "/a/e", value: 1 }], { ...DOCUMENT, a: { ...DOCUMENT.a, e: 1 } }],
    [
      "add into a list",
      [{ op: "add", path: "/a/b/1", value: 9 }],
      { ...DOCUMENT, a: { ...DOCUMENT.a, b: [1, 9, 2, 3] } },
    ],
    [
      "add at the end",
      [{ op: "add", path: "/a/b/-", value: 9 }],
      { ...DOCUMENT, a: { ...DOCUMENT.a, b: [1, 2, 3, 9] } },
    ],
    [
      "add counted from the end",
      [{ op: "add", path: "/a/b/-1", value: 9 }],
      { ...DOCUMENT, a: { ...DOCUMENT.a, b: [1, 2, 3, 9] } },
    ],
    ["remove", [{ op: "remove", path: "/a/c~1d" }], { ...DOCUMENT, a: { b: [1, 2, 3], "~": null } }],
    [
      "remove counted from the end",
      [{ op: "remove", path: "/a/b/-1" }],
      { ...DOCUMENT, a: { ...DOCUMENT.a, b: [1, 2] } },
    ],
    ["replace", [{ op: "replace", path: "/list/0/n", value: 2 }], { ...DOCUMENT, list: [{ n: 2 }] }],
    ["replace of what is not there adds it", [{ op: "replace", path: "/new", value: 2 }], { ...DOCUMENT, new: 2 }],
    ["replace of everything", [{ op: "replace", path: "", value: { z: 1 } }], { z: 1 }],
    ["move", [{ op: "move", from: "/text", path: "/list/-" }], { a: DOCUMENT.a, list: [{ n: 1 }, "t"] }],
    [
      "copy",
      [{ op: "copy", from: "/list/0", path: "/a/b/0" }],
      { ...DOCUMENT, a: { ...DOCUMENT.a, b: [{ n: 1 }, 1, 2, 3] } },
    ],
    ["copy of what is not there gives null", [{ op: "copy", from: "/no", path: "/yes" }], { ...DOCUMENT, yes: null }],
    ["test", [{ op: "test", path: "/a/b", value: [1, 2, 3] }], DOCUMENT],
    ["test that something is not there", [{ op: "test", path: "/no", value: null }], DOCUMENT],
    ["test of everything", [{ op: "test", path: "", value: DOCUMENT }], DOCUMENT],
    ["nothing", [], DOCUMENT],
    [
      "a key that looks like magic",
      [{ op: "add", path: "/__proto__", value: 1 }],
      Object.fromEntries([...Object.entries(DOCUMENT), ["__proto__", 1]]),
    ],
  ])("%s", (_, patch, expected) => {
    const before = structuredClone(DOCUMENT);
    expect(jsonPatch(DOCUMENT, patch)).toEqual(expected);
    expect(DOCUMENT).toEqual(before);
  });
});

describe("an operation that does not apply is refused without a reason, as Kubernetes does", () => {
  test.each<Json>([
    { op: "test", path: "/text", value: "u" },
    { op: "test", path: "/a/b/0", value: "1" },
    { op: "remove", path: "/no" },
    { op: "remove", path: "" },
    { op: "remove", path: "/a/b/3" },
    { op: "remove", path: "/a/b/-4" },
    { op: "add", path: "/a/b/4", value: 1 },
    { op: "add", path: "/a/b/x", value: 1 },
    { op: "add", path: "/no/deeper", value: 1 },
    { op: "add", path: "/text/deeper", value: 1 },
    { op: "add", path: "", value: {} },
    { op: "replace", path: "/a/b/3", value: 1 },
    { op: "replace", path: "", value: 1 },
    { op: "move", from: "/no", path: "/yes" },
    { op: "move", from: "", path: "/yes" },
    { op: "copy", from: "/no/deeper", path: "/yes" },
    { op: "add", value: 1 },
    { op: "dance", path: "/a" },
    {},
    null,
  ])("%j", (operation) => {
    expect(() => jsonPatch(DOCUMENT, [operation])).toThrow(
      expect.objectContaining({
        code: 422,
        reason: "Invalid",
        message: "the server rejected our request due to an error in our request",
      }),
    );
  });
});

test.each<[Json, string]>([
  [{}, "cannot unmarshal object into Go value of type []handlers.jsonPatchOp"],
  ["x", "cannot unmarshal string into Go value of type []handlers.jsonPatchOp"],
  [[1], "cannot unmarshal number into Go value of type handlers.jsonPatchOp"],
  [[{ op: true }], "cannot unmarshal bool into Go struct field jsonPatchOp.op of type string"],
  [[{ op: "add", path: [] }], "cannot unmarshal array into Go struct field jsonPatchOp.path of type string"],
])("%j is no JSON patch", (patch, message) => {
  expect(() => jsonPatch(DOCUMENT, patch)).toThrow(
    expect.objectContaining({ code: 400, message: `error decoding patch: json: ${message}` }),
  );
});

test("too many operations are refused before the first", () => {
  const patch = Array.from({ length: 10_001 }, () => ({ op: "remove", path: "/no" }));
  expect(() => jsonPatch({}, patch)).toThrow(
    expect.objectContaining({
      code: 413,
      message: "Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001",
    }),
  );
});

test("copies may not add up to more than three megabytes", () => {
  const doubling = Array.from({ length: 30 }, (_, index) => ({ op: "copy", from: "/a", path: `/a/${index}` }));
  expect(() => jsonPatch({ a: { text: "x".repeat(1000) } }, doubling)).toThrow(expect.objectContaining({ code: 422 }));
});

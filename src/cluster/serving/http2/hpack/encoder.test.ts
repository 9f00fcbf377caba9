import { expect, test } from "vitest";
import { encodeFields, HpackError } from "./index.ts";

test.each<[string, [string, string][], string]>([
  ["a field of the static table is its index", [[":status", "200"]], "88"],
  ["so is one without a value", [["accept", ""]], "93"],
  ["a name of the static table is its index", [[":status", "201"]], "0803323031"],
  ["one of a higher index takes another octet", [["content-length", "10"]], "0f0d023130"],
  ["others are plain", [["audit-id", "x"]], "000861756469742d69640178"],
  ["a secret is never to be remembered", [["authorization", "x"]], "1f080178"],
  ["nothing is nothing", [], ""],
])("%s", (_, fields, hex) => {
  expect(encodeFields(fields).toString("hex")).toBe(hex);
  expect(encodeFields(new Set(fields)).toString("hex")).toBe(hex);
});

test("texts are octets, and what is none is refused", () => {
  expect(encodeFields([["vary", "\u00ff"]]).toString("hex")).toBe("0f2c01ff");
  // Cut down to eight bits it would be a carriage return.
  expect(() => encodeFields([["vary", "\u010d"]])).toThrow(HpackError);
  expect(() => encodeFields([["vary", "\u010d"]])).toThrow("U+010d");
});

test("long texts have long lengths", () => {
  const block = encodeFields([["vary", "x".repeat(127 + 128 * 3 + 5)]]);
  expect(block.subarray(0, 5).toString("hex")).toBe("0f2c7f8503");
  expect(block).toHaveLength(5 + 127 + 128 * 3 + 5);
});

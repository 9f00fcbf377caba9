import { expect, test } from "vitest";
import { base64Problem } from "./base64-text.ts";
import { goQuote, goQuoteByte } from "./go-quote.ts";
import { anyNumber, wholeNumber } from "./numbers.ts";
import { quantityProblem } from "./quantity-text.ts";
import { microTimeProblem, timeProblem } from "./time-text.ts";

test.each([
  ["plain é 😀 \ufffd", '"plain é 😀 \ufffd"'],
  ['a"b\\c', String.raw`"a\"b\\c"`],
  ["\n\t\x07\0\x7f", String.raw`"\n\t\a\x00\x7f"`],
  ["\u00a0\u2028\u{e0001}", String.raw`"\u00a0\u2028\U000e0001"`],
])("Go quotes %j", (text, quoted) => {
  expect(goQuote(text)).toBe(quoted);
});

test.each([
  [0x27, String.raw`'\''`],
  [0x22, `'"'`],
  [0, String.raw`'\x00'`],
  [0xc3, "'Ã'"],
])("Go quotes the byte %d", (byte, quoted) => {
  expect(goQuoteByte(byte)).toBe(quoted);
});

test.each([
  ["2020-02-29T23:59:59Z", undefined],
  ["2020-01-31T00:00:00.5+01:00", undefined],
  ["2021-02-29T00:00:00Z", 'parsing time "2021-02-29T00:00:00Z": day out of range'],
  ["2020-13-01T00:00:00Z", 'parsing time "2020-13-01T00:00:00Z": month out of range'],
  ["2020-01-01T00:00:00Zx", 'parsing time "2020-01-01T00:00:00Zx": extra text: "x"'],
])("the moment %s", (text, problem) => {
  expect(timeProblem(text)).toBe(problem);
});

test("a moment of Leases has six digits after its seconds", () => {
  expect(microTimeProblem("2020-01-01T00:00:00.123456Z")).toBeUndefined();
  expect(microTimeProblem("2020-01-01T00:00:00Z")).toContain('cannot parse "Z" as ".000000"');
});

test.each([
  ["", undefined],
  ["aGk=", undefined],
  ["aG\r\nk=", undefined],
  ["aGk", "illegal base64 data at input byte 0"],
  ["aG=k", "illegal base64 data at input byte 2"],
  ["aG=", "illegal base64 data at input byte 3"],
  ["aGk=x", "illegal base64 data at input byte 4"],
  ["x!", "illegal base64 data at input byte 1"],
])("the base64 %j", (text, problem) => {
  expect(base64Problem(text)).toBe(problem);
});

test.each([
  ["10Gi", true],
  ["1.5e3", true],
  ["-1m", true],
  ["", false],
  ["1 Gi", false],
  ["1".repeat(5000), false],
])("the quantity %j: %j", (text, fine) => {
  expect(quantityProblem(text) === undefined).toBe(fine);
});

test.each([
  ["1", 1],
  ["-2147483648", -2_147_483_648],
  ["2147483648", "misfit"],
  ["1e3", "misfit"],
  ["9".repeat(100_000), "misfit"],
] as const)("as an int32, %s", (text, value) => {
  expect(wholeNumber(text, "int32")).toBe(value);
});

test.each([
  ["1e3", 1000],
  ["1e400", "misfit"],
  ["92233720368547758080", 92_233_720_368_547_758_080],
  ["9223372036854775807", "inexact"],
  ["0.1", 0.1],
] as const)("as any number, %s", (text, value) => {
  expect(anyNumber(text)).toBe(value);
});

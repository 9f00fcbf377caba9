import { describe, expect, it } from "vitest";
import { readRetryAfter, readWarnings } from "./headers.ts";

describe("Retry-After", () => {
  const now = Date.UTC(2026, 0, 1);
  it.each([
    [undefined, undefined],
    ["3", 3000],
    [" 0 ", 0],
    [["7", "9"], 7000],
    [new Date(now + 5000).toUTCString(), 5000],
    [new Date(now - 5000).toUTCString(), 0],
    ["soon", undefined],
  ])("%j is %s milliseconds", (value, wait) => {
    expect(readRetryAfter(value, now)).toBe(wait);
  });
});

describe("Warning", () => {
  it.each([
    [undefined, []],
    ['299 - "v1beta1 is deprecated"', ["v1beta1 is deprecated"]],
    ['299 - "unknown field \\"spec.foo\\"", 299 kube "b, c"', ['unknown field "spec.foo"', "b, c"]],
    [
      ['299 - "a"', '299 - "b"'],
      ["a", "b"],
    ],
    ['199 - "not from Kubernetes"', []],
    ["nonsense", []],
  ])("%j says %j", (value, warnings) => {
    expect(readWarnings(value)).toEqual(warnings);
  });
});

import { describe, expect, test } from "vitest";
import { checkTimeout, durationProblem } from "./request-timeout.ts";

describe("a duration", () => {
  test.each(["0", "5s", "1h2m3.5s", "-1s", "+.5m", "1.h", "10µs"])("is one: %s", (text) => {
    expect(durationProblem(text)).toBeUndefined();
  });

  test.each([
    ["abc", 'invalid duration "abc"'],
    ["-", 'invalid duration "-"'],
    [".s", 'invalid duration ".s"'],
    ["5", 'missing unit in duration "5"'],
    ["1.5.5s", 'missing unit in duration "1.5.5s"'],
    ["5x", 'unknown unit "x" in duration "5x"'],
    ["5s 3", 'unknown unit "s " in duration "5s 3"'],
    ["99999999999999999999s", 'invalid duration "99999999999999999999s"'],
  ])("is none: %s", (text, problem) => {
    expect(durationProblem(text)).toBe(problem);
  });
});

test("a request that says nothing of its time, or nothing at all, is fine", () => {
  expect(() => checkTimeout(new URLSearchParams("timeout="))).not.toThrow();
  expect(() => checkTimeout(new URLSearchParams("timeout=x"))).toThrow(
    'invalid timeout specified in the request URL - time: invalid duration "x"',
  );
});

import { expect, test } from "vitest";
import { fromTimestamp, toTimestamp } from "./clock.ts";

test("a moment is written in whole seconds, UTC", () => {
  expect(toTimestamp(0)).toBe("1970-01-01T00:00:00Z");
  expect(toTimestamp(Date.UTC(2026, 10, 15, 7, 8, 9, 999))).toBe("2026-11-15T07:08:09Z");
});

test.each([
  ["2026-11-15T07:08:09Z", Date.UTC(2026, 10, 15, 7, 8, 9)],
  ["2026-11-15T09:08:09+02:00", Date.UTC(2026, 10, 15, 7, 8, 9)],
  ["2026-11-15T07:08:09.123456Z", Date.UTC(2026, 10, 15, 7, 8, 9, 123)],
])("%s is read", (text, moment) => {
  expect(fromTimestamp(text)).toBe(moment);
});

test.each([null, undefined, "", "yesterday", "1", "2026-11-15", "2026-11-15T07:08:09", "2026-13-45T07:08:09Z"])(
  "%j is no moment",
  (text) => {
    expect(fromTimestamp(text)).toBeUndefined();
  },
);

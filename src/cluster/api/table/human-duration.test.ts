import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { humanDuration, since } from "./human-duration.ts";

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];
const YEAR = 365 * DAY;

describe("a duration is told in two or three figures", () => {
  test.each([
    [-2 * SECOND, "<invalid>"],
    [-1.999 * SECOND, "0s"],
    [0, "0s"],
    [999, "0s"],
    [90 * SECOND, "90s"],
    [2 * MINUTE - 1, "119s"],
    [2 * MINUTE, "2m"],
    [9 * MINUTE + 59 * SECOND, "9m59s"],
    [10 * MINUTE + 59 * SECOND, "10m"],
    [3 * HOUR - 1, "179m"],
    [3 * HOUR, "3h"],
    [3 * HOUR + 5 * MINUTE, "3h5m"],
    [8 * HOUR - 1, "7h59m"],
    [8 * HOUR + 59 * MINUTE, "8h"],
    [2 * DAY - 1, "47h"],
    [2 * DAY, "2d"],
    [5 * DAY + 12 * HOUR, "5d12h"],
    [8 * DAY - 1, "7d23h"],
    [8 * DAY, "8d"],
    [2 * YEAR - 1, "729d"],
    [2 * YEAR, "2y"],
    [2 * YEAR + 3 * DAY, "2y3d"],
    [8 * YEAR - 1, "7y364d"],
    [8 * YEAR + 100 * DAY, "8y"],
  ])("%d ms is %s", (milliseconds, text) => {
    expect(humanDuration(milliseconds)).toBe(text);
  });

  test("and never more than it was, nor less by more than the figures that are left out", () => {
    const units: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY, y: YEAR };
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 30 * YEAR }), (milliseconds) => {
        const parts = [...humanDuration(milliseconds).matchAll(/(\d+)([smhdy])/g)];
        const told = parts.reduce((sum, [, count, unit]) => sum + Number(count) * units[unit!]!, 0);
        expect(told).toBeLessThanOrEqual(milliseconds);
        expect(milliseconds - told).toBeLessThan(Math.max(SECOND, milliseconds / 8));
      }),
      { seed: 20_261_115, numRuns: 2000 },
    );
  });
});

describe("an age", () => {
  const now = Date.parse("2026-03-01T12:00:00Z");
  test.each([
    ["2026-03-01T11:58:30Z", "90s"],
    ["2026-03-01T12:00:01Z", "0s"],
    ["2026-03-01T12:00:10Z", "<invalid>"],
    ["2026-02-24T00:00:00.000000Z", "5d12h"],
    ["", "<unknown>"],
    [undefined, "<unknown>"],
  ])("since %s is %s", (timestamp, text) => {
    expect(since(timestamp, now)).toBe(text);
  });
});

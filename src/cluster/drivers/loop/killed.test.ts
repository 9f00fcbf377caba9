/** SIGKILL at several points of a volume's life; test/kube/drivers does it at all of them. */
import { describe, expect, test } from "vitest";
import { BYTES, killAt, type Moment } from "../testing/killed.ts";
import { whyNot } from "../testing/scene.ts";

describe("a driver that is killed", () => {
  test.for<[number, Moment]>([
    [5, "during"],
    [16, "after"],
    [24, "before"],
    [30, "during"],
    [36, "after"],
  ])(
    "at the %d. program it runs, %s it: the next one gives all back, and has all data",
    { timeout: 60_000 },
    async ([program, moment], { skip }) => {
      const why = whyNot("devices");
      skip(why !== undefined, why);
      const { killed, written, leftAfterStart, leftAfterStop, bytesAfter } = await killAt(program, moment);
      expect(killed).toBe(true);
      expect(leftAfterStart).toEqual([]);
      expect(leftAfterStop).toEqual([]);
      expect(bytesAfter).toBe(written ? BYTES : undefined);
    },
  );
});

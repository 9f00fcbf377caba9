/** The loop driver, killed at every program that it runs in a volume's life, in each of three moments. */
import { describe, test } from "vitest";
import { BYTES, killAt, MOMENTS } from "../../../src/cluster/drivers/testing/killed.ts";
import { whyNot } from "../../../src/cluster/drivers/testing/scene.ts";

/** More programs than one life runs: beyond its end nothing is killed, and the search is over. */
const MOST = 150;

describe("killed at every program it runs", () => {
  // At once: each life has a folder and devices of its own.
  test.concurrent.for(MOMENTS)(
    "%s it: nothing is left behind, and nothing is lost",
    { timeout: 900_000 },
    async (moment, { expect, skip }) => {
      const why = whyNot("devices");
      skip(why !== undefined, why);
      let kills = 0;
      for (let program = 1; program <= MOST; program++) {
        const { killed, written, leftAfterStart, leftAfterStop, bytesAfter } = await killAt(program, moment);
        const here = `killed ${moment} program ${program}`;
        expect(leftAfterStart, here).toEqual([]);
        expect(leftAfterStop, here).toEqual([]);
        expect(bytesAfter, here).toBe(written ? BYTES : undefined);
        if (!killed) break;
        kills++;
      }
      expect(kills).toBeGreaterThan(30);
      expect(kills).toBeLessThan(MOST);
    },
  );
});

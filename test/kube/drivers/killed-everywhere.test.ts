/**
 * The loop driver, killed at every program that it runs in a volume's life: each program in one of three moments. In all three:
 * `npm run soak -- drivers`.
 */
import { describe, test } from "vitest";
import { MOMENTS } from "../../../src/cluster/drivers/testing/killed.ts";
import { whyNot } from "../../../src/cluster/drivers/testing/scene.ts";
import { liveAndDie } from "./lives.ts";

describe("killed at every program it runs", () => {
  // At once: each life has a folder and devices of its own.
  test.concurrent.for(MOMENTS)(
    "%s it: nothing is left behind, and nothing is lost",
    { timeout: 900_000 },
    async (moment, { expect, skip }) => {
      const why = whyNot("devices");
      skip(why !== undefined, why);
      const kills = await liveAndDie(moment, 1 + MOMENTS.indexOf(moment), MOMENTS.length);
      expect(kills).toBeGreaterThan(10);
    },
  );
});

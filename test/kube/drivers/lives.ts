/** Lives of a volume on the loop driver, each cut off at another program that the driver runs. */
import assert from "node:assert/strict";
import { BYTES, killAt, MOMENTS, type Moment } from "../../../src/cluster/drivers/testing/killed.ts";

/** More programs than one life runs: beyond its end nothing is killed, and the search is over. */
const MOST = 150;

/**
 * One life for each `step`th program, from `first` on. Resolves with how many lives were cut off; rejects where something was left
 * behind or lost.
 */
export async function liveAndDie(moment: Moment, first: number, step: number): Promise<number> {
  let kills = 0;
  for (let program = first; program <= MOST; program += step) {
    const { killed, written, leftAfterStart, leftAfterStop, bytesAfter } = await killAt(program, moment);
    const here = `killed ${moment} program ${program}`;
    assert.deepEqual([leftAfterStart, leftAfterStop], [[], []], here);
    assert.equal(bytesAfter, written ? BYTES : undefined, here);
    if (!killed) return kills;
    kills++;
  }
  throw new Error(`a life has more than ${MOST} programs: what is after those was not tried`);
}

/** Every program in each moment. */
export async function runDriverSoak(tell: (line: string) => void): Promise<void> {
  // At once: each life has a folder and devices of its own.
  await Promise.all(
    MOMENTS.map(async (moment) => tell(`${moment} a program: ${await liveAndDie(moment, 1, 1)} lives, nothing lost`)),
  );
}

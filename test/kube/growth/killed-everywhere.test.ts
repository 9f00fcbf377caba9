/**
 * The controller dies after each single write of a growth, and another process goes on: same pods, same claims, one set,
 * its template right, its policy back, nothing of ours left behind. `npm run soak -- growth` tries all calls, reads too,
 * before and after, in all flows.
 */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { OCCASIONAL, WRITES } from "./calls.ts";
import { RICH } from "./flows.ts";
import { killOnce } from "./kill-harness.ts";
import { openStage, type Stage } from "./stage.ts";

vi.setConfig({ testTimeout: 600_000 });

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.[Symbol.asyncDispose]());

test.concurrent.for(WRITES.map((write, index) => ({ write, index })))("after $write", async ({ write, index }) => {
  const scene = await stage.scene(`kill-${index}`);
  const { at, calls, lost } = await killOnce(stage, scene, RICH, { at: (call) => call === write, when: "after" });
  expect(lost).toEqual([]);
  expect(at).toBe(write);
  const known: readonly string[] = [...WRITES, ...OCCASIONAL];
  expect(calls.filter((call) => !call.startsWith("GET ") && !known.includes(call))).toEqual([]);
});

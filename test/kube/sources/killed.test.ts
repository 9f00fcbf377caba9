/**
 * The controller dies after single writes of a growth through a custom resource, and another process goes on: same pods, same
 * claims, one set, and the condition says that all is well. `npm run soak -- sources` tries all calls, before and after.
 */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { killOnce } from "../growth/kill-harness.ts";
import { openStage } from "../growth/stage.ts";
import { sourceFlow } from "./kill-flow.ts";
import { openSourceStage } from "./stage.ts";

vi.setConfig({ testTimeout: 600_000, maxConcurrency: 4 });

const stack = new AsyncDisposableStack();
let source: ReturnType<typeof sourceFlow>;
beforeAll(async () => {
  source = sourceFlow(await openSourceStage(stack.use(await openStage()), stack));
});
afterAll(() => stack.disposeAsync());

const WRITES = ["create record", "ask claim", "prepare", "save", "delete", "release", "report"];

test.concurrent.for(WRITES.map((write, index) => ({ write, index })))("after $write", async ({ write, index }) => {
  const scene = await source.stage.scene(`kill-${index}`);
  const kill = { at: (call: string) => call === write, when: "after" } as const;
  const { at, lost } = await killOnce(source.stage, scene, source.flow, kill);
  expect(lost).toEqual([]);
  expect(at).toBe(write);
});

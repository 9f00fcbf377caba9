/** MOCO's text on a stock control plane, where the set is deleted with orphaning and its operator creates it again. */
import { afterAll, beforeAll, describe, test, vi } from "vitest";
import { openStage } from "../growth/stage.ts";
import { MOCO_STORIES } from "./moco-stories.ts";
import { openSourceStage, type SourceStage } from "./stage.ts";

vi.setConfig({ testTimeout: 600_000 });

const stack = new AsyncDisposableStack();
let stage: SourceStage;
beforeAll(async () => {
  const growth = stack.use(await openStage());
  stage = await openSourceStage(growth, stack);
  await growth.controller({ onTime: true });
});
afterAll(() => stack.disposeAsync());

describe.concurrent("on a stock control plane", () => {
  test.for(MOCO_STORIES.map((story, index) => ({ ...story, index })))("$name", async ({ play, index }) => {
    await play(await stage.scene(`moco-${index}`), stage);
  });
});

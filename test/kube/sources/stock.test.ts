/** Sizes in custom resources on a stock control plane, where a set is deleted with orphaning and its operator creates it again. */
import { afterAll, beforeAll, describe, test, vi } from "vitest";
import { openStage } from "../growth/stage.ts";
import { MOCO_STORIES } from "./moco-stories.ts";
import { OPERATOR_STORIES } from "./operator-stories.ts";
import { SOURCE_STORIES } from "./source-stories.ts";
import { openSourceStage, type SourceStage } from "./stage.ts";

// A set is a minute old before it is re-created, an operator has a minute to create it, and all stories wait for that together. More
// than half of both has passed by the controller's clock.
vi.setConfig({ testTimeout: 600_000, maxConcurrency: 30 });

const stack = new AsyncDisposableStack();
let stage: SourceStage;
beforeAll(async () => {
  const growth = stack.use(await openStage());
  stage = await openSourceStage(growth, stack);
  await growth.controller({ ahead: 35 });
});
afterAll(() => stack.disposeAsync());

const STORIES = [...MOCO_STORIES, ...OPERATOR_STORIES, ...SOURCE_STORIES];

describe.concurrent("on a stock control plane", () => {
  test.for(STORIES.map((story, index) => ({ ...story, index })))("$name", async ({ play, index }) => {
    await play(await stage.scene(`story-${index}`), stage);
  });
});

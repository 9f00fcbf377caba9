/** The same on the embedded cluster, whose API server takes another size in a template, and refuses what MOCO's text forbids. */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openEmbeddedStage } from "../growth/embedded-stage.ts";
import { MOCO_STORIES } from "./moco-stories.ts";
import { growMany } from "./scale.ts";
import { openSourceStage, type SourceStage } from "./stage.ts";

vi.setConfig({ testTimeout: 600_000 });

const stack = new AsyncDisposableStack();
let stage: SourceStage;
beforeAll(async () => {
  const growth = stack.use(await openEmbeddedStage());
  await growth.createClass("memory").catch(() => {});
  stage = await openSourceStage(growth, stack);
});
afterAll(() => stack.disposeAsync());

describe.concurrent("where the API server takes the edit", () => {
  test.for(MOCO_STORIES.map((story, index) => ({ ...story, index })))("$name", async ({ play, index }) => {
    await play(await stage.scene(`story-${index}`), stage);
  });
});

test("many resources that are edited at once all come to their end, each with a record of its own", async () => {
  const { generations, records } = await growMany(stage, "many", 15);
  expect(generations).toEqual(new Set([2]));
  expect(records).toBe(15);
});

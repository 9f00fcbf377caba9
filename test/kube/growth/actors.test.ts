/** Somebody comes in between at a moment of the re-creation: nothing is lost, and the outcome is the one that README.md of statefulset/ tells. */
import { afterAll, beforeAll, test, vi } from "vitest";
import { playActor } from "./actor-story.ts";
import { ACTORS } from "./actors.ts";
import { type Interference, startInterference } from "./interference.ts";
import { openStage, type Stage } from "./stage.ts";

vi.setConfig({ testTimeout: 600_000 });

let stage: Stage;
let interference: Interference & AsyncDisposable;
beforeAll(async () => {
  stage = await openStage();
  interference = await startInterference(stage);
});
afterAll(async () => {
  await stage?.[Symbol.asyncDispose]();
  await interference?.[Symbol.asyncDispose]();
});

const STORIES = ACTORS.flatMap((actor) => actor.moments.map((moment) => ({ actor, moment, name: actor.name })));

test.concurrent.for(STORIES.map((story, index) => ({ ...story, index })))(
  "$name (after $moment)",
  async ({ actor, moment, index }) => {
    await playActor(stage, interference, `actor-${index}`, actor, moment);
  },
);

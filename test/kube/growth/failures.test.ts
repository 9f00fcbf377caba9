/** The storage or the quota says no to some of it, on Kubernetes as it is; and what many sets cost that grow at once. */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { ControlPlane } from "../control-plane.ts";
import { createFailingClasses, FAILURE_STORIES } from "./failure-stories.ts";
import { growMany } from "./scale.ts";
import { openStage, type Stage } from "./stage.ts";

vi.setConfig({ testTimeout: 600_000 });

let stage: Stage<ControlPlane>;
beforeAll(async () => {
  stage = await openStage();
  await createFailingClasses(stage);
  await stage.controller();
});
afterAll(() => stage?.[Symbol.asyncDispose]());

describe.concurrent("something says no", () => {
  test.for(FAILURE_STORIES.map((story, index) => ({ ...story, index })))("$name", async ({ play, index }) => {
    await play(await stage.scene(`failure-${index}`), stage);
  });
});

test("a claim costs one patch, however many sets grow at once", async () => {
  const { writes, sets, claims, seconds } = await growMany(stage, { name: "many", sets: 10, replicas: 2 });
  expect(writes["patch persistentvolumeclaims"]).toBe(claims);
  expect(writes["delete statefulsets"]).toBe(sets);
  // At most one report a second of each set, and one more for what was left to say at the end.
  expect(writes["patch volumeexpansions/status"] ?? 0).toBeLessThanOrEqual(sets * (Math.ceil(seconds) + 1 + 2));
});

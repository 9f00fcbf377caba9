/** Growing what a StatefulSet owns, on Kubernetes as it is: what KEP-661 promises, and what must not be lost on the way. */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { ControlPlane } from "../control-plane.ts";
import type { OutgrowProcess } from "../outgrow-process.ts";
import { HOLD_STORIES } from "./hold-stories.ts";
import { claimsHave, hasSizes } from "./intact.ts";
import { KEP_STORIES } from "./kep-stories.ts";
import { SAFEGUARD_STORIES } from "./safeguard-stories.ts";
import { openStage, type Stage } from "./stage.ts";
import { growsIntact } from "./story.ts";

vi.setConfig({ testTimeout: 600_000 });

let stage: Stage<ControlPlane>;
beforeAll(async () => {
  stage = await openStage();
  await stage.createClass("rigid", {}, false);
  await stage.createClass("five-at-most", { controllerLimit: "5Gi" });
  await stage.createClass("whole-gigabytes", { roundTo: "1G" });
  await stage.createClass("offline", { online: "false" });
});
afterAll(() => stage?.[Symbol.asyncDispose]());

/** Has a controller at work for as long as something is done. */
async function during(flags: readonly string[], work: () => Promise<void>, ahead?: number): Promise<void> {
  const controller: OutgrowProcess = await stage.controller({ flags, ...(ahead !== undefined && { ahead }) });
  try {
    await work();
  } finally {
    await controller.kill("SIGTERM");
  }
}

test("with the gate off nothing is started; when it comes on again, what was left behind is made up for", async () => {
  const scene = await stage.scene("gates");
  const before = await scene.create();
  await scene.wish("data=2Gi");
  await during(["--feature-gates=StatefulSetVolumeExpansion=false"], async () => {
    const waiting = await scene.untilSaid("feature gate StatefulSetVolumeExpansion is off");
    expect(claimsHave(waiting, { data: "1Gi" })).toBe(true);
  });
  await during([], async () => void (await growsIntact(scene, before, { data: "2Gi" })));
});

test("a set is not re-created before it is a minute old, and says when it will be; its claims grow at once", async () => {
  const scene = await stage.scene("young");
  const before = await scene.create();
  await scene.wish("data=2Gi");
  const waitForIt = async (): Promise<void> => {
    const waiting = await scene.until(
      "the claims",
      (look) => claimsHave(look, { data: "2Gi" }) && look.record?.status?.phase === "UpdatingTemplate",
    );
    expect(waiting.record?.status?.conditions?.map(({ message }) => message).join()).toContain("looks again at");
    expect(waiting.set && hasSizes(waiting.set, { data: "1Gi" })).toBe(true);
    expect(waiting.set?.metadata.uid).toBe(before.set?.metadata.uid);
  };
  await during([], waitForIt, 0);
});

describe("with a controller at work", () => {
  beforeAll(async () => void (await stage.controller()));

  describe.concurrent("what KEP-661 promises", () => {
    test.for(KEP_STORIES.map((story, index) => ({ ...story, index })))("$name", async ({ play, index }) => {
      await play(await stage.scene(`kep-${index}`), stage);
    });
  });

  describe.concurrent("what must not be lost", () => {
    test.for([...SAFEGUARD_STORIES, ...HOLD_STORIES].map((story, index) => ({ ...story, index })))(
      "$name",
      async ({ play, index }) => {
        await play(await stage.scene(`safe-${index}`), stage);
      },
    );
  });

  test("the rights that the controller ships with were enough", async () => {
    const entries = await stage.plane.auditEntries({ user: stage.user.name });
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.filter(({ denied }) => denied).map(({ verb, resource }) => `${verb} ${resource}`)).toEqual([]);
  });
});

/**
 * The same stories on the embedded cluster, whose API server takes other sizes in a template. What differs there: people
 * write the size into the template (`Scene.wish`), no set is ever re-created, and nothing that stands against a
 * re-creation is waited for (`defers` in hold-stories.ts).
 */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { playActor } from "./actor-story.ts";
import { ACTORS } from "./actors.ts";
import { OCCASIONAL, WRITES_WITH_EDITS } from "./calls.ts";
import { openEmbeddedStage } from "./embedded-stage.ts";
import { createFailingClasses, FAILURE_STORIES } from "./failure-stories.ts";
import { PLAIN } from "./flows.ts";
import { HOLD_STORIES } from "./hold-stories.ts";
import { type Interference, startInterference } from "./interference.ts";
import { KEP_STORIES } from "./kep-stories.ts";
import { killOnce } from "./kill-harness.ts";
import { SAFEGUARD_STORIES } from "./safeguard-stories.ts";
import type { Stage } from "./stage.ts";

vi.setConfig({ testTimeout: 600_000 });

describe("where the API server takes the edit", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openEmbeddedStage();
    await createFailingClasses(stage);
    await stage.createClass("rigid", {}, false);
    await stage.createClass("whole-gigabytes", { roundTo: "1G" });
    await stage.createClass("offline", { online: "false" });
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());

  /**
   * The template has followed the claims that grew, and the cluster's own controller asks for its size again; there a
   * failure is recovered from in the template itself (kep-stories.ts).
   */
  const lowersByAnnotation =
    "one by one the rest wait; told to go on despite it, they grow; a lower wish recovers the one";
  const stories = [...KEP_STORIES, ...SAFEGUARD_STORIES, ...HOLD_STORIES, ...FAILURE_STORIES].filter(
    ({ name }) => name !== lowersByAnnotation,
  );
  describe.concurrent("every story comes to the same end", () => {
    test.for(stories.map((story, index) => ({ ...story, index })))("$name", async ({ play, index }) => {
      await play(await stage.scene(`story-${index}`), stage);
    });
  });
});

describe("and its controller is a process of its own", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openEmbeddedStage({ ownController: true });
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());

  describe.concurrent("it dies after each single write, and another one goes on", () => {
    test.for(WRITES_WITH_EDITS.map((write, index) => ({ write, index })))("after $write", async ({ write, index }) => {
      const scene = await stage.scene(`kill-${index}`);
      const { at, calls, lost } = await killOnce(stage, scene, PLAIN, { at: (call) => call === write, when: "after" });
      expect(lost).toEqual([]);
      expect(at).toBe(write);
      const known: readonly string[] = [...WRITES_WITH_EDITS, ...OCCASIONAL];
      expect(calls.filter((call) => !call.startsWith("GET ") && !known.includes(call))).toEqual([]);
    });
  });

  describe("somebody comes in between", () => {
    let interference: Interference & AsyncDisposable;
    beforeAll(async () => {
      interference = await startInterference(stage);
    });
    afterAll(() => interference?.[Symbol.asyncDispose]());

    /**
     * There is no gap without a set. And an old manifest that is applied again says that the template is smaller, and it is;
     * claims keep what they have.
     */
    const actors = ACTORS.filter(({ name }) => !name.includes("in the gap") && !name.startsWith("Argo CD"));
    const inTurn = actors.flatMap((actor) =>
      (["ask claim", "patch template"] as const).map((moment) => ({ actor, moment, name: actor.name })),
    );
    test.concurrent.for(inTurn.map((story, index) => ({ ...story, index })))(
      "$name (after $moment)",
      async ({ actor, moment, index }) => {
        await playActor(stage, interference, `actor-${index}`, actor, moment);
      },
    );
  });
});

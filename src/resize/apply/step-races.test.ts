/** What happens to a step when somebody else writes in between, or when the cache that it begins with is behind. */
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { EXPAND, GET_CLAIM, GET_VOLUME, PATCH_CLAIM, PATCH_VOLUME, takeStep } from "../testing/take-step.ts";
import { createWorld, touched, type World } from "../testing/world.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.stop());

describe("a lost race costs a fresh read and the same write, never a second call and never a failure", () => {
  const touchClaim = (): void => world.patchClaim(touched(world.claim()));
  const touchVolume = (): void => world.patchVolume(touched(world.volume()));

  /** Somebody else writes right before the n-th patch arrives. */
  function meddleBefore(moments: ReadonlySet<number>): void {
    let patch = 0;
    world.meddle = ({ method, path }) => {
      if (method !== "PATCH" || !moments.has(patch++)) return undefined;
      if (path.includes("/persistentvolumes/")) touchVolume();
      else touchClaim();
      return undefined;
    };
  }
  const settled = () => ({
    status: world.claim().status?.allocatedResourceStatuses,
    allocated: world.claim().status?.allocatedResources,
    volume: world.volume().spec.capacity,
  });
  const SETTLED = {
    status: { storage: "NodeResizePending" },
    allocated: { storage: "20Gi" },
    volume: { storage: "20Gi" },
  };

  test.each<[string, number, string[]]>([
    ["the record", 0, [PATCH_CLAIM, GET_CLAIM, PATCH_CLAIM, EXPAND, PATCH_VOLUME, PATCH_CLAIM]],
    ["the volume", 1, [PATCH_CLAIM, EXPAND, PATCH_VOLUME, GET_VOLUME, PATCH_VOLUME, PATCH_CLAIM]],
    ["the claim", 2, [PATCH_CLAIM, EXPAND, PATCH_VOLUME, PATCH_CLAIM, GET_CLAIM, PATCH_CLAIM]],
  ])("for %s", async (_, moment, journal) => {
    world.add();
    meddleBefore(new Set([moment]));
    expect(await takeStep(world)).toMatchObject({ kind: "called", after: { result: "node-expansion-required" } });
    expect(world.journal.filter((entry) => !entry.startsWith("tell"))).toEqual(journal);
    expect(world.journal.filter((entry) => entry.startsWith("tell"))).toEqual([
      "tell claim Resizing",
      "tell claim FileSystemResizeRequired",
    ]);
    expect(settled()).toEqual(SETTLED);
    expect(world.claim().metadata.labels).toEqual(moment === 1 ? undefined : { touched: "1" });
  });

  test("for any of them, up to seven times", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat({ max: 9 }), { maxLength: 7 }), async (moments) => {
        await world.stop();
        world = await createWorld();
        world.add();
        meddleBefore(new Set(moments));
        expect(await takeStep(world)).toMatchObject({ kind: "called", after: { result: "node-expansion-required" } });
        expect(world.expansions()).toEqual(["20Gi"]);
        expect(settled()).toEqual(SETTLED);
      }),
      { seed: 1790, numRuns: 25 },
    );
  });

  test("but somebody who writes all the time wins, for now", async () => {
    world.add();
    meddleBefore(new Set(Array.from({ length: 100 }, (_, index) => index)));
    await expect(takeStep(world)).rejects.toThrow("claim prod/data is written by others all the time");
    expect(world.expansions()).toEqual([]);
    expect(world.journal.filter((entry) => entry === PATCH_CLAIM)).toHaveLength(8);
  });

  test("what came of a call is written though somebody writes forty times: it is not called again", async () => {
    world.add();
    meddleBefore(new Set(Array.from({ length: 40 }, (_, index) => index + 1)));
    expect(await takeStep(world)).toMatchObject({ kind: "called", after: { result: "node-expansion-required" } });
    expect(world.expansions()).toEqual(["20Gi"]);
    expect(settled()).toEqual(SETTLED);
  });

  test("what came of a call is not lost on the record: the next step finds it", async () => {
    world.add();
    meddleBefore(new Set(Array.from({ length: 1000 }, (_, index) => index + 1)));
    await expect(takeStep(world)).rejects.toThrow("claim prod/data is written by others all the time");
    expect(world.claim().status?.allocatedResources).toEqual({ storage: "20Gi" });
    world.meddle = () => undefined;
    await takeStep(world);
    expect(world.expansions()).toEqual(["20Gi", "20Gi"]);
    expect(settled()).toEqual(SETTLED);
  });

  test("with a changed record the answer says nothing about the claim any more, only about the volume", async () => {
    world.add();
    world.meddle = ({ method, path }) => {
      const record = { allocatedResources: { storage: "25Gi" } };
      if (method === "PATCH" && path.includes("/persistentvolumes/")) world.patchClaim({ status: record });
      return undefined;
    };
    expect(await takeStep(world)).toMatchObject({ kind: "called", after: { result: "overtaken" } });
    expect(world.volume().spec.capacity).toEqual({ storage: "20Gi" });
    expect(world.claim().status).toMatchObject({
      allocatedResources: { storage: "25Gi" },
      allocatedResourceStatuses: { storage: "ControllerResizeInProgress" },
    });
    expect(world.journal.at(-1)).toBe(GET_CLAIM);
  });
});

describe("a cache that is behind", () => {
  test("with something to record: the write is refused, and the decision is made again from what is there", async () => {
    world.add();
    const behind = world.claim();
    world.request("30Gi");
    await takeStep(world, { claim: behind });
    expect(world.expansions()).toEqual(["30Gi"]);
    expect(world.claim().status?.allocatedResources).toEqual({ storage: "30Gi" });
  });

  test("with nothing to record: the claim is read from the server before the call", async () => {
    world.add({ A: "20Gi", state: "controller-in-progress", conditions: [{ kind: "resizing" }] });
    const behind = world.claim();
    world.add({ A: "20Gi", P: "20Gi", state: "node-pending" });
    expect(await takeStep(world, { claim: behind, memory: { owned: true } })).toMatchObject({
      kind: "quiet",
      decision: { kind: "wait-for-node" },
    });
    expect(world.journal).toEqual([GET_CLAIM]);
  });

  test("of the volume: what was grown meanwhile is not made smaller", async () => {
    world.add();
    const behind = world.volume();
    world.patchVolume({ spec: { capacity: { storage: "40Gi" } } });
    expect(await takeStep(world, { volume: behind })).toMatchObject({ after: { result: "node-expansion-required" } });
    expect(world.volume().spec.capacity).toEqual({ storage: "40Gi" });
    expect(world.expansions()).toEqual(["20Gi"]);
  });
});

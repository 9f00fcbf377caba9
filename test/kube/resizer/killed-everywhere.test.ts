/**
 * The resizer dies after each single call of every flow, events and the lease included, and comes back: the claim ends
 * right, quota counted at every moment what the storage held, and the driver was never asked for a wrong size.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { PRE_RESIZE_CAPACITY } from "../../../src/core/names.ts";
import { Quantity } from "../../../src/core/quantity.ts";
import { createNode, createPod } from "../fixtures.ts";
import { waitFor } from "../wait.ts";
import { type Flow, killEverywhere } from "./kill-harness.ts";
import { killAtLeaseCalls, LEASE_CALLS } from "./lease-deaths.ts";
import { openStage, type Scene, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  await createNode(stage.plane, "node-1");
});
afterAll(() => stage.stop());

const Gi = 1n << 30n;
const CALL = ["the call arrives, and is never done", "the call arrives, and is done without us", "the call is done"];
const ONE_STEP = ["PATCH claim", ...CALL, "PATCH volume", "PATCH claim"];

const growTo =
  (size: string) =>
  async (scene: Scene, claim: string): Promise<void> => {
    await scene.request(claim, size);
    await scene.untilGrown(claim, size);
  };

/** A person changes their mind. Too late, says the API server, once the claim has more than that. */
const lower = (scene: Scene, claim: string): Promise<void> => scene.request(claim, "15Gi").catch(() => {});

/** The first call for each claim fails like this. */
function failOnce(scene: Scene, claim: string, code: "DeadlineExceeded" | "Internal", worked: boolean): void {
  const volumeId = `pv-${scene.namespace}-${claim}`;
  const answer = { kind: "error", code, worked } as const;
  scene.driver.setRules([{ method: "ControllerExpandVolume", volumeId, times: 1, answer }]);
}

const inDoubt = (worked: boolean): Omit<Row, "name"> => ({
  flags: ["--retry-interval-start=50ms"],
  size: "10Gi",
  mayAsk: [20n * Gi],
  async play(scene, claim) {
    failOnce(scene, claim, "DeadlineExceeded", worked);
    await growTo("20Gi")(scene, claim);
  },
  beforeAnswer: lower,
  calls: ["PATCH claim", ...CALL, "GET claim", ...CALL, "PATCH volume", "PATCH claim"],
});

interface Row extends Flow {
  /** The calls of the flow, in order: each of them killed the process once, and after them the events. */
  readonly calls: readonly string[];
}

const FLOWS: readonly Row[] = [
  {
    name: "plain",
    size: "10Gi",
    mayAsk: [20n * Gi],
    play: growTo("20Gi"),
    calls: ONE_STEP,
    tells: ["Resizing", "FileSystemResizeRequired"],
  },
  {
    name: "rounding",
    script: { roundToBytes: 4n * Gi },
    size: "8Gi",
    mayAsk: [10n * Gi],
    play: growTo("10Gi"),
    calls: ONE_STEP,
  },
  {
    name: "controller-only",
    script: { abilities: { nodeExpansion: false } },
    size: "10Gi",
    mayAsk: [20n * Gi],
    play: growTo("20Gi"),
    calls: ONE_STEP,
    tells: ["Resizing", "VolumeResizeSuccessful"],
  },
  {
    name: "node-only",
    script: { abilities: { controllerExpansion: false } },
    size: "10Gi",
    mayAsk: [20n * Gi],
    play: growTo("20Gi"),
    calls: ["PATCH claim", "PATCH volume", "PATCH claim"],
  },
  {
    name: "annotated",
    flags: ["--feature-gates=AnnotateFsResize=true"],
    size: "10Gi",
    mayAsk: [20n * Gi],
    async play(scene, claim) {
      await growTo("20Gi")(scene, claim);
      await waitFor("the annotation to go", async () => {
        const { annotations = {} } = (await scene.readVolume(claim)).metadata;
        return annotations[PRE_RESIZE_CAPACITY] === undefined;
      });
    },
    calls: [...ONE_STEP, "GET claim", "PATCH volume"],
  },
  {
    name: "lowered-meanwhile",
    size: "10Gi",
    mayAsk: [20n * Gi],
    play: growTo("20Gi"),
    meanwhile: lower,
    calls: ONE_STEP,
  },
  {
    name: "raised-meanwhile",
    script: { abilities: { nodeExpansion: false } },
    size: "10Gi",
    mayAsk: [20n * Gi, 30n * Gi],
    async play(scene, claim) {
      await scene.request(claim, "20Gi");
      await scene.until(claim, "to grow", ({ capacity }) => capacity?.toString() !== "10Gi");
    },
    meanwhile: (scene, claim) => scene.request(claim, "30Gi"),
    calls: ONE_STEP,
  },
  {
    name: "infeasible-lowered-meanwhile",
    script: { rules: [{ aboveBytes: 50n * Gi, answer: { kind: "error", code: "OutOfRange" } }] },
    size: "10Gi",
    mayAsk: [100n * Gi, 15n * Gi],
    async play(scene, claim) {
      await scene.request(claim, "100Gi");
      await scene.until(
        claim,
        "infeasible, or past that",
        ({ state, request }) => request.equals(Quantity.parse("15Gi")) || state === "controller-infeasible",
      );
      await lower(scene, claim);
      await scene.untilGrown(claim, "15Gi");
    },
    meanwhile: lower,
    calls: ["PATCH claim", ...CALL, "PATCH claim", ...ONE_STEP],
  },
  {
    name: "infeasible",
    script: { rules: [{ aboveBytes: 50n * Gi, answer: { kind: "error", code: "OutOfRange" } }] },
    size: "10Gi",
    mayAsk: [100n * Gi, 20n * Gi],
    async play(scene, claim) {
      await scene.request(claim, "100Gi");
      await scene.until(claim, "infeasible", ({ state }) => state === "controller-infeasible");
      await growTo("20Gi")(scene, claim);
    },
    calls: ["PATCH claim", ...CALL, "PATCH claim", ...ONE_STEP],
    tells: ["Resizing", "VolumeResizeFailed", "VolumeResizeLowered", "FileSystemResizeRequired"],
  },
  { name: "in-doubt-done", ...inDoubt(true) },
  { name: "in-doubt-not-done", ...inDoubt(false) },
  {
    name: "refused-then-lowered",
    flags: ["--retry-interval-start=5m"],
    size: "10Gi",
    // Whoever remembers the refusal goes for less; whoever does not must finish what is recorded.
    mayAsk: [20n * Gi, 15n * Gi],
    async play(scene, claim) {
      failOnce(scene, claim, "Internal", false);
      await scene.request(claim, "20Gi");
      await scene.until(
        claim,
        "to be refused, or past that",
        ({ conditions, state, capacity }) =>
          conditions.has("controller-error") || state.startsWith("node-") || capacity?.toString() === "20Gi",
      );
      await lower(scene, claim);
      await scene.until(
        claim,
        "to be settled",
        ({ capacity, state }) => state === "none" && ["15Gi", "20Gi"].includes(capacity?.toString() ?? ""),
      );
    },
    calls: ["PATCH claim", ...CALL, "PATCH claim", ...ONE_STEP],
  },
  {
    name: "offline",
    script: { abilities: { online: false } },
    // Long enough for the pod to be gone by then.
    flags: ["--retry-interval-start=3s"],
    size: "10Gi",
    mayAsk: [20n * Gi],
    async play(scene, claim) {
      const volume = `pv-${scene.namespace}-${claim}`;
      scene.driver.setVolume(volume, { inUse: true });
      await createPod(stage.plane, { name: claim, namespace: scene.namespace, node: "node-1", claims: [claim] });
      await scene.request(claim, "20Gi");
      await scene.until(claim, "refused", ({ conditions }) => conditions.has("controller-error"));
      scene.driver.setVolume(volume, { inUse: false });
      await stage.plane.api.delete(`/api/v1/namespaces/${scene.namespace}/pods/${claim}`);
      await scene.untilGrown(claim, "20Gi");
    },
    // A driver that refuses because of a pod has not done anything.
    calls: ["PATCH claim", ...CALL.slice(0, 2), "PATCH claim", "GET claim", ...CALL, "PATCH volume", "PATCH claim"],
  },
];

test.concurrent.each(FLOWS)("$name", { timeout: 1_200_000 }, async ({ calls, ...flow }) => {
  const events = (flow.tells ?? []).map((reason) => `event ${reason}`);
  expect(await killEverywhere(stage, flow)).toEqual({ after: [...calls, ...events], wrong: [] });
});

test.concurrent("every call about the lease", { timeout: 1_200_000 }, async () => {
  expect(await killAtLeaseCalls(stage)).toEqual({ after: LEASE_CALLS, wrong: [] });
});

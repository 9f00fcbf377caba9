/**
 * API servers that keep no record of an expansion: recovery is off there, as it was by default before 1.32. Claims grow
 * all the same, in the way of KEP-284.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isAtLeast, wantedVersion } from "../releases.ts";
import { waitFor } from "../wait.ts";
import { startNodeHalf } from "./node-half.ts";
import { openStage, type Scene, type Stage } from "./stage.ts";

const canBeOff = !isAtLeast(wantedVersion(undefined, process.env), 34);

describe.skipIf(!canBeOff)("a server without recovery (from 1.34 on it cannot be switched off)", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage({ controllers: [], featureGates: { RecoverVolumeExpansionFailure: false } });
  });
  afterAll(() => stage?.stop());

  const bytesAsked = (scene: Scene): readonly bigint[] => scene.expansions().map(({ requiredBytes }) => requiredBytes);
  const Gi = 1n << 30n;

  test.concurrent("a claim grows with one call, and no record is kept", async () => {
    await using scene = await stage.scene("plain");
    await using _node = await startNodeHalf(scene);
    await scene.create({ name: "data", size: "10Gi" });
    await scene.resizer();
    await scene.request("data", "20Gi");
    await scene.untilGrown("data", "20Gi");
    expect((await scene.readVolume("data")).spec.capacity).toEqual({ storage: "20Gi" });
    expect((await scene.read("data")).status).not.toHaveProperty("allocatedResources");
    expect(bytesAsked(scene)).toEqual([20n * Gi]);
    const told = await scene.untilTold("FileSystemResizeRequired");
    expect(told.map(({ reason }) => reason)).toEqual(["Resizing", "FileSystemResizeRequired"]);
  });

  test.concurrent("without a node's part it is done at once", async () => {
    await using scene = await stage.scene("no-node", { script: { abilities: { nodeExpansion: false } } });
    await scene.create({ name: "data", size: "10Gi" });
    await scene.resizer();
    await scene.request("data", "20Gi");
    await scene.untilGrown("data", "20Gi");
    await scene.untilTold("VolumeResizeSuccessful");
    expect(bytesAsked(scene)).toEqual([20n * Gi]);
  });

  test.concurrent("a failure is told and tried again, and the request cannot be lowered", async () => {
    const answer = { kind: "error", code: "Internal", message: "not today" } as const;
    await using scene = await stage.scene("failing", {
      script: { rules: [{ method: "ControllerExpandVolume", answer }] },
    });
    await using _node = await startNodeHalf(scene);
    await scene.create({ name: "data", size: "10Gi" });
    await scene.resizer(["--retry-interval-start=100ms", "--retry-interval-max=1s"]);
    await scene.request("data", "20Gi");
    await scene.untilTold("VolumeResizeFailed");
    await expect(scene.request("data", "15Gi")).rejects.toThrow("field can not be less than previous value");
    scene.driver.setRules([]);
    await scene.untilGrown("data", "20Gi");
    expect(new Set(bytesAsked(scene))).toEqual(new Set([20n * Gi]));
  });

  test.concurrent("killed in the middle of a call, the next process finishes it", async () => {
    const gate = Promise.withResolvers<void>();
    const onArrived = ({ method }: { readonly method: string }): Promise<void> | undefined =>
      method === "ControllerExpandVolume" ? gate.promise : undefined;
    await using scene = await stage.scene("killed", { onArrived });
    await using _node = await startNodeHalf(scene);
    await scene.create({ name: "data", size: "10Gi" });
    const first = await scene.resizer();
    await scene.request("data", "20Gi");
    await waitFor("the call", () => scene.expansions().length === 1);
    await first.kill("SIGKILL");
    gate.resolve();
    await scene.resizer();
    await scene.untilGrown("data", "20Gi");
    expect(new Set(bytesAsked(scene))).toEqual(new Set([20n * Gi]));
  });
});

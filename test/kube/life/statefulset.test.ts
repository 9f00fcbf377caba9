/** spec/kep-0661, natively: the size in a StatefulSet's template is edited, and volumes follow. Each test quotes the text. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openScene, type Scene } from "./scene.ts";

const OFF = { StatefulSetVolumeExpansion: false };

async function withSet(scene: Scene, name: string, storageClass = "memory"): Promise<void> {
  await scene.createSet(name, { size: "1Gi", storageClass });
  await scene.podsAreReady(`${name}-0`, `${name}-1`);
}

describe("with the gate on", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
    await scene.createClass("rigid", {}, { allowVolumeExpansion: false });
  });
  afterAll(() => scene[Symbol.asyncDispose]());

  test("modification of the template's size by the user will update the underlying PVC, which is then resized", async () => {
    await withSet(scene, "raised");
    await scene.editTemplate("raised", "2Gi");
    for (const claim of ["data-raised-0", "data-raised-1"]) {
      await scene.claimIs(claim, { request: "2Gi", capacity: "2Gi", state: "" });
    }
  });

  test("when the set scales up, the new PVCs are created with the new size", async () => {
    await withSet(scene, "scaled");
    await scene.editTemplate("scaled", "2Gi");
    await scene.scale("scaled", 3);
    await scene.claimIs("data-scaled-2", { request: "2Gi", capacity: "2Gi" });
  });

  test("if the size of the PVC is greater than the template's, no change will be made to the PVC", async () => {
    await withSet(scene, "larger");
    await scene.request("data-larger-0", "5Gi");
    await scene.claimIs("data-larger-0", { capacity: "5Gi" });
    await scene.editTemplate("larger", "2Gi");
    await scene.claimIs("data-larger-1", { capacity: "2Gi" });
    expect(await scene.claimIs("data-larger-0", {})).toMatchObject({ request: "5Gi", capacity: "5Gi" });
  });

  test("resizing a PVC directly will not affect the template", async () => {
    await withSet(scene, "direct");
    await scene.request("data-direct-0", "5Gi");
    await scene.claimIs("data-direct-0", { capacity: "5Gi" });
    expect((await scene.editTemplate("direct", "1Gi")).metadata.generation).toBe(1);
  });

  test("it will be necessary to check if the StorageClass has allowVolumeExpansion enabled", async () => {
    await withSet(scene, "rigid", "rigid");
    await expect(scene.editTemplate("rigid", "2Gi")).rejects.toThrow(
      'storage class "rigid" of template "data" does not allow expansion',
    );
    expect(await scene.claimIs("data-rigid-0", {})).toMatchObject({ request: "1Gi" });
  });

  test("a failed expansion is recovered by decreasing the size in the template, and then in the claims", async () => {
    await withSet(scene, "failed", "flaky-infeasible");
    await scene.editTemplate("failed", "20Gi");
    await scene.claimIs("data-failed-0", { request: "20Gi", state: "ControllerResizeInfeasible" });
    await scene.editTemplate("failed", "5Gi");
    await scene.request("data-failed-0", "5Gi");
    await scene.claimIs("data-failed-0", { request: "5Gi", capacity: "5Gi", state: "" });
  });

  test("any change in revision would not make any changes to the persistent volume size", async () => {
    await withSet(scene, "revised");
    const { status } = await scene.editTemplate("revised", "2Gi");
    await scene.claimIs("data-revised-0", { capacity: "2Gi" });
    const after = await scene.editTemplate("revised", "2Gi");
    expect(after.status?.updateRevision).toBe(status?.updateRevision);
  });
});

test("the gate off, on, off, on: reconciliation removes any anomalies which were left behind during disabling", async () => {
  await using scene = await openScene({ gates: OFF });
  await withSet(scene, "db");
  await expect(scene.editTemplate("db", "2Gi")).rejects.toThrow("updates to statefulset spec for fields other than");

  await scene.restart({});
  await scene.editTemplate("db", "2Gi");
  await scene.claimIs("data-db-1", { capacity: "2Gi" });

  // "If the feature is disabled, the user will not be able to resize PVCs associated with a statefulset anymore."
  await scene.restart(OFF);
  await expect(scene.editTemplate("db", "3Gi")).rejects.toThrow("are forbidden");
  // Made by hand and smaller than the template, while nobody looks after it.
  await scene.createClaim("data-db-2", "1Gi");
  await scene.scale("db", 3);
  await scene.podsAreReady("db-2");
  expect(await scene.claimIs("data-db-2", {})).toMatchObject({ request: "1Gi" });

  await scene.restart({});
  await scene.claimIs("data-db-2", { request: "2Gi", capacity: "2Gi" });
});

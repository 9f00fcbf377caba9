/**
 * spec/kep-1790: the user flow stories of both texts, told by a user of the API, with quota and on the memory driver. The two
 * texts tell the same stories in different words for the states; the API server speaks today's.
 * Case 4, in which the controller crashes, is in killed.test.ts.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { VOLUMES } from "../../../src/kube/index.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
  await scene.createQuota("1Ti");
});
afterEach(() => scene[Symbol.asyncDispose]());

async function aClaim(parameters: Readonly<Record<string, string>>): Promise<void> {
  await scene.createClass("story", parameters);
  await scene.createClaim("data", "10Gi", { storageClass: "story" });
  await scene.claimIs("data", { capacity: "10Gi" });
}

test("case 0 (default PVC creation): a 10Gi claim has 10Gi, and quota counts 10Gi", async () => {
  await aClaim({});
  await scene.quotaIs("10Gi");
  expect(await scene.claimIs("data", {})).toMatchObject({ request: "10Gi", state: "" });
});

test("case 1 (controller+node expandable): 100Gi fails in the controller; 20Gi succeeds, and quota sees a reduction", async () => {
  await aClaim({ controllerLimit: "50Gi", controllerError: "OutOfRange" });
  await scene.createPod("data");
  await scene.request("data", "100Gi");
  await scene.quotaIs("100Gi");
  await scene.claimIs("data", { state: "ControllerResizeInfeasible", allocated: "100Gi", capacity: "10Gi" });
  await scene.request("data", "20Gi");
  await scene.claimIs("data", { state: "", allocated: "20Gi", capacity: "20Gi" });
  await scene.quotaIs("20Gi");
});

test("case 2 (node only expandable volume): 100Gi fails on the node; 20Gi succeeds, and quota sees a reduction", async () => {
  await aClaim({ controllerExpansion: "false", nodeLimit: "50Gi", nodeError: "OutOfRange" });
  await scene.createPod("data");
  await scene.podsAreReady("data");
  await scene.request("data", "100Gi");
  await scene.quotaIs("100Gi");
  await scene.claimIs("data", { state: "NodeResizeInfeasible", allocated: "100Gi", capacity: "10Gi" });
  await scene.request("data", "20Gi");
  await scene.claimIs("data", { state: "", allocated: "20Gi", capacity: "20Gi" });
  await scene.quotaIs("20Gi");
  const { volume } = await scene.claimIs("data", {});
  expect((await scene.client.get(VOLUMES, { name: volume })).spec.capacity).toEqual({ storage: "20Gi" });
});

test("no recovery is possible if the volume has been expanded on the control-plane and only fails on the node: quota keeps 100Gi", async () => {
  await aClaim({ nodeLimit: "50Gi", nodeError: "OutOfRange" });
  await scene.createPod("data");
  await scene.podsAreReady("data");
  await scene.request("data", "100Gi");
  await scene.claimIs("data", { state: "NodeResizeInfeasible", allocated: "100Gi", capacity: "10Gi" });
  await scene.request("data", "20Gi");
  await scene.cluster.restart("resizer");
  await scene.claimIs("data", { request: "20Gi", state: "NodeResizeInfeasible", allocated: "100Gi", capacity: "10Gi" });
  await scene.quotaIs("100Gi");
});

describe("while the storage backend is re-sizing the volume", () => {
  beforeEach(async () => {
    // Long enough for what people do meanwhile, however busy the machine is.
    await aClaim({ delay: "10s", nodeExpansion: "false" });
    await scene.request("data", "100Gi");
    await scene.claimIs("data", { state: "ControllerResizeInProgress", allocated: "100Gi", capacity: "10Gi" });
  });

  test("case 3 (malicious user): 20Gi is never attempted, and quota stays at 100Gi", async () => {
    await scene.request("data", "20Gi");
    await scene.claimIs("data", { request: "20Gi", state: "", capacity: "100Gi", allocated: "100Gi" });
    await scene.quotaIs("100Gi");
  });

  test("case 5 (rapid successive expansion and shrink): ends at 100Gi, and quota stays at 100Gi", async () => {
    await scene.request("data", "200Gi");
    await scene.quotaIs("200Gi");
    await scene.request("data", "20Gi");
    await scene.quotaIs("100Gi");
    await scene.claimIs("data", { request: "20Gi", state: "", capacity: "100Gi", allocated: "100Gi" });
    await scene.quotaIs("100Gi");
  });
});

describe("quota and validation", () => {
  test("a size that the quota has no room for is refused", async () => {
    await aClaim({});
    await expect(scene.request("data", "2Ti")).rejects.toThrow("exceeded quota: storage");
  });

  test("the lowering of requested size is only allowed up to a value greater than pvc.Status", async () => {
    await aClaim({ controllerLimit: "50Gi", nodeExpansion: "false" });
    await scene.request("data", "100Gi");
    await scene.claimIs("data", { state: "ControllerResizeInfeasible" });
    await expect(scene.request("data", "10Gi")).rejects.toThrow("field can not be less than status.capacity");
    await scene.request("data", "11Gi");
    await scene.claimIs("data", { capacity: "11Gi", state: "" });
  });
});

test("the gate off, on, off, on: requests are reduced while it is on, and where it was on when the expansion began", async () => {
  const off = { RecoverExpansionFailure: false };
  await aClaim({ controllerLimit: "50Gi", nodeExpansion: "false" });
  await scene.createClaim("other", "10Gi", { storageClass: "story" });
  await scene.claimIs("other", { capacity: "10Gi" });
  await scene.restart(off);
  await scene.request("data", "100Gi");
  await expect(scene.request("data", "20Gi")).rejects.toThrow("field can not be less than previous value");

  await scene.restart({});
  await scene.claimIs("data", { state: "ControllerResizeInfeasible", allocated: "100Gi" });

  await scene.restart(off);
  await scene.request("other", "100Gi");
  await expect(scene.request("other", "20Gi")).rejects.toThrow("field can not be less than previous value");
  await scene.request("data", "20Gi");

  // "It should be possible to re-enable the feature after disabling it."
  await scene.restart({});
  await scene.claimIs("data", { state: "", capacity: "20Gi", allocated: "20Gi" });
  await scene.claimIs("other", { state: "ControllerResizeInfeasible", allocated: "100Gi" });
  await scene.request("other", "30Gi");
  await scene.claimIs("other", { state: "", capacity: "30Gi", allocated: "30Gi" });
  await scene.quotaIs("50Gi");
});

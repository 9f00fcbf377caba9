/** The scenes of scheduler and node on a real kube-apiserver, without kube-scheduler, kubelet or any other controller. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { SCENES } from "../../../src/cluster/controllers/node/testing/scenes.ts";
import { openScene, type Stage, startStage } from "../../../src/cluster/controllers/node/testing/stage.ts";
import type { KubeClient } from "../../../src/kube/index.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { connectAsAdmin } from "../resizer/connect.ts";

let plane: ControlPlane;
let client: KubeClient;
let stage: Stage;
beforeAll(async () => {
  plane = await startControlPlane({ controllers: [] });
  client = await connectAsAdmin(plane);
  stage = await startStage(client);
});
afterAll(async () => {
  await stage?.stop();
  await client?.close();
  await plane?.stop();
});

test.for(SCENES.map((scene, index) => ({ ...scene, index })))("$name", async ({ play, index }) => {
  await play(await openScene(stage, `scene-${index}`));
});

test("a pod's whole life costs one binding, one status and one deletion", async () => {
  const scene = await openScene(stage, "thrift");
  const since = await plane.auditMark();
  await scene.createPod("web");
  await scene.until("web", "to run", ({ status }) => status?.phase === "Running");
  await scene.untilTold("web", "Started");
  await plane.api.delete("/api/v1/namespaces/thrift/pods/web");
  await scene.untilGone("web");
  const written = (await plane.auditEntries({ since }))
    .filter(({ verb, namespace }) => namespace === "thrift" && !["get", "list", "watch"].includes(verb))
    .map(({ verb, resource }) => `${verb} ${resource}`)
    .filter((what) => !what.endsWith(" events"));
  expect(written).toEqual([
    "create pods",
    "create pods/binding",
    "patch pods/status",
    "delete pods", // of the person
    "delete pods", // of the node
  ]);
});

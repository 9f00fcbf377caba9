/** The scenes of scheduler and node on a real kube-apiserver, without kube-scheduler, kubelet or any other controller. */
import { afterAll, beforeAll, test } from "vitest";
import { SCENES } from "../../../src/cluster/controllers/node/testing/scenes.ts";
import { openScene, type Stage, startStage } from "../../../src/cluster/controllers/node/testing/stage.ts";
import type { KubeClient } from "../../../src/kube/index.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { connectAsAdmin } from "../resizer/connect.ts";

let plane: ControlPlane;
let client: KubeClient;
let stage: Stage;
beforeAll(async () => {
  plane = await startControlPlane({ controllers: [], audit: false });
  client = await connectAsAdmin(plane);
  stage = await startStage(client);
});
afterAll(async () => {
  await stage?.stop();
  await client?.close();
  await plane?.stop();
});

test.for(SCENES.map((scene, index) => ({ ...scene, index })))("$name", { timeout: 30_000 }, async ({ play, index }) => {
  await play(await openScene(stage, `scene-${index}`));
});

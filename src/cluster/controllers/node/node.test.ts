/** The scenes of scheduler and node on the embedded API server. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { DEFAULT_GATES } from "../../../core/gates.ts";
import { createClient, createTransport, type KubeClient, loadConfig, silentLogger } from "../../../kube/index.ts";
import { type Cluster, startCluster } from "../../start-cluster.ts";
import { SCENES } from "./testing/scenes.ts";
import { openScene, type Stage, startStage } from "./testing/stage.ts";

let folder: string;
let cluster: Cluster;
let client: KubeClient;
let stage: Stage;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "outgrow-cluster-"));
  cluster = await startCluster({ folder, port: 0, gates: DEFAULT_GATES, logger: silentLogger });
  client = createClient(createTransport(await loadConfig({ env: {}, kubeconfig: cluster.kubeconfig })));
  stage = await startStage(client);
});
afterAll(async () => {
  await stage?.stop();
  await client?.close();
  await cluster?.stop();
  await rm(folder, { recursive: true });
});

test.for(SCENES.map((scene, index) => ({ ...scene, index })))("$name", { timeout: 20_000 }, async ({ play, index }) => {
  await play(await openScene(stage, `scene-${index}`));
});

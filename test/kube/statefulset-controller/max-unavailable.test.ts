/** `maxUnavailable`, on a cluster whose gate for it is on: as many pods at once as under kube-controller-manager. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startStatefulSetController } from "../../../src/cluster/controllers/statefulset/index.ts";
import type { KubeClient } from "../../../src/kube/index.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { createNamespace } from "../fixtures.ts";
import { connectAsAdmin } from "../resizer/connect.ts";
import { waitFor } from "../wait.ts";
import { type Kubelet, startKubelet } from "./kubelet.ts";
import { startManager } from "./manager.ts";
import { aTemplate, create, patchPod, roll, rolledOut } from "./moves.ts";
import { isConsistent, type PodView, type Snapshot, takeSnapshot } from "./snapshot.ts";

const GATE = { MaxUnavailableStatefulSet: true };
const LINGERS = { "test/lingers": "true" };
let plane: ControlPlane;
let client: KubeClient;
let kubelet: Kubelet;

beforeAll(async () => {
  plane = await startControlPlane({ controllers: [], featureGates: GATE, audit: false });
  client = await connectAsAdmin(plane);
  kubelet = startKubelet(client);
});
afterAll(async () => {
  await kubelet?.stop();
  await client?.close();
  await plane?.stop();
});

/** Four pods that linger when deleted, updated with room for `maxUnavailable`; a look at each standstill. */
async function update(namespace: string, podManagementPolicy: string, maxUnavailable: number | string) {
  await createNamespace(plane, namespace);
  const scene = { plane, namespace };
  const updateStrategy = { type: "RollingUpdate", rollingUpdate: { maxUnavailable } };
  const template = aTemplate("one", LINGERS);
  const reached = (what: string, condition: (snapshot: Snapshot) => boolean) =>
    waitFor(`${namespace}: ${what}`, async () => {
      const snapshot = await takeSnapshot(plane.api, namespace);
      return condition(snapshot) && isConsistent(snapshot) && snapshot;
    });
  const leave = ["db-3", "db-2", "db-1", "db-0"];
  const isGoing = (name: string) => (snapshot: Snapshot) => (snapshot.pods[name] as PodView | undefined)?.terminating;

  await create({ replicas: 4, podManagementPolicy, updateStrategy, template })(scene);
  const standstills = [await reached("four pods", rolledOut(4, 1))];
  await roll("two", LINGERS)(scene);
  for (const pair of [leave.slice(0, 2), leave.slice(2)]) {
    standstills.push(await reached(`${pair.join()} to go`, (each) => pair.every((name) => isGoing(name)(each))));
    for (const name of pair) await patchPod(name, { metadata: { annotations: { "test/lingers": null } } })(scene);
  }
  standstills.push(await reached("the update", rolledOut(4, 2)));
  return standstills;
}

test.each([
  ["Parallel", 2],
  ["Parallel", "50%"],
  ["OrderedReady", 2],
] as const)("%s, %s", async (policy, maxUnavailable) => {
  const name = `${policy}-${maxUnavailable}`.toLowerCase().replace("%", "p");
  const kill = await startManager(plane, "statefulset-controller", { featureGates: GATE });
  const theirs = await update(`theirs-${name}`, policy, maxUnavailable);
  await kill();
  const controller = startStatefulSetController({ client, honoursMaxUnavailable: true });
  const ours = await update(`ours-${name}`, policy, maxUnavailable);
  await controller.stop();
  expect(ours).toEqual(theirs);
  expect(kubelet.problems).toEqual([]);
});

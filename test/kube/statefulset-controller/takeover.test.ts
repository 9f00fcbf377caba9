/**
 * Either controller goes on where the other was killed: no pod is restarted because of it, and no revision is made twice.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startStatefulSetController } from "../../../src/cluster/controllers/statefulset/index.ts";
import type { Pod } from "../../../src/core/types.ts";
import type { KubeClient } from "../../../src/kube/index.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { connectAsAdmin } from "../resizer/connect.ts";
import { waitFor } from "../wait.ts";
import { type Kubelet, startKubelet } from "./kubelet.ts";
import { type KillManager, startManager } from "./manager.ts";
import { aTemplate, change, create, rolledOut, settled } from "./moves.ts";
import { isConsistent, type Snapshot, takeSnapshot } from "./snapshot.ts";

const NAMESPACE = "default";
let plane: ControlPlane;
let client: KubeClient;
let kubelet: Kubelet;
let kill: KillManager = async () => {};

beforeAll(async () => {
  plane = await startControlPlane({ controllers: [], audit: false });
  client = await connectAsAdmin(plane);
  kubelet = startKubelet(client);
});
afterAll(async () => {
  await kill();
  await kubelet?.stop();
  await client?.close();
  await plane?.stop();
});

const scene = () => ({ plane, namespace: NAMESPACE });

function reached(what: string, condition: (snapshot: Snapshot) => boolean): Promise<Snapshot> {
  return waitFor(what, async () => {
    const snapshot = await takeSnapshot(plane.api, NAMESPACE);
    return condition(snapshot) && isConsistent(snapshot) && snapshot;
  });
}

async function uids(): Promise<Readonly<Record<string, string | undefined>>> {
  const { items } = await plane.api.get<{ items: Pod[] }>(`/api/v1/namespaces/${NAMESPACE}/pods`);
  return Object.fromEntries(items.map(({ metadata }) => [metadata.name, metadata.uid]));
}

test("theirs begins, ours goes on, and theirs again", async () => {
  kill = await startManager(plane, "statefulset-controller");
  await create({ replicas: 2, revisionHistoryLimit: 10 })(scene());
  const first = await reached("two pods by theirs", rolledOut(2, 1));
  const byTheirs = await uids();

  await kill();
  const ours = startStatefulSetController({ client });
  try {
    await change({ replicas: 3 })(scene());
    const second = await reached("a third pod by ours", rolledOut(3, 1));
    expect(await uids()).toMatchObject(byTheirs);
    expect(second.revisions).toEqual(first.revisions);
    await change({ template: aTemplate("two") })(scene());
    await reached("the update by ours", rolledOut(3, 2));
  } finally {
    await ours.stop();
  }

  const byOurs = await uids();
  kill = await startManager(plane, "statefulset-controller");
  await change({ replicas: 4 })(scene());
  await reached("a fourth pod by theirs", rolledOut(4, 2));
  expect(await uids()).toMatchObject(byOurs);
  // Back to what theirs knew first: it finds its own revision again, and makes that the latest.
  await change({ template: aTemplate("one") })(scene());
  const last = await reached("the way back by theirs", rolledOut(4, 2));
  expect(Object.keys(last.revisions)).toContain(last.set?.status?.updateRevision);
  expect(last.set?.status?.updateRevision).toBe(first.set?.status?.updateRevision);
  expect(last.set?.status?.collisionCount).toBe(0);

  await change({ replicas: 0 })(scene());
  await reached("nothing left", settled(0));
  expect(kubelet.problems).toEqual([]);
});

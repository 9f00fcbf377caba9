/** KEP-661 on a real API server: claims that are smaller than the template are raised, and a refusal stands on the set. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startStatefulSetController } from "../../../src/cluster/controllers/statefulset/index.ts";
import { DEFAULT_GATES, type Gates } from "../../../src/core/gates.ts";
import type { Condition, PersistentVolumeClaim, StatefulSet } from "../../../src/core/types.ts";
import type { KubeClient } from "../../../src/kube/index.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { createBoundClaims, createNamespace, createStorageClass } from "../fixtures.ts";
import { connectAsAdmin } from "../resizer/connect.ts";
import { waitFor } from "../wait.ts";
import { type Kubelet, startKubelet } from "./kubelet.ts";
import { create } from "./moves.ts";
import { eventsOf } from "./snapshot.ts";

const OFF: Gates = { ...DEFAULT_GATES, StatefulSetVolumeExpansion: false };
let plane: ControlPlane;
let client: KubeClient;
let kubelet: Kubelet;

beforeAll(async () => {
  plane = await startControlPlane({ controllers: [], audit: false });
  client = await connectAsAdmin(plane);
  kubelet = startKubelet(client);
  await createStorageClass(plane, "elastic", "csi.example.com");
});
afterAll(async () => {
  await kubelet?.stop();
  await client?.close();
  await plane?.stop();
});

/** A namespace with a set of two whose claims were there before, at half the size of the template. */
async function setWithSmallClaims(namespace: string): Promise<void> {
  await createNamespace(plane, namespace);
  const names = ["data-db-0", "data-db-1"];
  const fixture = { namespace, size: "1Gi", driver: "csi.example.com", className: "elastic" };
  await createBoundClaims(
    plane,
    names.map((name) => ({ ...fixture, name })),
  );
  const spec = { accessModes: ["ReadWriteOnce"], storageClassName: "elastic" };
  const template = { metadata: { name: "data" }, spec: { ...spec, resources: { requests: { storage: "2Gi" } } } };
  await create({ volumeClaimTemplates: [template] })({ plane, namespace });
}

async function sizes(namespace: string): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/persistentvolumeclaims`;
  const { items } = await plane.api.get<{ items: PersistentVolumeClaim[] }>(path);
  return items.map(({ spec }) => spec.resources?.requests?.["storage"]).join();
}

async function theSet(namespace: string): Promise<StatefulSet> {
  return plane.api.get(`/apis/apps/v1/namespaces/${namespace}/statefulsets/db`);
}

async function condition(namespace: string): Promise<Condition | undefined> {
  const { status } = await theSet(namespace);
  return status?.conditions?.find(({ type }) => type === "VolumeExpansionFailed");
}

async function working(gates: Gates, work: () => Promise<void>): Promise<void> {
  const controller = startStatefulSetController({ client, gates });
  try {
    await work();
  } finally {
    await controller.stop();
  }
}

test("with the gate off they stay; when it comes on again they are raised, without a restart or a revision", async () => {
  const namespace = "gates";
  await setWithSmallClaims(namespace);
  await working(OFF, async () => {
    await waitFor("two pods", async () => (await theSet(namespace)).status?.availableReplicas === 2);
    expect(await sizes(namespace)).toBe("1Gi,1Gi");
  });
  const before = await theSet(namespace);
  await working(DEFAULT_GATES, async () => {
    await waitFor("the claims", async () => (await sizes(namespace)) === "2Gi,2Gi");
    await waitFor("the events", async () =>
      (await eventsOf(plane.api, namespace)).includes(
        "Normal SuccessfulUpdate: Update Claim CLAIM Pod POD in StatefulSet db success",
      ),
    );
  });
  expect((await theSet(namespace)).status).toEqual(before.status);
});

test("what the server refuses stands on the set until it no longer does", async () => {
  const namespace = "refused";
  const limits = `/api/v1/namespaces/${namespace}/limitranges`;
  await createNamespace(plane, namespace);
  await setWithSmallClaims(namespace);
  const max = { storage: "1536Mi" };
  await plane.api.create(limits, {
    metadata: { name: "small" },
    spec: { limits: [{ type: "PersistentVolumeClaim", max }] },
  });
  const refusal = "maximum storage usage per PersistentVolumeClaim is 1536Mi, but request is 2Gi";
  await working(DEFAULT_GATES, async () => {
    const told = await waitFor("the condition", () => condition(namespace));
    expect(told).toMatchObject({ status: "True", reason: "FailedUpdate" });
    expect(told.message).toContain(`data-db-0: persistentvolumeclaims "data-db-0" is forbidden: ${refusal}`);
    await waitFor("the event", async () =>
      (await eventsOf(plane.api, namespace)).some((event) =>
        event.includes("Warning FailedUpdate: Update Claim CLAIM for Pod POD"),
      ),
    );
    // It does not hold up the pods.
    await waitFor("two pods", async () => (await theSet(namespace)).status?.availableReplicas === 2);
    await plane.api.delete(`${limits}/small`);
    await waitFor("the claims", async () => (await sizes(namespace)) === "2Gi,2Gi");
    await waitFor("the condition to go", async () => (await condition(namespace)) === undefined);
  });
});

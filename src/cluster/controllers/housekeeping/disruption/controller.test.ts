import { afterAll, beforeAll, expect, test } from "vitest";
import type { OwnerReference, Pod, StatefulSet } from "../../../../core/types.ts";
import { PODS, STATEFUL_SETS } from "../../../../kube/index.ts";
import { until } from "../../../../kube/testing/until.ts";
import type { Controller } from "../../shared/run-controller.ts";
import { type Embedded, startEmbedded } from "../testing/embedded.ts";
import { BUDGETS, type Budget } from "./budget.ts";
import { startDisruptionController } from "./controller.ts";

let cluster: Embedded;
let controller: Controller;
beforeAll(async () => {
  cluster = await startEmbedded();
  controller = startDisruptionController({ client: cluster.client });
});
afterAll(async () => {
  await controller?.stop();
  await cluster?.[Symbol.asyncDispose]();
});

const labels = { app: "db" };
const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "x" }] } };

async function set(namespace: string, replicas: number): Promise<OwnerReference> {
  const spec = { serviceName: "db", replicas, selector: { matchLabels: labels }, template } as StatefulSet["spec"];
  const { metadata } = await cluster.client.create(STATEFUL_SETS, { metadata: { name: "db", namespace }, spec });
  return { apiVersion: "apps/v1", kind: "StatefulSet", name: "db", uid: metadata.uid ?? "", controller: true };
}

async function readyPod(namespace: string, name: string, owner?: OwnerReference): Promise<void> {
  const ownerReferences = owner === undefined ? [] : [owner];
  const pod = { metadata: { name, namespace, labels, ownerReferences }, spec: template.spec } as Pod;
  await cluster.client.create(PODS, pod);
  const status = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };
  await cluster.client.patch(PODS, { namespace, name }, { type: "merge", body: { status } }, { subresource: "status" });
}

async function budget(namespace: string, spec: Budget["spec"]): Promise<void> {
  const selector = { matchLabels: labels };
  await cluster.client.create(BUDGETS, { metadata: { name: "b", namespace }, spec: { selector, ...spec } });
}

async function says(namespace: string, wanted: object): Promise<Budget> {
  let last: Budget | undefined;
  return until(`the budget says ${JSON.stringify(wanted)}`, async () => {
    last = await cluster.client.get(BUDGETS, { namespace, name: "b" });
    const status = last.status as Record<string, unknown> | undefined;
    return Object.entries(wanted).every(([name, value]) => status?.[name] === value) && last;
  }).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${JSON.stringify(last?.status)}`);
  });
}

test("a budget counts against what the StatefulSet wants, and follows its pods", async () => {
  const namespace = await cluster.namespace();
  const owner = await set(namespace, 3);
  await budget(namespace, { maxUnavailable: 1 });
  await says(namespace, { expectedPods: 0, disruptionsAllowed: 0 });
  await readyPod(namespace, "db-0", owner);
  await readyPod(namespace, "db-1", owner);
  await says(namespace, { expectedPods: 3, currentHealthy: 2, desiredHealthy: 2, disruptionsAllowed: 0 });
  await readyPod(namespace, "db-2", owner);
  const { status } = await says(namespace, { currentHealthy: 3, disruptionsAllowed: 1, observedGeneration: 1 });
  expect(status?.conditions).toMatchObject([{ type: "DisruptionAllowed", status: "True", reason: "SufficientPods" }]);
});

test("an eviction is charged, and free again when the pod is back", async () => {
  const namespace = await cluster.namespace();
  await budget(namespace, { minAvailable: 1 });
  await readyPod(namespace, "a");
  await readyPod(namespace, "b");
  await says(namespace, { disruptionsAllowed: 1, expectedPods: 2 });
  const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "a", namespace } };
  await cluster.client.create(PODS, eviction as never, { subresource: "eviction" });
  await says(namespace, { disruptionsAllowed: 0, currentHealthy: 1 });
  await cluster.client.delete(PODS, { namespace, name: "a" }, { gracePeriodSeconds: 0 }).catch(() => {});
  await until("it is gone", () =>
    cluster.client.get(PODS, { namespace, name: "a" }).then(
      () => false,
      () => true,
    ),
  );
  await readyPod(namespace, "a");
  const { status } = await says(namespace, { disruptionsAllowed: 1, currentHealthy: 2 });
  expect(status?.disruptedPods ?? {}).toEqual({});
});

test("pods whose owner is gone: none may go, and why is said", async () => {
  const namespace = await cluster.namespace();
  const owner = { apiVersion: "apps/v1", kind: "StatefulSet", name: "db", uid: "gone", controller: true };
  await readyPod(namespace, "db-0", owner);
  await budget(namespace, { minAvailable: "50%" });
  const { status } = await until("it has failed", async () => {
    const found = await cluster.client.get(BUDGETS, { namespace, name: "b" });
    return found.status?.conditions?.some(({ reason }) => reason === "SyncFailed") && found;
  });
  expect(status?.disruptionsAllowed).toBe(0);
  expect(status?.conditions?.[0]?.message).toBe('found no controllers for pod "db-0"');
});

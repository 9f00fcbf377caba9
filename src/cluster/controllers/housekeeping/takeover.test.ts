import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { KubeObject, ObjectMeta, OwnerReference } from "../../../core/types.ts";
import {
  defineResource,
  isNotFound,
  type KubeClient,
  NAMESPACES,
  PODS,
  QUOTAS,
  type Resource,
} from "../../../kube/index.ts";
import { ACCOUNTS } from "./accounts/types.ts";
import { ENDPOINTS, SERVICES, SLICES } from "./endpoints/resources.ts";
import {
  type Controller,
  startEndpointController,
  startGarbageCollector,
  startNamespaceController,
  startQuotaController,
  startServiceAccountController,
} from "./index.ts";
import { type Embedded, startEmbedded } from "./testing/embedded.ts";
import { mortal } from "./testing/mortal-client.ts";

const MAPS = defineResource("v1", "ConfigMap", "configmaps");

let cluster: Embedded;
beforeAll(async () => {
  cluster = await startEmbedded();
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

/** Kills the controller after each of its writes and starts another, until all is as it should be. Gives the dead. */
async function killAfterEachWrite(
  start: (options: { readonly client: KubeClient; readonly workers: number }) => Controller,
  isDone: () => Promise<boolean>,
): Promise<number> {
  const deadline = performance.now() + 25_000;
  for (let deaths = 0; ; deaths++) {
    const { client, isDead } = mortal(cluster.client);
    const controller = start({ client, workers: 1 });
    while (!isDead() && !(await isDone())) {
      if (performance.now() > deadline) throw new Error(`not done after ${deaths} deaths`);
      await setTimeout(5);
    }
    await controller.stop();
    if (await isDone()) return deaths;
  }
}

async function find<T extends KubeObject>(
  resource: Resource<T>,
  namespace: string,
  name: string,
): Promise<T | undefined> {
  try {
    return await cluster.client.get(resource, resource.namespaced ? { namespace, name } : { name });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

const map = (namespace: string, name: string, more: Partial<ObjectMeta> = {}): Promise<KubeObject> =>
  cluster.client.create(MAPS, { metadata: { name, namespace, ...more } });
const ownedBy = ({ metadata }: KubeObject): OwnerReference => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  name: metadata.name,
  uid: metadata.uid ?? "",
  blockOwnerDeletion: true,
});
const count = async (resource: Resource, namespace: string): Promise<number> =>
  (await cluster.client.list(resource, { namespace })).items.length;

test("garbage in the foreground", async () => {
  const namespace = await cluster.namespace();
  const owner = await map(namespace, "owner");
  const child = await map(namespace, "child", { ownerReferences: [ownedBy(owner)] });
  await map(namespace, "grandchild", { ownerReferences: [ownedBy(child)] });
  await cluster.client.delete(MAPS, { namespace, name: "owner" }, { propagationPolicy: "Foreground" });
  const deaths = await killAfterEachWrite(startGarbageCollector, async () => (await count(MAPS, namespace)) === 0);
  expect(deaths).toBeGreaterThan(1);
}, 30_000);

test("orphans", async () => {
  const namespace = await cluster.namespace();
  const owner = await map(namespace, "owner");
  for (const name of ["a", "b", "c"]) await map(namespace, name, { ownerReferences: [ownedBy(owner)] });
  await cluster.client.delete(MAPS, { namespace, name: "owner" }, { propagationPolicy: "Orphan" });
  const isGone = async (): Promise<boolean> => (await find(MAPS, namespace, "owner")) === undefined;
  expect(await killAfterEachWrite(startGarbageCollector, isGone)).toBeGreaterThan(1);
  const { items } = await cluster.client.list(MAPS, { namespace });
  expect(items.map(({ metadata }) => [metadata.name, metadata.ownerReferences ?? []])).toEqual([
    ["a", []],
    ["b", []],
    ["c", []],
  ]);
}, 30_000);

test("the end of a namespace", async () => {
  const namespace = await cluster.namespace();
  await map(namespace, "a");
  await cluster.client.create(ACCOUNTS, { metadata: { name: "robot", namespace } });
  await cluster.client.delete(NAMESPACES, { name: namespace });
  const isGone = async (): Promise<boolean> => (await find(NAMESPACES, "", namespace)) === undefined;
  expect(await killAfterEachWrite(startNamespaceController, isGone)).toBeGreaterThan(0);
  expect([await count(MAPS, namespace), await count(ACCOUNTS, namespace)]).toEqual([0, 0]);
}, 30_000);

test("quota", async () => {
  const namespaces = [await cluster.namespace(), await cluster.namespace()];
  for (const namespace of namespaces) {
    await map(namespace, "a");
    const spec = { hard: { "count/configmaps": "5" } };
    await cluster.client.create(QUOTAS, { metadata: { name: "q", namespace }, spec });
  }
  const isCounted = async (): Promise<boolean> => {
    const quotas = await Promise.all(namespaces.map((namespace) => find(QUOTAS, namespace, "q")));
    return quotas.every((quota) => quota?.status?.used?.["count/configmaps"] === "1");
  };
  expect(await killAfterEachWrite(startQuotaController, isCounted)).toBeGreaterThan(0);
}, 30_000);

test("accounts", async () => {
  const namespaces = [await cluster.namespace(), await cluster.namespace()];
  const isThere = async (): Promise<boolean> => {
    const accounts = await Promise.all(namespaces.map((namespace) => find(ACCOUNTS, namespace, "default")));
    return accounts.every((account) => account !== undefined);
  };
  expect(await killAfterEachWrite(startServiceAccountController, isThere)).toBeGreaterThan(0);
}, 30_000);

test("what tells of a service", async () => {
  const namespace = await cluster.namespace();
  const spec = { selector: { app: "db" }, ports: [{ port: 80 }] };
  await cluster.client.create(SERVICES, { metadata: { name: "db", namespace }, spec });
  const pod = {
    metadata: { name: "a", namespace, labels: { app: "db" } },
    spec: { containers: [{ name: "c", image: "x" }] },
  };
  await cluster.client.create(PODS, pod);
  const conditions = [{ type: "Ready", status: "True" }];
  const status = { phase: "Running", podIP: "10.1.0.1", podIPs: [{ ip: "10.1.0.1" }], conditions };
  const patch = { type: "merge", body: { status } } as const;
  await cluster.client.patch(PODS, { namespace, name: "a" }, patch, { subresource: "status" });
  const isTold = async (): Promise<boolean> => {
    const endpoints = await find(ENDPOINTS, namespace, "db");
    return endpoints?.subsets?.[0]?.addresses?.length === 1 && (await count(SLICES, namespace)) > 0;
  };
  expect(await killAfterEachWrite(startEndpointController, isTold)).toBeGreaterThan(0);
  expect(await count(SLICES, namespace)).toBe(1);
}, 30_000);

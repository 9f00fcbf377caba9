import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { KubeObject, PersistentVolumeClaim, ResourceList } from "../../../../../core/types.ts";
import { CLAIMS, defineResource, PODS, QUOTAS } from "../../../../../kube/index.ts";
import { until } from "../../../../../kube/testing/until.ts";
import type { Controller } from "../../../shared/run-controller.ts";
import { type Embedded, startEmbedded } from "../../testing/embedded.ts";
import { startQuotaController } from "./controller.ts";

const MAPS = defineResource("v1", "ConfigMap", "configmaps");

let cluster: Embedded;
let controller: Controller;
beforeAll(async () => {
  cluster = await startEmbedded();
  controller = startQuotaController({ client: cluster.client, youth: 200 });
});
afterAll(async () => {
  await controller?.stop();
  await cluster?.[Symbol.asyncDispose]();
});

const claim = (namespace: string, name: string, storage: string): PersistentVolumeClaim => ({
  metadata: { name, namespace },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
});

async function usageIs(namespace: string, used: ResourceList): Promise<void> {
  let last: ResourceList | undefined;
  await until(`usage is ${JSON.stringify(used)}`, async () => {
    const { status } = await cluster.client.get(QUOTAS, { namespace, name: "q" });
    last = status?.used;
    return isDeepStrictEqual(last, used);
  }).catch((error: unknown) => {
    throw new Error(`${String(error)}; it is ${JSON.stringify(last)}`);
  });
}

async function limit(namespace: string, hard: ResourceList): Promise<void> {
  await cluster.client.create(QUOTAS, { metadata: { name: "q", namespace }, spec: { hard } });
}

describe("against the embedded server", () => {
  test("what is there before the quota is counted, and the limit comes into force", async () => {
    const namespace = await cluster.namespace();
    await cluster.client.create(CLAIMS, claim(namespace, "a", "3Gi"));
    await limit(namespace, { "requests.storage": "10Gi", persistentvolumeclaims: "5", "count/configmaps": "2" });
    await usageIs(namespace, { "requests.storage": "3Gi", persistentvolumeclaims: "1", "count/configmaps": "0" });
    await expect(cluster.client.create(CLAIMS, claim(namespace, "b", "8Gi"))).rejects.toThrow(
      "exceeded quota: q, requested: requests.storage=8Gi, used: requests.storage=3Gi, limited: requests.storage=10Gi",
    );
  });

  test("what is deleted is free again", async () => {
    const namespace = await cluster.namespace();
    await limit(namespace, { "requests.storage": "10Gi", "count/configmaps": "2", pods: "1" });
    await usageIs(namespace, { "requests.storage": "0", "count/configmaps": "0", pods: "0" });
    await cluster.client.create(CLAIMS, claim(namespace, "a", "10Gi"));
    await cluster.client.create(MAPS, { metadata: { name: "m", namespace } });
    const pod = { metadata: { name: "p", namespace }, spec: { containers: [{ name: "c", image: "x" }] } };
    await cluster.client.create(PODS, pod);
    await usageIs(namespace, { "requests.storage": "10Gi", "count/configmaps": "1", pods: "1" });
    const body = { metadata: { finalizers: null } };
    await cluster.client.patch(CLAIMS, { namespace, name: "a" }, { type: "merge", body });
    await cluster.client.delete(CLAIMS, { namespace, name: "a" });
    await cluster.client.delete(MAPS, { namespace, name: "m" });
    await cluster.client.delete(PODS, { namespace, name: "p" }, { gracePeriodSeconds: 0 });
    await usageIs(namespace, { "requests.storage": "0", "count/configmaps": "0", pods: "0" });
    await cluster.client.create(CLAIMS, claim(namespace, "b", "10Gi"));
    await usageIs(namespace, { "requests.storage": "10Gi", "count/configmaps": "0", pods: "0" });
  });

  test("a limit that is edited comes into force, one that is dropped is no longer told of", async () => {
    const namespace = await cluster.namespace();
    await limit(namespace, { "requests.storage": "10Gi", pods: "1" });
    await usageIs(namespace, { "requests.storage": "0", pods: "0" });
    const body = { spec: { hard: { pods: null, services: "3" } } };
    await cluster.client.patch(QUOTAS, { namespace, name: "q" }, { type: "merge", body });
    await usageIs(namespace, { "requests.storage": "0", services: "0" });
  });

  test("a charge whose object was never stored is taken back", async () => {
    const namespace = await cluster.namespace();
    await limit(namespace, { "count/configmaps": "5" });
    await usageIs(namespace, { "count/configmaps": "0" });
    const map: KubeObject = { metadata: { name: "m", namespace } };
    await cluster.client.create(MAPS, map);
    await expect(cluster.client.create(MAPS, map)).rejects.toThrow("already exists");
    await usageIs(namespace, { "count/configmaps": "1" });
  });

  test("many at once never get more than there is, and in the end usage is exact", async () => {
    const namespace = await cluster.namespace();
    await limit(namespace, { "count/configmaps": "20" });
    await usageIs(namespace, { "count/configmaps": "0" });
    const names = Array.from({ length: 60 }, (_, i) => `m${i}`);
    const results = await Promise.allSettled(
      names.map(async (name) => {
        await cluster.client.create(MAPS, { metadata: { name, namespace } });
        const { items } = await cluster.client.list(MAPS, { namespace });
        await cluster.client.delete(MAPS, { namespace, name });
        return items.length;
      }),
    );
    for (const result of results) if (result.status === "fulfilled") expect(result.value).toBeLessThanOrEqual(20);
    await usageIs(namespace, { "count/configmaps": "0" });
  });
});

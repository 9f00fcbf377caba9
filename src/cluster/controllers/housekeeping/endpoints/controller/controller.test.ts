import { afterAll, beforeAll, expect, test } from "vitest";
import type { KubeObject } from "../../../../../core/types.ts";
import { isNotFound, PODS } from "../../../../../kube/index.ts";
import { until } from "../../../../../kube/testing/until.ts";
import type { Controller } from "../../../shared/run-controller.ts";
import { type Embedded, startEmbedded } from "../../testing/embedded.ts";
import { ENDPOINTS, SERVICES, SLICES } from "../resources.ts";
import { startEndpointController } from "./controller.ts";

let cluster: Embedded;
let controller: Controller;
beforeAll(async () => {
  cluster = await startEmbedded();
  controller = startEndpointController({ client: cluster.client });
});
afterAll(async () => {
  await controller?.stop();
  await cluster?.[Symbol.asyncDispose]();
});

async function serve(namespace: string, name: string, ip: string, ready: boolean): Promise<void> {
  const spec = { containers: [{ name: "c", image: "x" }] };
  await cluster.client.create(PODS, { metadata: { name, namespace, labels: { app: "db" } }, spec });
  await setReady(namespace, name, ip, ready);
}

async function setReady(namespace: string, name: string, ip: string, ready: boolean): Promise<void> {
  const conditions = [{ type: "Ready", status: ready ? "True" : "False" }];
  const status = { phase: "Running", podIP: ip, podIPs: [{ ip }], conditions };
  const patch = { type: "merge", body: { status } } as const;
  await cluster.client.patch(PODS, { namespace, name }, patch, { subresource: "status" });
}

/** `[ready, not ready]`, from both ways of telling. */
async function told(namespace: string): Promise<string> {
  const { subsets = [] } = await cluster.client.get(ENDPOINTS, { namespace, name: "db" });
  const { items } = await cluster.client.list(SLICES, { namespace });
  const all = items.flatMap(({ endpoints }) => endpoints ?? []);
  const from = (ready: boolean): string[] =>
    all.filter(({ conditions }) => conditions.ready === ready).flatMap(({ addresses }) => addresses);
  return JSON.stringify([
    [
      subsets.flatMap(({ addresses = [] }) => addresses.map(({ ip }) => ip)),
      subsets.flatMap(({ notReadyAddresses = [] }) => notReadyAddresses.map(({ ip }) => ip)),
    ],
    [from(true).sort(), from(false).sort()],
  ]);
}

const says = (namespace: string, ready: string[], notReady: string[]): Promise<true> => {
  const wanted = JSON.stringify([
    [ready, notReady],
    [ready, notReady],
  ]);
  return until(wanted, async () => {
    const now = await told(namespace).catch((error: unknown) => {
      if (isNotFound(error)) return "";
      throw error;
    });
    return now === wanted ? (true as const) : undefined;
  });
};

test("a service is told of as its pods come, become ready and go, and no longer when it is gone", async () => {
  const namespace = await cluster.namespace();
  const spec = { selector: { app: "db" }, ports: [{ port: 80, targetPort: 5432 }] };
  await cluster.client.create(SERVICES, { metadata: { name: "db", namespace }, spec });
  await says(namespace, [], []);
  await serve(namespace, "a", "10.1.0.1", false);
  await says(namespace, [], ["10.1.0.1"]);
  await setReady(namespace, "a", "10.1.0.1", true);
  await serve(namespace, "b", "10.1.0.2", true);
  await says(namespace, ["10.1.0.1", "10.1.0.2"], []);
  await cluster.client.delete(PODS, { namespace, name: "a" }, { gracePeriodSeconds: 0 });
  await says(namespace, ["10.1.0.2"], []);
  expect((await cluster.client.list(SLICES, { namespace })).items).toHaveLength(1);
  await cluster.client.delete(SERVICES, { namespace, name: "db" });
  await until(
    "the Endpoints are gone",
    async () => (await cluster.client.list(ENDPOINTS, { namespace })).items.length === 0,
  );
});

test("what somebody does to them is put right", async () => {
  const namespace = await cluster.namespace();
  const spec = { clusterIP: "None", selector: { app: "db" }, ports: [{ port: 80 }] };
  await cluster.client.create(SERVICES, { metadata: { name: "db", namespace }, spec });
  await serve(namespace, "a", "10.1.0.1", true);
  await says(namespace, ["10.1.0.1"], []);
  const [slice] = (await cluster.client.list(SLICES, { namespace })).items;
  await cluster.client.delete(SLICES, { namespace, name: slice?.metadata.name ?? "" });
  const body = { subsets: [{ addresses: [{ ip: "10.9.9.9" }], ports: [{ port: 1 }] }] };
  await cluster.client.patch(ENDPOINTS, { namespace, name: "db" }, { type: "merge", body });
  expect(await says(namespace, ["10.1.0.1"], [])).toBe(true);
});

test("a service without a selector is somebody else's", async () => {
  const namespace = await cluster.namespace();
  await cluster.client.create(SERVICES, { metadata: { name: "own", namespace }, spec: { ports: [{ port: 80 }] } });
  const own: KubeObject & { subsets: unknown } = {
    metadata: { name: "own", namespace },
    subsets: [{ addresses: [{ ip: "10.9.9.9" }], ports: [{ port: 1 }] }],
  };
  const made = await cluster.client.create(ENDPOINTS, own as never);
  const spec = { selector: { app: "db" }, ports: [{ port: 80 }] };
  await cluster.client.create(SERVICES, { metadata: { name: "db", namespace }, spec });
  await says(namespace, [], []);
  expect(await cluster.client.get(ENDPOINTS, { namespace, name: "own" })).toEqual(made);
});

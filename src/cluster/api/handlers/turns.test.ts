/** What a large body asks for leaves room for others; what a small one asks for is done at once. */
import { expect, onTestFinished, test } from "vitest";
import type { KubeObject } from "../../../core/types.ts";
import { defineResource, type KubeClient } from "../../../kube/index.ts";
import { clientOf, createApiInMemory } from "../testing/api-in-memory.ts";

const CONFIG_MAPS = defineResource("v1", "ConfigMap", "configmaps");

async function clientOfServer(): Promise<KubeClient> {
  const api = createApiInMemory();
  onTestFinished(() => api.stop());
  await api.begin(6443);
  const client = clientOf(api);
  onTestFinished(() => client.close());
  return client;
}

/** How often everybody else could do something while this was done. */
async function turnsDuring(doing: () => Promise<unknown>): Promise<number> {
  let [turns, isDone] = [0, false];
  const count = (): void => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await doing();
  isDone = true;
  return turns;
}

const map = (name: string, bytes: number, more = ""): KubeObject =>
  ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace: "default" },
    data: { a: "x".repeat(bytes), b: more },
  }) as KubeObject;

const LARGE = 500_000;

test.each<[string, (client: KubeClient, bytes: number) => Promise<unknown>]>([
  ["create", (client, bytes) => client.create(CONFIG_MAPS, map(`new-${bytes}`, bytes))],
  ["update", (client, bytes) => client.update(CONFIG_MAPS, map("old", bytes))],
  [
    "merge patch",
    (client, bytes) =>
      client.patch(
        CONFIG_MAPS,
        { name: "old", namespace: "default" },
        { type: "merge", body: { data: { c: "x".repeat(bytes) } } },
      ),
  ],
])("a large %s is done in steps, a small one at once", async (_, write) => {
  const client = await clientOfServer();
  await client.create(CONFIG_MAPS, map("old", 1));
  const small = await turnsDuring(() => write(client, 10));
  const large = await turnsDuring(() => write(client, LARGE));
  expect(large - small).toBeGreaterThanOrEqual(4);
});

test("a small patch of a large object is done in steps", async () => {
  const client = await clientOfServer();
  await client.create(CONFIG_MAPS, map("little", 1));
  await client.create(CONFIG_MAPS, map("much", LARGE));
  const patch = (name: string): Promise<unknown> =>
    client.patch(CONFIG_MAPS, { name, namespace: "default" }, { type: "merge", body: { data: { b: "more" } } });
  const small = await turnsDuring(() => patch("little"));
  const large = await turnsDuring(() => patch("much"));
  expect(large - small).toBeGreaterThanOrEqual(4);
});

test("an apply to a large object leaves room between any two walks over it", async () => {
  const client = await clientOfServer();
  const apply = (name: string, bytes: number, more: string): Promise<unknown> =>
    client.patch(
      CONFIG_MAPS,
      { name, namespace: "default" },
      { type: "apply", body: map(name, bytes, more) },
      { fieldManager: "x" },
    );
  for (const bytes of [1, LARGE]) await apply(`map-${bytes}`, bytes, "first");
  const small = await turnsDuring(() => apply("map-1", 1, "again"));
  const large = await turnsDuring(() => apply(`map-${LARGE}`, LARGE, "again"));
  expect(large - small).toBeGreaterThanOrEqual(10);
});

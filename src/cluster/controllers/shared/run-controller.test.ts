import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { defineResource, NAMESPACES, silentLogger } from "../../../kube/index.ts";
import { type Embedded, startEmbedded } from "../housekeeping/testing/embedded.ts";
import { runController } from "./run-controller.ts";

const MAPS = defineResource("v1", "ConfigMap", "configmaps");

let cluster: Embedded;
beforeAll(async () => {
  cluster = await startEmbedded();
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

/** What is said, at the level of people, of two attempts to create something there. */
async function complaintsIn(namespace: string): Promise<unknown[]> {
  const { client } = cluster;
  const complaints: unknown[] = [];
  const attempts = vi.fn(async () => {
    await client.create(MAPS, { metadata: { name: "a", namespace } });
  });
  const logger = { ...silentLogger, warn: (...said: unknown[]) => void complaints.push(said) };
  const controller = runController({ client, name: "test", logger }, ({ queue }) => {
    queue.add("key");
    return { reconcile: attempts };
  });
  try {
    await vi.waitFor(() => expect(attempts.mock.settledResults.length).toBeGreaterThan(1), 10_000);
  } finally {
    await controller.stop();
  }
  return complaints;
}

test("that nothing can be created in a namespace that is being deleted is nothing to tell people about", async () => {
  const namespace = await cluster.namespace();
  await cluster.client.delete(NAMESPACES, { name: namespace });
  expect(await complaintsIn(namespace)).toEqual([]);
});

test("that there is no such namespace is", async () => {
  expect(await complaintsIn("nowhere")).not.toEqual([]);
});

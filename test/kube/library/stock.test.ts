/** The library on Kubernetes' own control plane, where a template is changed by creating the set again. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { defineResource, growStatefulSet, type KubeClient, startGrowth } from "../../../src/library/index.ts";
import { playNotebook } from "../../examples/notebook-story.ts";
import type { ControlPlane } from "../control-plane.ts";
import { openStage, type Stage } from "../growth/stage.ts";
import { userFor } from "../rbac.ts";
import { connectAsAdmin } from "../resizer/connect.ts";

vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 });

const CONFIG_MAPS = defineResource("v1", "ConfigMap", "configmaps");

let stage: Stage<ControlPlane>;
let client: KubeClient;
beforeAll(async () => {
  stage = await openStage();
  client = await connectAsAdmin(stage.plane);
});
afterAll(async () => {
  await client?.close();
  await stage?.[Symbol.asyncDispose]();
});

test.concurrent("a set that something controls grows, though two work on it at once, and its pods stay", async () => {
  const scene = await stage.scene("two-at-once");
  const { namespace } = scene;
  const { metadata } = await client.create(CONFIG_MAPS, { metadata: { namespace, name: "owner" } });
  const owner = { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: metadata.uid, controller: true };
  const before = await scene.create({ metadata: { ownerReferences: [owner] } });
  const other = startGrowth({ client, namespaces: [namespace] });
  const outcome = await growStatefulSet({ client, namespace, name: "db", sizes: { data: "2Gi" } });
  await other.stop();
  expect(outcome).toMatchObject({ kind: "resized" });
  const after = await scene.untilGrown({ data: "2Gi" });
  expect(after.set?.metadata.uid).not.toBe(before.set?.metadata.uid);
  expect(after.set?.metadata.ownerReferences).toMatchObject([owner]);
  const uids = (pods: typeof after.pods) => new Set(pods.map((pod) => pod.metadata.uid));
  expect(uids(after.pods)).toEqual(uids(before.pods));
});

test.concurrent("the example operator, with the rights that it comes with, creates its set again with the size that its Notebook has", async () => {
  const { pathname } = new URL("../../../examples/operator/rbac.yaml", import.meta.url);
  const manifest = readFileSync(pathname, "utf8");
  const user = await userFor(stage.plane, { namespace: "notebooks", account: "notebook-operator", manifest });
  await playNotebook(client, user.kubeconfig);
});

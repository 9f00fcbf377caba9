/** `outgrow node` as a process of its own, with the rights of deploy/node, beside a driver on a node that has a volume mounted. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PersistentVolumeClaim } from "../../../src/core/types.ts";
import { type ScriptedDriver, startScriptedDriver } from "../../../src/csi/testing/index.ts";
import { type TempDir, tempDir } from "../../../src/csi/testing/temp-dir.ts";
import type { Event } from "../../../src/kube/index.ts";
import { kubeletLayout } from "../../../src/node/apply/layout.ts";
import { bindMount, unmount } from "../../../src/node/filesystem/index.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { createBoundClaim, createNode, createPod } from "../fixtures.ts";
import { type OutgrowProcess, startOutgrow } from "../outgrow-process.ts";
import { userFor } from "../rbac.ts";
import { waitFor } from "../wait.ts";

const ROOT = join(import.meta.dirname, "../../..");
const DRIVER = "node.csi.example.com";
const NODE = "node-1";
const Gi = 2n ** 30n;
const why = process.getuid?.() === 0 ? undefined : "only root may mount";

let plane: ControlPlane;
let folder: TempDir;
let driver: ScriptedDriver;
beforeAll(async () => {
  plane = await startControlPlane({ controllers: [] });
  folder = tempDir();
  driver = await startScriptedDriver({ address: folder.file("csi.sock"), script: { name: DRIVER } });
  await createNode(plane, NODE);
});
afterAll(async () => {
  await driver?.stop();
  folder?.remove();
  await plane?.stop();
});

test("grows a mounted volume, says so on claim and pod, counts it, and ends when it is told to", async ({ skip }) => {
  skip(why !== undefined, why);
  const { claim, volume } = await createBoundClaim(plane, { name: "data", size: "10Gi", driver: DRIVER });
  const handle = volume.metadata.name;
  driver.setVolume(handle, { backendBytes: 20n * Gi, fileSystemBytes: 10n * Gi });
  const pod = await createPod(plane, { name: "db-0", node: NODE, claims: ["data"] });
  const path = kubeletLayout(folder.file("kubelet")).publishPath(pod.metadata.uid ?? "", volume);
  mkdirSync(path, { recursive: true });
  await bindMount(folder.file("."), path);
  const node = await startNode();
  try {
    const claims = "/api/v1/namespaces/default/persistentvolumeclaims/data";
    await plane.api.patch(`/api/v1/persistentvolumes/${handle}`, { spec: { capacity: { storage: "20Gi" } } });
    await plane.api.patch(`${claims}/status`, {
      status: {
        allocatedResources: { storage: "20Gi" },
        allocatedResourceStatuses: { storage: "NodeResizePending" },
        conditions: [{ type: "FileSystemResizePending", status: "True" }],
      },
    });
    const grown = await waitFor("the claim to have 20Gi", async () => {
      const now = await plane.api.get<PersistentVolumeClaim>(claims);
      return now.status?.capacity?.["storage"] === "20Gi" && now;
    });
    expect(grown.metadata.uid).toBe(claim.metadata.uid);
    expect([grown.status?.conditions, grown.status?.allocatedResourceStatuses]).toEqual([undefined, undefined]);
    expect(driver.volume(handle)?.fileSystemBytes).toBe(20n * Gi);
    const told = await waitFor("the events", async () => {
      const { items } = await plane.api.get<{ items: Event[] }>("/api/v1/namespaces/default/events");
      const kinds = items.filter((event) => event.reason === "FileSystemResizeSuccessful");
      return kinds.length === 2 && kinds.map((event) => event.involvedObject.kind);
    });
    expect(new Set(told)).toEqual(new Set(["PersistentVolumeClaim", "Pod"]));
    const metrics = await (await fetch(`${await node.endpoint()}/metrics`)).text();
    expect(metrics).toMatch(
      /storage_operation_duration_seconds_count\{volume_plugin="kubernetes\.io\/csi:node\.csi\.example\.com",operation_name="volume_fs_resize",status="success"\} 1/,
    );
    expect(await node.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  } finally {
    await node.kill();
    await unmount(path);
  }
});

async function startNode(): Promise<OutgrowProcess> {
  const manifest = readFileSync(join(ROOT, "deploy/node/rbac.yaml"), "utf8");
  const user = await userFor(plane, { namespace: "csi-example", account: "outgrow-node", manifest });
  const args = ["--csi-address", driver.socketPath, "--node-name", NODE, "--kubelet-dir", folder.file("kubelet")];
  const node = startOutgrow(["node", ...args, "--kubeconfig", user.kubeconfig]);
  await node.says("at work");
  return node;
}

/** Provisioning on a real kube-apiserver: our provisioner with kube-controller-manager's binder, and all of ours. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startVolumes, type VolumePart } from "../../../src/cluster/controllers/volumes/index.ts";
import { aClaim, aClass } from "../../../src/cluster/controllers/volumes/testing/objects.ts";
import { MEMORY_DRIVER, startMemoryDriver } from "../../../src/cluster/drivers/index.ts";
import { type CsiClient, openCsiClient } from "../../../src/csi/index.ts";
import { CLAIMS, EVENTS, type KubeClient, STORAGE_CLASSES, VOLUMES } from "../../../src/kube/index.ts";
import { startControlPlane } from "../control-plane.ts";
import { connectAsAdmin } from "../resizer/connect.ts";
import { waitFor } from "../wait.ts";

const THEIRS = [
  "persistentvolume-binder-controller",
  "persistentvolumeclaim-protection-controller",
  "persistentvolume-protection-controller",
];

describe.each([
  {
    whose: "kube-controller-manager's binder and protection",
    controllers: THEIRS,
    without: ["binder", "claim-protection", "volume-protection"],
  },
  { whose: "ours", controllers: [], without: [] },
] satisfies { whose: string; controllers: readonly string[]; without: readonly VolumePart[] }[])(
  "with $whose",
  ({ controllers, without }) => {
    const cleanup = new AsyncDisposableStack();
    let client: KubeClient;
    let csi: CsiClient;

    beforeAll(async () => {
      const folder = cleanup.adopt(await mkdtemp(join(tmpdir(), "outgrow-")), (path) => rm(path, { recursive: true }));
      const plane = cleanup.adopt(await startControlPlane({ controllers, audit: false }), (each) => each.stop());
      client = cleanup.adopt(await connectAsAdmin(plane), (each) => each.close());
      const address = join(folder, "csi.sock");
      cleanup.adopt(await startMemoryDriver({ address, version: "1", nodeId: "node" }), (each) => each.stop());
      csi = cleanup.adopt(openCsiClient({ address }), (each) => each.stop());
      const drivers = [{ name: MEMORY_DRIVER, address }];
      const options = { client, drivers, without: new Set<VolumePart>(without) };
      const volumes = cleanup.adopt(startVolumes(options), (each) => each.stop());
      await volumes.synced;
      await client.create(STORAGE_CLASSES, aClass("memory", { provisioner: MEMORY_DRIVER }));
    });
    afterAll(() => cleanup.disposeAsync());

    test("claims get volumes, and give them back", async () => {
      const names = Array.from({ length: 10 }, (_, index) => `data-${index}`);
      for (const name of names) await client.create(CLAIMS, aClaim(name, { spec: { storageClassName: "memory" } }));
      const claims = await waitFor("the claims to be bound", async () => {
        const { items } = await client.list(CLAIMS);
        return items.every(({ status }) => status?.phase === "Bound") && items;
      });
      for (const { metadata, spec } of claims) expect(spec.volumeName).toBe(`pvc-${metadata.uid}`);
      expect(await csi.listVolumes()).toHaveLength(names.length);
      const reasons = await waitFor("the events", async () => {
        const { items } = await client.list(EVENTS, { fieldSelector: "involvedObject.name=data-0" });
        const told = new Set(items.map(({ reason }) => reason));
        return told.size >= 3 && told;
      });
      expect(reasons).toEqual(new Set(["ExternalProvisioning", "Provisioning", "ProvisioningSucceeded"]));

      for (const name of names) await client.delete(CLAIMS, { namespace: "default", name });
      await waitFor("the volumes to go", async () => (await client.list(VOLUMES)).items.length === 0);
      expect((await client.list(CLAIMS)).items).toEqual([]);
      expect(await csi.listVolumes()).toEqual([]);
    });
  },
);

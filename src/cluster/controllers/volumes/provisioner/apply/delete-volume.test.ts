/** Whether what a volume stands for is deleted is decided on what the API server says, not on what was heard last. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { PersistentVolume } from "../../../../../core/types.ts";
import { type CsiClient, openCsiClient, volumeCapability } from "../../../../../csi/index.ts";
import { noMetrics, silentLogger, startEventRecorder, systemTimers, VOLUMES } from "../../../../../kube/index.ts";
import { PROVISIONED_BY } from "../../decide/names.ts";
import { createView } from "../../shared/view.ts";
import { createWriter } from "../../shared/writer.ts";
import { type Bench, startBench } from "../../testing/bench.ts";
import { aVolume } from "../../testing/objects.ts";
import { type DeleteTools, deleteVolume } from "./delete-volume.ts";

const { signal } = new AbortController();
const cleanup: (() => unknown)[] = [];
let bench: Bench;
let csi: CsiClient;
let tools: DeleteTools;
let known: PersistentVolume;

beforeEach(async () => {
  bench = await startBench();
  cleanup.push(() => bench[Symbol.asyncDispose]());
  await bench.startDriver();
  csi = openCsiClient({ address: bench.driver.address });
  cleanup.push(() => csi.stop());
  const { client, driver } = bench;
  const recorder = startEventRecorder({ client, component: "test" });
  cleanup.push(() => recorder.stop(0));
  const view = createView({ client, timers: systemTimers, logger: silentLogger, metrics: noMetrics });
  cleanup.push(() => view.stop());
  tools = { client, csi, driver: driver.name, recorder, writer: createWriter(client, view, signal), signal };
  const capability = volumeCapability({ accessModes: ["ReadWriteOnce"], volumeMode: "Filesystem" }, false);
  const { volumeId } = await csi.createVolume({ name: "disk", requiredBytes: 2n ** 30n, capabilities: [capability] });
  const created = await client.create(
    VOLUMES,
    aVolume("disk", {
      metadata: { annotations: { [PROVISIONED_BY]: driver.name } },
      spec: {
        persistentVolumeReclaimPolicy: "Delete",
        claimRef: { namespace: "default", name: "data", uid: "1" },
        csi: { driver: driver.name, volumeHandle: volumeId },
      },
    }),
  );
  known = await inPhase("Released");
  expect(known.metadata.uid).toBe(created.metadata.uid);
});
afterEach(async () => {
  for (const end of cleanup.splice(0).reverse()) await end();
});

function inPhase(phase: string): Promise<PersistentVolume> {
  const body = { status: { phase } };
  return bench.client.patch(VOLUMES, { name: "disk" }, { type: "merge", body }, { subresource: "status" });
}

test("a volume that is still released goes", async () => {
  await deleteVolume(tools, known);
  expect(await csi.listVolumes()).toEqual([]);
  expect((await bench.volume("disk"))?.metadata.deletionTimestamp).toBeDefined();
});

test.each<[string, () => Promise<unknown>]>([
  ["is bound again", () => inPhase("Bound")],
  [
    "is to be kept",
    () => {
      const body = { spec: { persistentVolumeReclaimPolicy: "Retain" } };
      return bench.client.patch(VOLUMES, { name: "disk" }, { type: "merge", body });
    },
  ],
  [
    "is given free",
    () => bench.client.patch(VOLUMES, { name: "disk" }, { type: "merge", body: { spec: { claimRef: null } } }),
  ],
])("a volume that %s since stays, with what is on it", async (_, happens) => {
  await happens();
  await deleteVolume(tools, known);
  expect(await csi.listVolumes()).toHaveLength(1);
  expect((await bench.volume("disk"))?.metadata.deletionTimestamp).toBeUndefined();
});

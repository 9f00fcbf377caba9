/** Volumes of pods through a real driver, by a node that may be killed between any two of its calls. */
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PersistentVolume, PersistentVolumeClaim } from "../../../../core/types.ts";
import { type CsiClient, openCsiClient } from "../../../../csi/index.ts";
import type { KubeClient } from "../../../../kube/index.ts";
import { MEMORY_DRIVER, type MemoryDriver, startMemoryDriver } from "../../../drivers/index.ts";
import type { NodePod } from "../decide/types.ts";
import { type Journal, openJournal } from "./journal.ts";
import { createPodVolumes, type PodVolumes } from "./volumes.ts";

const never = new AbortController().signal;
let root: string;
let driver: MemoryDriver;
let csi: CsiClient;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "volumes-"));
  await mkdir(join(root, "node"));
  driver = await startMemoryDriver({ address: join(root, "csi.sock"), version: "1", nodeId: "one" });
  csi = openCsiClient({ address: driver.socketPath });
  for (const volumeId of ["vol-data", "vol-wal"]) await driver.adopt({ volumeId, capacityBytes: 2n ** 30n });
});
afterEach(async () => {
  csi.stop();
  await driver.stop();
  await rm(root, { recursive: true });
});

/** A pod that uses these claims. */
function aPod(uid: string, ...claims: string[]): NodePod {
  const volumes = claims.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } }));
  return { metadata: { name: uid, namespace: "prod", uid }, spec: { volumes } };
}

/** The API, as far as mounting reads it: every claim is bound to a volume of its name. */
const client = {
  get(resource: { kind: string }, { name }: { name: string }) {
    const isClaim = resource.kind === "PersistentVolumeClaim";
    const claim: PersistentVolumeClaim = {
      metadata: { name, namespace: "prod", uid: name },
      spec: { volumeName: `pv-${name}` },
      status: { phase: "Bound" },
    };
    const of = name.replace("pv-", "");
    const volume: PersistentVolume = {
      metadata: { name },
      spec: {
        accessModes: ["ReadWriteOnce"],
        claimRef: { namespace: "prod", name: of, uid: of },
        csi: { driver: MEMORY_DRIVER, volumeHandle: `vol-${of}` },
      },
    };
    return Promise.resolve(isClaim ? claim : volume);
  },
} as unknown as Pick<KubeClient, "get">;

/** A process of the node; with a `csi` of its own it may die on the way. */
async function startNode(through: CsiClient = csi): Promise<{ volumes: PodVolumes; journal: Journal }> {
  const journal = await openJournal(join(root, "node", "published"));
  const volumes = createPodVolumes({
    client,
    drivers: new Map([[MEMORY_DRIVER, through]]),
    folder: join(root, "node"),
    journal,
    grow: () => Promise.resolve(),
    release: (_, work) => work(),
  });
  return { volumes, journal };
}

const CALLS = ["nodeStage", "nodePublish", "nodeUnpublish", "nodeUnstage"] as const;

/** The driver as seen by a process that is killed at its nth call: before the driver does it, or after. */
function killedAt(call: number, done: boolean): CsiClient {
  let made = 0;
  const through = { ...csi };
  for (const name of CALLS) {
    const real = csi[name] as (params: unknown, signal: AbortSignal) => Promise<void>;
    Object.assign(through, {
      [name]: async (params: unknown, signal: AbortSignal) => {
        const number = ++made;
        if (number < call || (number === call && done)) await real(params, signal);
        if (number >= call) throw new Error("killed");
      },
    });
  }
  return through;
}

async function nothingIsLeft(journal: Journal): Promise<void> {
  expect([...journal.all()]).toEqual([]);
  expect(await readdir(join(root, "node", "published"))).toEqual([]);
  expect(await readdir(join(root, "node", "pods"))).toEqual([]);
  for (const volumeId of ["vol-data", "vol-wal"]) await expect(csi.deleteVolume({ volumeId })).resolves.not.toThrow();
}

describe("a pod with two claims", () => {
  const pod = aPod("u1", "data", "wal");

  test("has them published until it is gone; then nothing is left", async () => {
    const { volumes, journal } = await startNode();
    await volumes.mount(pod, never);
    await volumes.mount(pod, never);
    expect([...volumes.published()].map(({ claim }) => claim)).toEqual(["prod/data", "prod/wal"]);
    for (const { volumePath, volumeHandle: volumeId } of volumes.published()) {
      expect((await csi.nodeGetVolumeStats({ volumeId, volumePath })).bytes?.total).toBe(2n ** 30n);
    }
    await volumes.unmount("u1", never);
    await nothingIsLeft(journal);
  });

  test.each([1, 2, 3, 4].flatMap((call) => [false, true].map((done) => [call, done] as const)))(
    "whose node is killed at call %i of its mount (done: %s) is mounted by the next, or given back",
    async (call, done) => {
      await expect((await startNode(killedAt(call, done))).volumes.mount(pod, never)).rejects.toThrow("killed");
      const next = await startNode();
      await next.volumes.mount(pod, never);
      expect([...next.volumes.published()]).toHaveLength(2);
      const last = await startNode();
      await last.volumes.unmount("u1", never);
      await nothingIsLeft(last.journal);
    },
  );

  test.each([1, 2, 3, 4].flatMap((call) => [false, true].map((done) => [call, done] as const)))(
    "whose node is killed at call %i of its end (done: %s) is given back by the next",
    async (call, done) => {
      await (await startNode()).volumes.mount(pod, never);
      await expect((await startNode(killedAt(call, done))).volumes.unmount("u1", never)).rejects.toThrow("killed");
      const { volumes, journal } = await startNode();
      await volumes.unmount("u1", never);
      await nothingIsLeft(journal);
    },
  );
});

test("a volume that two pods of the node have stays staged until the last is gone", async () => {
  const { volumes, journal } = await startNode();
  await Promise.all([volumes.mount(aPod("u1", "data"), never), volumes.mount(aPod("u2", "data"), never)]);
  const [first] = journal.of("u1");
  const staged = (): Promise<unknown> =>
    csi.nodeGetVolumeStats({ volumeId: "vol-data", volumePath: first?.stagingPath ?? "" });
  await volumes.unmount("u1", never);
  await expect(staged()).resolves.toBeDefined();
  await volumes.unmount("u2", never);
  await expect(staged()).rejects.toThrow("NotFound");
  await nothingIsLeft(journal);
});

test("a driver that is not there any more holds up nobody's end", async () => {
  await (await startNode()).volumes.mount(aPod("u1", "data"), never);
  const journal = await openJournal(join(root, "node", "published"));
  const drivers = new Map<string, CsiClient>();
  const options = { client, drivers, folder: join(root, "node"), journal };
  const volumes = createPodVolumes({ ...options, grow: async () => {}, release: (_, work) => work() });
  await expect(volumes.mount(aPod("u2", "data"), never)).rejects.toThrow(
    "driver name memory.csi.outgrow.dev not found in the list of registered CSI drivers",
  );
  await volumes.unmount("u1", never);
  expect([...journal.all()]).toEqual([]);
});

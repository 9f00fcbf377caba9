/** spec/kep-0284's use cases on volumes that hold bytes: those that were written before are there after. */
import { createHash, randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, readSync, statfsSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PODS, VOLUMES } from "../../../src/kube/index.ts";
import { kubeletLayout } from "../../../src/node/apply/layout.ts";
import { whyNoDisks } from "../../../src/node/filesystem/testing/scratch-disk.ts";
import { type ClaimWish, NAMESPACE, openScene, type Scene } from "./scene.ts";

const MI = 2 ** 20;
const SIZE = 8 * MI;

const KINDS = [
  { kind: "ext4", storageClass: "standard", volumeMode: "Filesystem" },
  { kind: "xfs", storageClass: "xfs", volumeMode: "Filesystem" },
  { kind: "btrfs", storageClass: "btrfs", volumeMode: "Filesystem" },
  { kind: "raw block", storageClass: "standard", volumeMode: "Block" },
] as const;

const whyNot = (kind: (typeof KINDS)[number]["kind"]): string | undefined =>
  whyNoDisks(kind === "raw block" ? "ext4" : kind);

let scene: Scene;
beforeAll(async () => {
  scene = await openScene({ driver: "loop" });
});
afterAll(() => scene[Symbol.asyncDispose]());

/** Where this pod has the volume of this claim: a folder, or a device. */
async function placeOf(pod: string, claim = pod): Promise<string> {
  const { metadata } = await scene.client.get(PODS, { namespace: NAMESPACE, name: pod });
  const { volume: name } = await scene.claimIs(claim, {});
  const volume = await scene.client.get(VOLUMES, { name });
  return kubeletLayout(join(scene.folder, "volumes", "node")).publishPath(metadata.uid ?? "", volume);
}

async function fileOf(name: string, wish: ClaimWish): Promise<string> {
  const place = await placeOf(name);
  return wish.volumeMode === "Block" ? place : join(place, "file");
}

function fill(path: string): string {
  const bytes = randomBytes(SIZE);
  const file = openSync(path, path.endsWith("file") ? "w" : "r+");
  writeSync(file, bytes, 0, SIZE, 0);
  fsyncSync(file);
  closeSync(file);
  return createHash("sha256").update(bytes).digest("hex");
}

function sumOf(path: string): string {
  const bytes = Buffer.alloc(SIZE);
  const file = openSync(path, "r");
  readSync(file, bytes, 0, SIZE, 0);
  closeSync(file);
  return createHash("sha256").update(bytes).digest("hex");
}

async function used(name: string, wish: ClaimWish): Promise<void> {
  await scene.createPod(name, wish);
  await scene.podsAreReady(name);
}

describe.each(KINDS)("$kind", ({ kind, ...wish }) => {
  const prefix = kind.replace(" ", "-");

  test("online and with data: I should be able to increase the size without losing all my data", async ({ skip }) => {
    const why = whyNot(kind);
    skip(why !== undefined, why);
    const name = `${prefix}-online`;
    await scene.createClaim(name, "512Mi", wish);
    await used(name, wish);
    const file = await fileOf(name, wish);
    const before = fill(file);
    await scene.request(name, "768Mi");
    await scene.claimIs(name, { capacity: "768Mi", state: "" });
    expect(sumOf(file)).toBe(before);
    if (wish.volumeMode === "Filesystem") {
      const { blocks, bsize } = statfsSync(await placeOf(name));
      expect(blocks * bsize).toBeGreaterThan(600 * MI);
    }
  });

  test("offline but with data: it grows before it is used again, and everything is there", async ({ skip }) => {
    const why = whyNot(kind);
    skip(why !== undefined, why);
    const name = `${prefix}-offline`;
    await scene.createClaim(name, "512Mi", wish);
    await used(name, wish);
    const before = fill(await fileOf(name, wish));
    await scene.client.delete(PODS, { namespace: NAMESPACE, name });
    await scene.podIsGone(name);
    await scene.request(name, "768Mi");
    await scene.claimIs(name, { state: "NodeResizePending" });
    await used(name, wish);
    await scene.claimIs(name, { capacity: "768Mi", state: "" });
    expect(sumOf(await fileOf(name, wish))).toBe(before);
  });
});

test("a StatefulSet on file systems: every volume grows, a restart of everything in between, and all bytes are there", async ({
  skip,
}) => {
  const why = whyNot("xfs");
  skip(why !== undefined, why);
  await scene.createSet("db", { size: "512Mi", storageClass: "xfs" });
  await scene.podsAreReady("db-0", "db-1");
  const fileOfPod = async (pod: string): Promise<string> => join(await placeOf(pod, `data-${pod}`), "file");
  const before = [fill(await fileOfPod("db-0")), fill(await fileOfPod("db-1"))];
  await scene.editTemplate("db", "768Mi");
  await scene.restart();
  for (const claim of ["data-db-0", "data-db-1"]) await scene.claimIs(claim, { capacity: "768Mi", state: "" });
  await scene.filesAreThere(await fileOfPod("db-0"), await fileOfPod("db-1"));
  expect([sumOf(await fileOfPod("db-0")), sumOf(await fileOfPod("db-1"))]).toEqual(before);
});

test("use case: a claim that no pod has used yet asks for more (offline and no data on disk)", async () => {
  await scene.createClaim("unused", "2Gi", { storageClass: "memory" });
  await scene.claimIs("unused", { capacity: "2Gi" });
  await scene.request("unused", "3Gi");
  await scene.claimIs("unused", { state: "NodeResizePending" });
  await used("unused", {});
  await scene.claimIs("unused", { capacity: "3Gi", state: "" });
  await scene.isTold("unused", "FileSystemResizeSuccessful");
});

/** On real devices: what is written stays, whatever becomes of the volume around it. */
import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { volumeCapability } from "../../../csi/index.ts";
import { runProgram } from "../../../node/filesystem/command.ts";
import { FILE_SYSTEM_TYPES, probeAbilities, readMounts } from "../../../node/filesystem/index.ts";
import { whyNoDisks } from "../../../node/filesystem/testing/scratch-disk.ts";
import { failure, held } from "../testing/looking.ts";
import { MI, openScene, type Scene } from "../testing/scene.ts";

const why = whyNoDisks("ext4");
let scene: Scene;
beforeEach(async () => {
  if (why === undefined) scene = await openScene("devices");
});
afterEach(async () => {
  if (why === undefined) await scene.end();
});

const digest = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex");
const total = async (name: string) =>
  (await scene.client.nodeGetVolumeStats({ volumeId: name, volumePath: scene.target(name) })).bytes?.total ?? 0n;

describe.each(FILE_SYSTEM_TYPES)("%s", (fsType) => {
  const missing = whyNoDisks(fsType);

  test("grows under a pod, then while nobody uses it: the bytes written before are the bytes read after", async ({
    skip,
  }) => {
    skip(missing !== undefined, missing);
    await scene.create("v", { bytes: 320n * MI, parameters: { fsType } });
    await scene.use("v");
    expect((await readMounts()).find(({ path }) => path === scene.target("v"))?.type).toBeDefined();
    const file = join(scene.target("v"), "bytes");
    writeFileSync(file, randomBytes(3_000_000));
    const before = digest(file);
    expect(await total("v")).toBeLessThan(330n * MI);

    await scene.controllerExpand("v", 640n * MI);
    expect(await scene.nodeExpand("v", 640n * MI)).toBe(640n * MI);
    expect(await total("v")).toBeGreaterThan(560n * MI);
    expect(digest(file)).toBe(before);

    await scene.unuse("v");
    await scene.controllerExpand("v", 900n * MI);
    await scene.use("v");
    expect(await total("v")).toBeGreaterThan(800n * MI);
    expect(digest(file)).toBe(before);
    await scene.unuse("v");
    expect(await held(scene)).toEqual([]);
  });

  test("a size that is too small for it is rounded up to the least that it takes", async ({ skip }) => {
    skip(missing !== undefined, missing);
    const { capacityBytes } = await scene.create("v", { bytes: 1n, parameters: { fsType } });
    await scene.use("v");
    expect(await total("v")).toBeLessThanOrEqual(capacityBytes);
    await expect(scene.create("w", { bytes: 1n, limitBytes: 4096n, parameters: { fsType } })).rejects.toEqual(
      failure("OutOfRange", "above the limit of 4096"),
    );
  });
});

describe("where ext4 cannot grow while it is mounted", () => {
  const online = probeAbilities().ext4.online;
  const reason = why ?? (online ? "it can, here" : undefined);

  test("a process that has a file open is not disturbed: FailedPrecondition, and it grows when it is closed", async ({
    skip,
  }) => {
    skip(reason !== undefined, reason);
    await scene.create("v");
    await scene.use("v");
    const open = openSync(join(scene.target("v"), "log"), "w+");
    writeSync(open, "before ");
    await scene.controllerExpand("v", 32n * MI);
    await expect(scene.nodeExpand("v", 32n * MI)).rejects.toEqual(
      failure("FailedPrecondition", `volume v cannot grow now: somebody has a file open below ${scene.target("v")}`),
    );
    writeSync(open, "after");
    closeSync(open);
    expect(readFileSync(join(scene.target("v"), "log"), "utf8")).toBe("before after");
    expect(await scene.nodeExpand("v", 32n * MI)).toBe(32n * MI);
    expect(readFileSync(join(scene.target("v"), "log"), "utf8")).toBe("before after");
  });

  test("somebody below the staging path keeps it too, and the pod's mount is put back", async ({ skip }) => {
    skip(reason !== undefined, reason);
    await scene.create("v");
    await scene.use("v");
    const open = openSync(join(scene.stagingPath("v"), "file"), "w");
    await scene.controllerExpand("v", 32n * MI);
    await expect(scene.nodeExpand("v", 32n * MI)).rejects.toEqual(failure("FailedPrecondition", "cannot grow now"));
    expect(existsSync(join(scene.target("v"), "file"))).toBe(true);
    closeSync(open);
  });

  test("a volume without a node half is in doubt meanwhile: its storage has grown already", async ({ skip }) => {
    skip(reason !== undefined, reason);
    await scene.create("v", { parameters: { nodeExpansion: "false" } });
    await scene.use("v");
    const open = openSync(join(scene.target("v"), "file"), "w");
    await expect(scene.controllerExpand("v", 32n * MI)).rejects.toEqual(failure("Aborted", "somebody has a file open"));
    closeSync(open);
    expect(await scene.controllerExpand("v", 32n * MI)).toMatchObject({ capacityBytes: 32n * MI });
    expect(await total("v")).toBeGreaterThan(24n * MI);
  });

  test("nothing can be written below the mount in the moment it is away", async ({ skip }) => {
    skip(reason !== undefined, reason);
    await scene.create("v");
    await scene.use("v");
    await runProgram("umount", [scene.target("v")]);
    expect(() => writeFileSync(join(scene.target("v"), "lost"), "")).toThrow("EROFS");
    // What was cut off there is put back by the next attempt.
    await scene.controllerExpand("v", 32n * MI);
    await scene.nodeExpand("v", 32n * MI);
    writeFileSync(join(scene.target("v"), "found"), "");
    expect(existsSync(join(scene.stagingPath("v"), "found"))).toBe(true);
  });
});

describe("a volume", () => {
  beforeEach(({ skip }) => skip(why !== undefined, why));

  test("of raw blocks keeps its bytes, and is larger in the same open file", async () => {
    await scene.create("v", { block: true });
    await scene.use("v", { block: true });
    expect(statSync(scene.target("v")).isBlockDevice()).toBe(true);
    const device = openSync(scene.target("v"), "r+");
    writeSync(device, "first", 0);
    await scene.controllerExpand("v", 32n * MI);
    await scene.nodeExpand("v", 32n * MI);
    writeSync(device, "last", Number(32n * MI - 4096n));
    const read = Buffer.alloc(5);
    readSync(device, read, 0, 5, 0);
    closeSync(device);
    expect(read.toString()).toBe("first");
    const { stdout } = await runProgram("blockdev", ["--getsize64", scene.target("v")]);
    expect(BigInt(stdout)).toBe(32n * MI);
    await expect(scene.publish("v", { block: true, readOnly: true })).rejects.toEqual(failure("AlreadyExists", ""));
    await scene.client.nodeUnpublish({ volumeId: "v", targetPath: scene.target("v") });
    await expect(scene.publish("v", { block: true, readOnly: true })).rejects.toEqual(failure("InvalidArgument"));
    await scene.client.nodeUnstage({ volumeId: "v", stagingPath: scene.stagingPath("v") });
    expect(await held(scene)).toEqual([]);
  });

  test("is mounted with the flags of its class, and read-only where it should be", async () => {
    await scene.create("v");
    await scene.stage("v", { mountFlags: ["noatime"] });
    await scene.publish("v", { readOnly: true });
    expect(() => writeFileSync(join(scene.target("v"), "x"), "")).toThrow("EROFS");
    writeFileSync(join(scene.stagingPath("v"), "x"), "");
    const { stdout } = await runProgram("findmnt", ["--noheadings", "--output", "OPTIONS", scene.stagingPath("v")]);
    expect(stdout).toContain("noatime");
  });

  test("that is staged read-only is not formatted, and is not grown through it", async () => {
    const readers = { accessModes: ["ReadOnlyMany"] };
    await scene.create("v");
    await expect(scene.stage("v", readers)).rejects.toEqual(failure("FailedPrecondition", "no file system yet"));
    expect(await held(scene)).toEqual([]);
    await scene.use("v");
    await scene.unuse("v");
    await scene.use("v", readers);
    await scene.controllerExpand("v", 32n * MI);
    await expect(scene.nodeExpand("v", 32n * MI)).rejects.toEqual(failure("FailedPrecondition", "read-only"));
    expect(await total("v")).toBeLessThan(17n * MI);
  });

  test("with something else on it is left alone", async () => {
    await scene.create("v");
    await scene.use("v");
    await scene.unuse("v");
    const disk = join(scene.folder, "data", "volumes", "v", "disk");
    const handle = openSync(disk, "r+");
    writeSync(handle, Buffer.alloc(8192), 0, 8192, 0);
    closeSync(handle);
    await expect(scene.stage("v")).rejects.toEqual(failure("FailedPrecondition", "not formatted a second time"));
    // What failed is taken back: nobody has to unstage it before it can go.
    expect(await held(scene)).toEqual([]);
    await scene.client.deleteVolume({ volumeId: "v" });
  });

  test("can be staged for two at once, as for two nodes", async () => {
    await scene.create("v");
    await scene.use("v");
    const second = join(scene.folder, "second");
    mkdirSync(second);
    const capability = volumeCapability({ accessModes: ["ReadWriteMany"], volumeMode: "Filesystem" }, false);
    await scene.client.nodeStage({ volumeId: "v", stagingPath: second, capability });
    writeFileSync(join(second, "x"), "shared");
    expect(readFileSync(join(scene.target("v"), "x"), "utf8")).toBe("shared");
    await scene.unuse("v");
    expect(readFileSync(join(second, "x"), "utf8")).toBe("shared");
    await scene.client.nodeUnstage({ volumeId: "v", stagingPath: second });
    expect(await held(scene)).toEqual([]);
  });

  test("may have any name", async () => {
    const name = "päck/../../x";
    const { volumeId } = await scene.create(name);
    const capability = { accessModes: ["ReadWriteOnce"], volumeMode: "Filesystem" } as const;
    mkdirSync(scene.stagingPath("odd"), { recursive: true });
    await scene.client.nodeStage({
      volumeId,
      stagingPath: scene.stagingPath("odd"),
      capability: volumeCapability(capability, false),
    });
    expect(existsSync(join(scene.stagingPath("odd"), "lost+found"))).toBe(true);
    await scene.client.nodeUnstage({ volumeId, stagingPath: scene.stagingPath("odd") });
    await scene.client.deleteVolume({ volumeId });
  });
});

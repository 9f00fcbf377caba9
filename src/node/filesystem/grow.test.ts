/** On real devices: what was written before a file system grew is there afterwards, and there is more room. */
import { createHash, randomBytes } from "node:crypto";
import { chmodSync, closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FileSystemAbilities, probeAbilities } from "./abilities.ts";
import { detectContent } from "./detect.ts";
import { growFileSystem } from "./grow.ts";
import { FILE_SYSTEM_TYPES, FILE_SYSTEMS } from "./kinds.ts";
import { mountDevice, unmount } from "./mounts.ts";
import { type ScratchDisk, scratchDisk, whyNoDisks } from "./testing/scratch-disk.ts";
import { measureUsage } from "./usage.ts";

const MI = 2n ** 20n;
const why = whyNoDisks();
const abilities = probeAbilities();
const OFFLINE: FileSystemAbilities = { ...abilities, ext4: { usable: true, online: false, why: "said before" } };

let disk: ScratchDisk;
beforeEach(async () => {
  if (why === undefined) disk = await scratchDisk(320n * MI);
});
afterEach(async () => {
  if (why === undefined) await disk.remove();
});

const digest = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex");
const total = async () => (await measureUsage(disk.mountPath)).bytes.total;

describe.each(FILE_SYSTEM_TYPES)("%s", (type) => {
  const missing = whyNoDisks(type);

  test("grows to its device with all its bytes, mounted where this machine can, else between two mounts", async ({
    skip,
  }) => {
    skip(missing !== undefined, missing);
    const { device, mountPath } = disk;
    await FILE_SYSTEMS[type].make(device);
    expect(await detectContent(device)).toEqual({ kind: "file-system", type });
    await mountDevice(device, mountPath, type);
    const file = join(mountPath, "bytes");
    writeFileSync(file, randomBytes(5_000_000));
    const [before, size] = [digest(file), await total()];
    await disk.resize(640n * MI);

    const mounted = await growFileSystem({ device, mountPath }, abilities);
    if (abilities[type].online) {
      expect(mounted).toEqual({ kind: "grown" });
    } else {
      expect(mounted).toEqual({ kind: "unmount-first", why: abilities[type].why });
      expect(await total()).toBe(size);
      await unmount(mountPath);
      expect(await growFileSystem({ device }, abilities)).toEqual({ kind: "grown" });
      await mountDevice(device, mountPath, type);
    }
    expect(await total()).toBeGreaterThan(size + 250n * MI);
    expect(digest(file)).toBe(before);
    // Asked again, there is nothing to do.
    if (abilities[type].online) expect(await growFileSystem({ device, mountPath }, abilities)).toEqual(mounted);
  });
});

describe("what is not grown", () => {
  test("a read-only mount", async () => {
    expect(await growFileSystem({ device: "/dev/null", mountPath: "/", readOnly: true }, abilities)).toEqual({
      kind: "read-only",
    });
  });

  test("a device without a file system: the mount will make one", async ({ skip }) => {
    skip(why !== undefined, why);
    expect(await growFileSystem({ device: disk.device }, abilities)).toEqual({ kind: "no-file-system" });
  });

  test("something that is no file system", async ({ skip }) => {
    skip(why !== undefined, why);
    // The signature of a DOS partition table with one entry in it.
    const sector = Buffer.alloc(512);
    Buffer.from([0, 0, 2, 0, 0x83, 0, 3, 0, 8, 0, 0, 0, 8, 0, 0, 0]).copy(sector, 446);
    Buffer.from([0x55, 0xaa]).copy(sector, 510);
    const handle = openSync(disk.device, "r+");
    writeFileSync(handle, sector);
    closeSync(handle);
    expect(await growFileSystem({ device: disk.device }, abilities)).toEqual({ kind: "unsupported", content: "dos" });
  });

  test("xfs that is mounted nowhere", async ({ skip }) => {
    skip(whyNoDisks("xfs") !== undefined, whyNoDisks("xfs"));
    await FILE_SYSTEMS.xfs.make(disk.device);
    expect(await growFileSystem({ device: disk.device }, abilities)).toEqual({ kind: "mount-first" });
  });

  test("ext4 on a mount, where this machine does not let us", async ({ skip }) => {
    skip(why !== undefined, why);
    const { device, mountPath } = disk;
    await FILE_SYSTEMS.ext4.make(device);
    expect(await growFileSystem({ device, mountPath }, OFFLINE)).toEqual({
      kind: "unmount-first",
      why: "said before",
    });
  });
});

describe("a resize tool of one's own", () => {
  const tool = (text: string): string => {
    const path = join(disk.folder, "resize-tool");
    writeFileSync(path, `#!/bin/sh\n${text}\n`);
    chmodSync(path, 0o755);
    return path;
  };

  test("is told type, device and mount path, and grows what our tools would not", async ({ skip }) => {
    skip(why !== undefined, why);
    const { device, mountPath } = disk;
    await FILE_SYSTEMS.ext4.make(device);
    const resizeTool = tool(`echo "$# $1 $2 $3" > "${disk.folder}/told"`);
    expect(await growFileSystem({ device, mountPath, resizeTool }, OFFLINE)).toEqual({ kind: "grown" });
    expect(readFileSync(join(disk.folder, "told"), "utf8")).toBe(`3 ext4 ${device} ${mountPath}\n`);
  });

  test("that fails is quoted", async ({ skip }) => {
    skip(why !== undefined, why);
    await FILE_SYSTEMS.ext4.make(disk.device);
    const resizeTool = tool("echo no such luck >&2; exit 7");
    await expect(growFileSystem({ device: disk.device, resizeTool }, abilities)).rejects.toMatchObject({
      code: "TOOL_FAILED",
      message: `${resizeTool} ext4 ${disk.device}  failed (exit code 7): no such luck`,
    });
  });
});

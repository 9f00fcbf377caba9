import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { decideAbilities, limitsOf, type MachineFacts, readCapabilities } from "./abilities.ts";
import { hasTool, runProgram } from "./command.ts";
import { readContent } from "./detect.ts";
import { FILE_SYSTEMS } from "./kinds.ts";
import { detachLoop, listLoops, parseLoops } from "./loop-device.ts";
import { bindMount, mountAt, mountDevice, parseMounts, readMounts, unmount } from "./mounts.ts";
import { orphanedPrograms, STARTED_BY, waitForOrphans } from "./orphans.ts";
import { scratchDisk, whyNoDisks } from "./testing/scratch-disk.ts";
import { measureUsage } from "./usage.ts";

describe("what this machine can do", () => {
  const ROOT = 0x1ffffffffffn;
  const able: MachineFacts = { capabilities: ROOT, kernelHas: () => true, hasTool: () => true };

  test("root with all its capabilities grows everything online, and there is nothing to say", () => {
    const abilities = decideAbilities(able);
    expect(abilities).toEqual({
      ext4: { usable: true, online: true },
      xfs: { usable: true, online: true },
      btrfs: { usable: true, online: true },
    });
    expect(limitsOf(abilities)).toEqual([]);
  });

  test("without CAP_SYS_RESOURCE ext4 grows offline only, and it is said once", () => {
    const abilities = decideAbilities({ ...able, capabilities: ROOT & ~(1n << 24n) });
    expect(abilities.ext4).toMatchObject({ usable: true, online: false });
    expect(abilities.xfs.online).toBe(true);
    expect(limitsOf(abilities)).toEqual([expect.stringMatching(/^ext4: this process lacks CAP_SYS_RESOURCE/)]);
  });

  test.each<[string, Partial<MachineFacts>, RegExp]>([
    ["a tool", { hasTool: (tool) => tool !== "xfs_growfs" }, /xfs_growfs is not there; install the package xfsprogs/],
    ["the kernel's part", { kernelHas: (type) => type !== "xfs" }, /the kernel of this machine has no xfs/],
    ["CAP_SYS_ADMIN", { capabilities: 0n }, /only root may mount/],
  ])("without %s a file system is not usable, and why is said", (_, lacking, message) => {
    const { xfs } = decideAbilities({ ...able, ...lacking });
    expect(xfs).toMatchObject({ usable: false, online: false, why: expect.stringMatching(message) as string });
  });

  test("capabilities are read from the status of the process", () => {
    expect(readCapabilities("Name:\tx\nCapPrm:\t00ff\nCapEff:\t000001fffeffffff\n")).toBe(0x1fffeffffffn);
    expect(readCapabilities("")).toBe(0n);
  });
});

describe("what blkid says", () => {
  test.each([
    [2, "", { kind: "nothing" }],
    [0, "DEVNAME=f\nTYPE=ext4\nUSAGE=filesystem\n", { kind: "file-system", type: "ext4" }],
    [0, "PTTYPE=gpt\n", { kind: "something-else", description: "gpt" }],
    [0, "TYPE=LVM2_member\nUSAGE=raid\n", { kind: "something-else", description: "LVM2_member" }],
    [8, "", { kind: "something-else", description: "more than one thing" }],
  ] as const)("exit code %d and %j", (code, text, content) => {
    expect(readContent(code, text)).toEqual(content);
  });
});

describe("mounts", () => {
  const TEXT = [
    "22 1 254:0 / / rw,relatime - ext4 /dev/vda rw",
    "60 22 7:0 / /a\\040b/m rw,relatime shared:1 - xfs /dev/loop0 rw",
    "61 22 0:44 / /a\\040b/m ro,relatime - btrfs /dev/loop1 rw",
    "62 22 0:5 /loop0 /x rw - devtmpfs devtmpfs rw",
  ].join("\n");

  test("are read as the kernel writes them, blanks and all; of two at one path the last is seen", () => {
    const mounts = parseMounts(`${TEXT}\n`);
    expect(mounts).toHaveLength(4);
    expect(mountAt(mounts, "/a b/m")).toEqual({
      path: "/a b/m",
      root: "/",
      type: "btrfs",
      source: "/dev/loop1",
      readOnly: true,
    });
    expect(mounts[3]).toMatchObject({ root: "/loop0", type: "devtmpfs" });
    expect(mountAt(mounts, "/nowhere")).toBeUndefined();
  });

  test("come and go; one in use is busy, one that is gone is fine", async ({ skip }) => {
    const why = whyNoDisks("ext4");
    skip(why !== undefined, why);
    const disk = await scratchDisk(4n * 2n ** 20n);
    try {
      await FILE_SYSTEMS.ext4.make(disk.device);
      await mountDevice(disk.device, disk.mountPath, "ext4", ["noatime"]);
      expect(mountAt(await readMounts(), disk.mountPath)).toMatchObject({ source: disk.device, readOnly: false });
      expect((await measureUsage(disk.mountPath)).inodes?.total).toBeGreaterThan(0n);
      await bindMount(disk.mountPath, disk.mountPath, true);
      expect(mountAt(await readMounts(), disk.mountPath)).toMatchObject({ source: disk.device, readOnly: true });
      expect(await unmount(disk.mountPath)).toBe("unmounted");
      const open = openSync(join(disk.mountPath, "file"), "w");
      expect(await unmount(disk.mountPath)).toBe("busy");
      closeSync(open);
      expect(await unmount(disk.mountPath)).toBe("unmounted");
      expect(await unmount(disk.mountPath)).toBe("unmounted");
      expect(await listLoops()).toContainEqual({ device: disk.device, file: join(disk.folder, "disk") });
      await detachLoop(disk.device);
      await detachLoop(disk.device);
    } finally {
      await disk.remove();
    }
  });
});

test("loop devices are known by their file, also a deleted one", () => {
  const json =
    '{"loopdevices":[{"name":"/dev/loop0","back-file":"/d/a (deleted)"},{"name":"/dev/loop1","back-file":null}]}';
  expect(parseLoops(json)).toEqual([{ device: "/dev/loop0", file: "/d/a" }]);
  expect(parseLoops("\n")).toEqual([]);
});

describe("a program of the system", () => {
  test("that is not there is named with its way out", async () => {
    await expect(runProgram("/no/such/tool", [])).rejects.toMatchObject({
      code: "TOOL_MISSING",
      message: "/no/such/tool is not there; check its path",
    });
    expect(hasTool("umount")).toBe(true);
  });

  test("that hangs is ended", async () => {
    await expect(runProgram("sleep", ["60"], { timeoutMs: 20 })).rejects.toMatchObject({
      code: "TOOL_FAILED",
      message: "sleep 60 failed (did not end within 0.02 s)",
    });
  });

  test("is no shell: what looks like one is an argument", async () => {
    const { stdout } = await runProgram("echo", ["$HOME; true", "`x`"]);
    expect(stdout).toBe("$HOME; true `x`\n");
  });

  test("with several exit codes that mean something says which it was", async () => {
    const { exitCode } = await runProgram("sh", ["-c", "exit 3"], { accept: [0, 3] });
    expect(exitCode).toBe(3);
  });
});

test("a program that outlives who started it is waited for; one of a living process is not", async () => {
  const folder = mkdtempSync(join(tmpdir(), "outgrow-orphan-"));
  const command = new URL("command.ts", import.meta.url).href;
  const script = `echo $$ > ${folder}/pid; mv ${folder}/pid ${folder}/started; exec sleep 60`;
  const start = `import { existsSync } from "node:fs";
    import { runProgram } from ${JSON.stringify(command)};
    void runProgram("sh", ["-c", ${JSON.stringify(script)}]);
    while (!existsSync("${folder}/started"));
    process.kill(process.pid, "SIGKILL");`;
  await once(spawn(process.execPath, ["--input-type=module", "--eval", start], { stdio: "ignore" }), "exit");
  const orphan = Number(readFileSync(join(folder, "started"), "utf8"));
  rmSync(folder, { recursive: true });
  expect(await orphanedPrograms()).toContain(orphan);
  const waiting = waitForOrphans(60_000);
  process.kill(orphan, "SIGKILL");
  expect(await waiting).not.toContain(orphan);

  const ours = runProgram("sh", ["-c", "cat /proc/$$/environ; echo $$"]);
  expect(await orphanedPrograms()).not.toContain(Number((await ours).stdout.trim().split("\n").at(-1)));
  expect((await ours).stdout).toContain(`${STARTED_BY}=${process.pid}.`);
});

test("usage is what the file system says", async () => {
  const folder = mkdtempSync(join(tmpdir(), "outgrow-usage-"));
  const { bytes } = await measureUsage(folder);
  rmSync(folder, { recursive: true });
  expect(bytes.total).toBeGreaterThan(0n);
  expect(bytes.available).toBeLessThanOrEqual(bytes.total - bytes.used);
});

/** Where the machine sets limits: no root, no space. */
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCsiClient, volumeCapability } from "../../../csi/index.ts";
import { runTool } from "../../../node/filesystem/index.ts";
import { MI, openScene, whyNot } from "../testing/scene.ts";
import { startLoopDriver } from "./loop-driver.ts";

const NOBODY = 65534;
const CAPABILITY = volumeCapability({ accessModes: ["ReadWriteOnce"], volumeMode: "Filesystem" }, false);

test("without root, volumes are plain folders with links to them, and it is said once", async ({ skip }) => {
  const isRoot = process.geteuid?.() === 0;
  skip(process.seteuid === undefined, "this system has no users");
  const folder = mkdtempSync(join(tmpdir(), "outgrow-nobody-"));
  const said: string[] = [];
  const note = (...words: unknown[]): void => void said.push(String(words.at(-1)));
  const log = { debug: note, info: note, warn: note, error: note };
  const address = join(folder, "csi.sock");
  if (isRoot) {
    chownSync(folder, NOBODY, NOBODY);
    process.seteuid?.(NOBODY);
  }
  try {
    const driver = await startLoopDriver({
      address,
      folder: join(folder, "data"),
      version: "test",
      nodeId: "here",
      log,
    });
    const client = openCsiClient({ address });
    expect(driver.medium).toBe("folders");
    const [stagingPath, targetPath] = [join(folder, "stage"), join(folder, "target")];
    await client.createVolume({ name: "v", requiredBytes: MI, capabilities: [CAPABILITY] });
    await client.nodeStage({ volumeId: "v", stagingPath, capability: CAPABILITY });
    await client.nodePublish({ volumeId: "v", stagingPath, targetPath, capability: CAPABILITY });
    writeFileSync(join(targetPath, "file"), "bytes");
    await client.controllerExpand({ volumeId: "v", requiredBytes: 2n * MI });
    await client.nodeExpand({ volumeId: "v", volumePath: targetPath, requiredBytes: 2n * MI });
    expect((await client.nodeGetVolumeStats({ volumeId: "v", volumePath: targetPath })).bytes).toEqual({
      total: 2n * MI,
      used: 5n,
      available: 2n * MI - 5n,
    });
    client.stop();
    await driver.stop();
    expect(existsSync(targetPath)).toBe(false);
    expect(readFileSync(join(folder, "data", "volumes", "v", "files", "file"), "utf8")).toBe("bytes");
  } finally {
    if (isRoot) process.seteuid?.(0);
    rmSync(folder, { recursive: true });
  }
  expect(said).toEqual([
    expect.stringMatching(/are plain folders: this process is not root; sizes are kept, not enforced$/),
  ]);
});

test("a full disk is ResourceExhausted, loses nothing, and all goes on when there is space", async ({ skip }) => {
  skip(whyNot("devices") !== undefined, whyNot("devices"));
  const disk = mkdtempSync(join(tmpdir(), "outgrow-full-"));
  await runTool("mount", ["-t", "tmpfs", "-o", "size=8m,mode=0700", "tmpfs", disk]);
  try {
    const data = join(disk, "data");
    mkdirSync(data);
    const scene = await openScene("devices", { folder: data });
    await scene.create("v");
    await scene.use("v");
    writeFileSync(join(scene.target("v"), "file"), "bytes", { flush: true });
    const ballast = join(disk, "ballast");
    expect(() => {
      for (;;) writeFileSync(ballast, Buffer.alloc(65_536), { flag: "a" });
    }).toThrow("ENOSPC");

    const exhausted = { code: "ResourceExhausted" };
    await expect(scene.create("w")).rejects.toMatchObject(exhausted);
    await expect(scene.controllerExpand("v", 32n * MI)).rejects.toMatchObject(exhausted);
    expect(await scene.client.listVolumes()).toMatchObject([{ volumeId: "v", capacityBytes: 16n * MI }]);
    await scene.stop();
    expect(existsSync(scene.target("v"))).toBe(false);

    rmSync(ballast);
    await scene.start();
    expect(readdirSync(join(data, "volumes"))).toEqual(["v"]);
    await scene.use("v");
    expect(readFileSync(join(scene.target("v"), "file"), "utf8")).toBe("bytes");
    expect(await scene.controllerExpand("v", 32n * MI)).toMatchObject({ capacityBytes: 32n * MI });
    expect(await scene.nodeExpand("v", 32n * MI)).toBe(32n * MI);
    await scene.end();
  } finally {
    await runTool("umount", ["--lazy", disk]);
    rmSync(disk, { recursive: true });
  }
});

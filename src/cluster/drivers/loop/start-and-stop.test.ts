/** What is given back when a driver ends, and what it is started as. */
import { chmodSync, closeSync, existsSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { silentLogger } from "../../../kube/logger.ts";
import { failure, held } from "../testing/looking.ts";
import { MI, openScene, type Scene, whyNot } from "../testing/scene.ts";
import { startLoopDriver } from "./loop-driver.ts";

const why = whyNot("devices");
let scene: Scene;
beforeEach(async () => {
  if (why === undefined) scene = await openScene("devices");
});
afterEach(async () => {
  if (why === undefined) await scene.end();
});

describe("a stop", () => {
  beforeEach(({ skip }) => skip(why !== undefined, why));

  test("gives everything back, even what somebody still uses", async () => {
    for (const name of ["a", "b"]) {
      await scene.create(name);
      await scene.use(name);
    }
    await scene.create("c", { block: true });
    await scene.use("c", { block: true });
    const open = openSync(join(scene.target("a"), "file"), "w");
    await scene.stop();
    expect((await held(scene)).filter((path) => !path.startsWith("/dev/"))).toEqual([]);
    for (const name of ["a", "b", "c"]) expect(existsSync(scene.target(name))).toBe(false);
    closeSync(open);
    await expect.poll(() => held(scene), { timeout: 15_000 }).toEqual([]);
  });

  test("touches nothing of another folder", async () => {
    const other = await openScene("devices");
    try {
      await other.create("v");
      await other.use("v");
      await scene.create("v");
      await scene.use("v");
      await scene.stop();
      await scene.start();
      writeFileSync(join(other.target("v"), "mine"), "");
      expect(existsSync(join(other.stagingPath("v"), "mine"))).toBe(true);
    } finally {
      await other.end();
    }
  });

  test("of a second driver on the same folder never happens: it does not start", async () => {
    await scene.create("v");
    await scene.use("v");
    const again = {
      address: join(scene.folder, "2.sock"),
      folder: join(scene.folder, "data"),
      version: "",
      nodeId: "",
    };
    await expect(startLoopDriver({ ...again, log: silentLogger })).rejects.toEqual(
      failure("FILE_UNUSABLE", "second driver"),
    );
    writeFileSync(join(scene.target("v"), "still here"), "");
  });
});

test("a resize tool of one's own takes the place of ours, mounted or not", async ({ skip }) => {
  skip(why !== undefined, why);
  const folder = scene.folder;
  const resizeTool = join(folder, "grow");
  writeFileSync(resizeTool, `#!/bin/sh\necho "$1 $3" >> "${folder}/told"\n`);
  chmodSync(resizeTool, 0o755);
  const other = await openScene("devices", { resizeTool });
  try {
    await other.create("v");
    await other.use("v");
    await other.controllerExpand("v", 32n * MI);
    expect(await other.nodeExpand("v", 32n * MI)).toBe(32n * MI);
    expect(readFileSync(join(folder, "told"), "utf8")).toBe(`ext4 ${other.stagingPath("v")}\n`);
  } finally {
    await other.end();
  }
});

test("what this machine cannot do is said once, at the start", async ({ skip }) => {
  skip(why !== undefined, why);
  const said: string[] = [];
  const log = {
    debug() {},
    info() {},
    warn: (...words: unknown[]) => void said.push(String(words.at(-1))),
    error() {},
  };
  const folders = await openScene("folders", { log });
  await folders.create("v");
  await folders.use("v");
  await folders.end();
  expect(said).toEqual([expect.stringMatching(/^volumes of loop.csi.outgrow.dev are plain folders: /)]);
});

test("volumes made as plain folders are not mistaken for empty disks, nor the other way round", async ({ skip }) => {
  skip(why !== undefined, why);
  const data = join(scene.folder, "mixed");
  const folders = await openScene("folders", { folder: data });
  await folders.create("v");
  await folders.use("v");
  writeFileSync(join(folders.target("v"), "x"), "kept");
  await folders.end();
  const devices = await openScene("devices", { folder: data });
  await expect(devices.stage("v")).rejects.toEqual(failure("FailedPrecondition", "no loop devices"));
  await devices.end();
  expect(readFileSync(join(data, "volumes", "v", "files", "x"), "utf8")).toBe("kept");
});

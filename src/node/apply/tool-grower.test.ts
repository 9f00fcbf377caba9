/** A tool of the operator's own, on a real device. */
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Quantity } from "../../core/quantity.ts";
import type { PersistentVolume } from "../../core/types.ts";
import { FILE_SYSTEMS, mountDevice } from "../filesystem/index.ts";
import { type ScratchDisk, scratchDisk, whyNoDisks } from "../filesystem/testing/scratch-disk.ts";
import { toolGrower } from "./tool-grower.ts";

const why = whyNoDisks("ext4");
const never = new AbortController().signal;
const SIZE = Quantity.parse("64Mi");
const VOLUME: PersistentVolume = { metadata: { name: "pv-1" }, spec: {} };

let disk: ScratchDisk;
beforeEach(async () => {
  if (why === undefined) disk = await scratchDisk(SIZE.toBytes());
});
afterEach(async () => {
  if (why === undefined) await disk.remove();
});

/** A tool that writes down what it was called with, and ends with this code. */
function tool(exitCode: number): string {
  const path = join(disk.folder, "tool");
  writeFileSync(path, `#!/bin/sh\necho "$@" >> ${disk.folder}/called\necho no luck\nexit ${exitCode}\n`);
  chmodSync(path, 0o755);
  return path;
}
const place = () => ({ volumePath: disk.mountPath, stagingPath: "", readOnly: false });

test("is called with the type, the device and the mount, and its exit code is the answer", async ({ skip }) => {
  skip(why !== undefined, why);
  await FILE_SYSTEMS.ext4.make(disk.device);
  await mountDevice(disk.device, disk.mountPath, "ext4");
  expect(await toolGrower(tool(0)).expand(VOLUME, SIZE, place(), never)).toEqual({ kind: "expanded" });
  expect(readFileSync(join(disk.folder, "called"), "utf8")).toBe(`ext4 ${disk.device} ${disk.mountPath}\n`);
  expect(await toolGrower(tool(3)).expand(VOLUME, SIZE, place(), never)).toMatchObject({
    kind: "failed",
    final: true,
    message: expect.stringMatching(/failed \(exit code 3\): no luck$/) as unknown,
  });
});

test("has nothing to do for raw block, and fails where nothing is mounted", async ({ skip }) => {
  skip(why !== undefined, why);
  const block: PersistentVolume = { ...VOLUME, spec: { volumeMode: "Block" } };
  expect(await toolGrower(tool(1)).expand(block, SIZE, place(), never)).toEqual({ kind: "expanded" });
  expect(await toolGrower(tool(0)).expand(VOLUME, SIZE, place(), never)).toMatchObject({
    kind: "failed",
    message: `nothing is mounted at ${disk.mountPath}`,
  });
});

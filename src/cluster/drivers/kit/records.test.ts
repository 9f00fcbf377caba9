import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { holdFolder } from "./hold-folder.ts";
import { openRecords } from "./records.ts";
import type { VolumeRecord } from "./volume.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "outgrow-records-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const volume = (id: string): VolumeRecord => ({
  id,
  name: id,
  access: "mount",
  fsType: "ext4",
  parameters: { delay: "1s" },
  capacityBytes: 2n ** 60n + 1n,
  storageBytes: 2n ** 60n,
  nodeBytes: 0n,
  staged: [{ path: "/s", readOnly: false, mountFlags: ["noatime"] }],
  published: [{ path: "/p", stagedAt: "/s", readOnly: true }],
});

test("what was written is there after a restart, sizes beyond what a number can hold included", async () => {
  const records = await openRecords({ folder, durable: true });
  await records.put(volume("b"));
  await records.put(volume("a"));
  await records.put({ ...volume("a"), fsType: "xfs" });
  const after = await openRecords({ folder });
  expect(after.all()).toEqual([{ ...volume("a"), fsType: "xfs" }, volume("b")]);
  await after.remove("a");
  await after.remove("a");
  expect((await openRecords({ folder })).all()).toEqual([volume("b")]);
  expect(readdirSync(folder)).toEqual(["b"]);
});

test.each(["../../etc", "projects/p/disks/d", ".", "..", "a".repeat(128), "\0", "volume.x"])(
  "an id may be any text: %j stays within the folder",
  async (id) => {
    const records = await openRecords({ folder });
    await records.put(volume(id));
    expect(readdirSync(folder)).toHaveLength(1);
    expect((await openRecords({ folder })).need(id)).toEqual(volume(id));
    await records.remove(id);
    expect(readdirSync(folder)).toEqual([]);
  },
);

test("a volume that is not there is NotFound", async () => {
  const records = await openRecords({});
  expect(() => records.need("x")).toThrow(expect.objectContaining({ code: "NotFound" }));
  expect(records.folderOf("x")).toBeUndefined();
});

test("what a crash left of a volume without a record is swept away, and nothing else", async () => {
  await (await openRecords({ folder })).put(volume("a"));
  mkdirSync(join(folder, "half"));
  writeFileSync(join(folder, "half", "disk"), "");
  writeFileSync(join(folder, "half", "volume.json.new"), "{");
  const records = await openRecords({ folder });
  await records.sweep();
  expect(readdirSync(folder)).toEqual(["a"]);
});

test.each(["", "{", "{}", '{"id":"a","capacityBytes":"x"}'])(
  "a record that cannot be read stops the driver, and its data stays: %j",
  async (text) => {
    mkdirSync(join(folder, "a"));
    writeFileSync(join(folder, "a", "volume.json"), text);
    await expect(openRecords({ folder })).rejects.toMatchObject({
      code: "FILE_UNUSABLE",
      message: expect.stringContaining(`${join(folder, "a", "volume.json")} cannot be read: `) as string,
    });
    expect(existsSync(join(folder, "a"))).toBe(true);
  },
);

test("one driver has a folder, until it lets go", async () => {
  const hold = await holdFolder(folder);
  await expect(holdFolder(`${folder}/../${folder.split("/").at(-1)}`)).rejects.toMatchObject({ code: "FILE_UNUSABLE" });
  hold.release();
  hold.release();
  (await holdFolder(folder)).release();
});

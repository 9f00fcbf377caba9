import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openJournal, type Publication } from "./journal.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "journal-"));
});
afterEach(() => rm(folder, { recursive: true }));

const ENTRY: Publication = {
  podUid: "u1",
  volume: "pv-1",
  claim: "prod/data",
  driver: "memory",
  volumeHandle: "v1",
  volumePath: "/pods/u1/mount",
  stagingPath: "/staging",
  readOnly: false,
};

test("what was written is there after a restart, and what was removed is not", async () => {
  const first = await openJournal(folder);
  await first.put(ENTRY);
  await first.put({ ...ENTRY, volume: "pv-2" });
  await first.put({ ...ENTRY, podUid: "u2" });
  await first.remove({ ...ENTRY, podUid: "u2" });
  const second = await openJournal(folder);
  expect(second.of("u1")).toEqual([ENTRY, { ...ENTRY, volume: "pv-2" }]);
  expect(second.of("u2")).toEqual([]);
});

test("a draft that a crash left behind is nothing", async () => {
  await writeFile(join(folder, "u1.pv-1.json.new"), '{"podUid":');
  expect([...(await openJournal(folder)).all()]).toEqual([]);
});

test("an entry that cannot be read is not passed over: something may be mounted", async () => {
  await writeFile(join(folder, "u1.pv-1.json"), '{"podUid":');
  await expect(openJournal(folder)).rejects.toThrow(/u1\.pv-1\.json cannot be read: .*; unmount what was mounted/);
});

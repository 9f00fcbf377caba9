/** A disk without space: writes are refused cleanly, and succeed again when there is some. Needs a small file system of its own. */
import { spawnSync } from "node:child_process";
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Entry, openSqliteStore, StoreError } from "../../src/cluster/store/index.ts";
import { temporaryFolder } from "../../src/cluster/store/testing/temporary-folder.ts";

const SIZE = 4 * 2 ** 20;
const VALUE = JSON.stringify({ fill: "x".repeat(20_000) });

/** A file system of `SIZE` at this folder, until it is disposed of; undefined when this process may not mount one. */
function mountSmallDisk(folder: string): Disposable | undefined {
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${SIZE}`, "outgrow-test", folder]);
  if (mounted.status !== 0) return undefined;
  return { [Symbol.dispose]: () => void spawnSync("umount", ["--lazy", folder]) };
}

test("a full disk refuses writes and loses none; with space again, all goes on", async (context) => {
  using folder = temporaryFolder();
  using disk = mountSmallDisk(folder.path);
  context.skip(disk === undefined, "mounting a small file system is not allowed here");

  const file = folder.join("store.db");
  const ballast = folder.join("ballast");
  writeFileSync(ballast, Buffer.alloc(SIZE / 4));
  const store = openSqliteStore(file);
  const written: Entry[] = [];
  const refusals: unknown[] = [];
  const attempt = async (turn: number): Promise<void> => {
    // Several in one turn: they are one transaction, and come or go together.
    const outcomes = await Promise.allSettled([0, 1, 2].map((n) => store.create(`k/${turn}-${n}`, VALUE)));
    expect(new Set(outcomes.map(({ status }) => status)).size).toBe(1);
    for (const outcome of outcomes) {
      if (outcome.status === "fulfilled") written.push(outcome.value);
      else refusals.push(outcome.reason);
    }
  };
  const agrees = (): void => {
    const entries = store.list({ prefix: "" }).entries;
    expect(new Set(entries)).toEqual(new Set(written));
    expect(store.revision).toBe(written.at(-1)?.revision);
  };

  let turn = 0;
  while (refusals.length < 9) await attempt(turn++);
  for (const refusal of refusals) {
    expect(refusal).toBeInstanceOf(StoreError);
    expect(refusal).toMatchObject({ reason: "NoSpace", message: expect.stringContaining("the disk is full") });
  }
  expect(statfsSync(folder.path).bavail * 4096).toBeLessThan(SIZE / 4);
  agrees();

  rmSync(ballast);
  const before = written.length;
  await attempt(turn);
  expect(written.length).toBe(before + 3);
  agrees();
  await store.close();

  const again = openSqliteStore(file);
  expect(again.list({ prefix: "" }).entries).toEqual([...written].sort((a, b) => (a.key < b.key ? -1 : 1)));
  await again.close();
});

test("a store is not made on a full disk, and nothing half made is left", async (context) => {
  using folder = temporaryFolder();
  using disk = mountSmallDisk(folder.path);
  context.skip(disk === undefined, "mounting a small file system is not allowed here");

  const ballast = folder.join("ballast");
  expect(() => writeFileSync(ballast, Buffer.alloc(SIZE * 2))).toThrow("ENOSPC");
  const file = folder.join("store.db");
  expect(() => openSqliteStore(file)).toThrow(expect.objectContaining({ code: "STORE_UNUSABLE" }));
  rmSync(ballast);
  const store = openSqliteStore(file);
  expect(store.count("")).toBe(0);
  await store.close();
});

test("a store on a full disk can be opened and read, and written to when there is space again", async (context) => {
  using folder = temporaryFolder();
  using disk = mountSmallDisk(folder.path);
  context.skip(disk === undefined, "mounting a small file system is not allowed here");

  const file = folder.join("store.db");
  const ballast = folder.join("ballast");
  const store = openSqliteStore(file);
  const written = await Promise.all(Array.from({ length: 20 }, (_, n) => store.create(`k/${n}`, VALUE)));
  await store.close();
  expect(() => writeFileSync(ballast, Buffer.alloc(SIZE * 2))).toThrow("ENOSPC");

  const again = openSqliteStore(file);
  expect(new Set(again.list({ prefix: "" }).entries)).toEqual(new Set(written));
  await expect(again.create("k/new", VALUE)).rejects.toMatchObject({ reason: "NoSpace" });
  rmSync(ballast);
  await expect(again.create("k/new", VALUE)).resolves.toMatchObject({ key: "k/new" });
  await again.close();
});

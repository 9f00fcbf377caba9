/** One process at a time has a store. */
import { expect, test } from "vitest";
import { FIRST_REVISION, openSqliteStore } from "../../src/cluster/store/index.ts";
import { temporaryFolder } from "../../src/cluster/store/testing/temporary-folder.ts";
import { holdStore, raceForStore } from "./killed-writer.ts";

test.each([
  ["idle", 0],
  ["busy", 4],
])("a store that another, %s process has open is refused, the holder named; its death frees it", async (_, writers) => {
  using folder = temporaryFolder();
  const file = folder.join("store.db");
  const holder = await holdStore(file, writers);
  try {
    const who = process.platform === "linux" ? `process ${holder.pid}` : "another process";
    expect(() => openSqliteStore(file)).toThrow(
      expect.objectContaining({ code: "STORE_IN_USE", message: expect.stringContaining(`is in use by ${who};`) }),
    );
  } finally {
    await holder.kill();
  }
  const store = openSqliteStore(file);
  expect(await store.create("mine", "1")).toMatchObject({ key: "mine" });
  await store.close();
});

test("of several processes that make the same store at once, one has it and the others say so", async () => {
  using folder = temporaryFolder();
  const file = folder.join("store.db");
  const outcomes = await raceForStore(file, 4);
  expect(outcomes.filter((outcome) => outcome === "opened")).toHaveLength(1);
  for (const outcome of outcomes) expect(outcome).toMatch(/^opened$|STORE_IN_USE/);
  const store = openSqliteStore(file);
  expect(store.revision).toBe(FIRST_REVISION);
  await store.close();
});

/** One process at a time has a store. */
import { expect, test } from "vitest";
import { openSqliteStore } from "../../src/cluster/store/index.ts";
import { temporaryFolder } from "../../src/cluster/store/testing/temporary-folder.ts";
import { holdStore } from "./killed-writer.ts";

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

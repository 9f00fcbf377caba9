/** One process at a time has a store. */
import { expect, test } from "vitest";
import { openSqliteStore } from "../../src/cluster/store/index.ts";
import { temporaryFolder } from "../../src/cluster/store/testing/temporary-folder.ts";
import { startWriter } from "./killed-writer.ts";

test("a store that another process has open is refused, the holder named; its death frees it at once", async () => {
  using folder = temporaryFolder();
  const file = folder.join("store.db");
  const writer = await startWriter(file);
  try {
    const who = process.platform === "linux" ? `process ${writer.pid}` : "another process";
    expect(() => openSqliteStore(file)).toThrow(
      expect.objectContaining({ code: "STORE_IN_USE", message: expect.stringContaining(`is in use by ${who};`) }),
    );
  } finally {
    await writer.kill();
  }
  const store = openSqliteStore(file);
  expect(store.count("w")).toBeGreaterThan(0);
  await store.close();
});

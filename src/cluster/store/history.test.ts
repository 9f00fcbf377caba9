/** How much history is kept: by number, by age and by size, in memory and on disk alike. */
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { createManualTimers } from "../../kube/testing/manual-timers.ts";
import { createHistory, type HistoryLimits } from "./history.ts";
import { FIRST_REVISION, openMemoryStore, openSqliteStore, type RevisionedStore } from "./index.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";

const LIMITS: HistoryLimits = { events: 10, age: 1000, characters: 100 };

function historyOf(count: number, size = 0, written = 0) {
  const history = createHistory(0);
  for (let revision = 1; revision <= count; revision++) {
    const previous = { key: "k", revision: revision - 1, value: "x".repeat(size) };
    history.push({ event: { type: "deleted", revision, key: "k", previous }, written });
  }
  return history;
}

describe("the limits of history", () => {
  test.each([
    { what: "as many events as are kept", history: historyOf(10), now: 0, upTo: 0 },
    { what: "a tenth more, which waits for company", history: historyOf(11), now: 0, upTo: 0 },
    { what: "more than that", history: historyOf(12), now: 0, upTo: 2 },
    { what: "values larger than all may be together", history: historyOf(4, 30), now: 0, upTo: 1 },
    { what: "events that are just young enough", history: historyOf(3, 0, 500), now: 1500, upTo: 0 },
    { what: "events that are too old", history: historyOf(3, 0, 500), now: 1501, upTo: 3 },
  ])("with $what, compaction goes up to $upTo", ({ history, now, upTo }) => {
    expect(history.surplus(LIMITS, now)).toBe(upTo);
  });

  test("a gap is never stored", () => {
    const history = historyOf(3);
    const previous = { key: "k", revision: 3, value: "" };
    expect(() => history.push({ event: { type: "deleted", revision: 5, key: "k", previous }, written: 0 })).toThrow(
      "revision 5 does not follow 3",
    );
  });
});

describe.each([
  ["in memory", () => openMemoryStore],
  ["in a file", (file: string) => (options: Parameters<typeof openSqliteStore>[1]) => openSqliteStore(file, options)],
])("a store %s compacts by itself", (_, opener) => {
  const writeMany = async (store: RevisionedStore, count: number) => {
    let { revision } = await store.create("k", "0");
    for (let n = 1; n < count; n++) ({ revision } = await store.update("k", revision, String(n)));
  };
  const rowsIn = (file: string) => {
    const db = new DatabaseSync(file, { readOnly: true });
    try {
      return db
        .prepare("SELECT revision - ? AS n FROM log ORDER BY n")
        .all(FIRST_REVISION)
        .map(({ n }) => n);
    } finally {
      db.close();
    }
  };

  test("what is more than it keeps, when it is written", async () => {
    using folder = temporaryFolder();
    const file = folder.join("store.db");
    const store = opener(file)({ limits: { events: 10 } });
    await writeMany(store, 14);
    await new Promise(setImmediate);
    expect(store.revision - store.compacted).toBeLessThanOrEqual(11);
    expect(store.compacted).toBeGreaterThan(FIRST_REVISION);
    const kept = store.revision - store.compacted;
    await store.close();
    // What history needs: its own events, and the value before the first of them.
    if (existsSync(file)) expect(rowsIn(file)).toHaveLength(kept + 1);
  });

  test("what has grown old, when nobody writes", async () => {
    using folder = temporaryFolder();
    const file = folder.join("store.db");
    const timers = createManualTimers();
    const store = opener(file)({ limits: { age: 60_000 }, timers });
    await writeMany(store, 5);
    await timers.advance(50_000);
    expect(store.compacted).toBe(FIRST_REVISION);
    await timers.advance(20_000);
    expect(store.compacted).toBe(FIRST_REVISION + 5);
    expect(store.get("k")?.value).toBe("4");
    await store.close();
    expect(timers.pending).toBe(0);
    if (existsSync(file)) expect(rowsIn(file)).toEqual([5]);
  });
});

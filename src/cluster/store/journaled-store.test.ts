/** What the store makes of a journal that fails. Real disks that are full or damaged: test/store. */
import { describe, expect, test } from "vitest";
import { createManualTimers } from "../../kube/testing/manual-timers.ts";
import { DEFAULT_LIMITS, type HistoryItem } from "./history.ts";
import { createJournaledStore } from "./journaled-store.ts";
import { FIRST_REVISION } from "./revisioned-store.ts";
import { createState } from "./state.ts";
import { StoreError, type StoreReason } from "./store-error.ts";

function storeWithJournal({ events = DEFAULT_LIMITS.events } = {}) {
  const calls: { readonly call: "append" | "forget"; readonly revisions: readonly number[] }[] = [];
  const journal = { fails: undefined as StoreReason | undefined, closed: 0 };
  const record = (call: "append" | "forget") => (items: readonly HistoryItem[]) => {
    calls.push({ call, revisions: items.map(({ event }) => event.revision - FIRST_REVISION) });
    if (journal.fails !== undefined) throw new StoreError(journal.fails, "the journal failed");
    return undefined;
  };
  const timers = createManualTimers();
  const store = createJournaledStore({
    state: createState(FIRST_REVISION),
    journal: { append: record("append"), forget: record("forget"), close: () => void journal.closed++ },
    limits: { ...DEFAULT_LIMITS, events },
    timers,
  });
  return { store, journal, calls, timers };
}

test("the writes of one turn reach the journal together", async () => {
  const { store, calls } = storeWithJournal();
  await Promise.all([store.create("a", "1"), store.create("b", "1"), store.create("c", "1")]);
  await store.create("d", "1");
  expect(calls.map(({ revisions }) => revisions)).toEqual([[1, 2, 3], [4]]);
});

test("writes that are all refused reach no journal", async () => {
  const { store, calls } = storeWithJournal();
  await expect(store.delete("a", 1)).rejects.toMatchObject({ reason: "NotFound" });
  expect(calls).toEqual([]);
});

describe("while a batch is on its way to disk", () => {
  /** A store whose journal takes as long as the test says; what it was given, and the ends of it. */
  function storeWithSlowJournal() {
    const appended: number[][] = [];
    const forgotten: number[] = [];
    const ends: PromiseWithResolvers<void>[] = [];
    let closed = false;
    const store = createJournaledStore({
      state: createState(FIRST_REVISION),
      journal: {
        append(items) {
          appended.push(items.map(({ event }) => event.revision - FIRST_REVISION));
          const end = Promise.withResolvers<void>();
          ends.push(end);
          return end.promise;
        },
        forget: (items) => void forgotten.push(...items.map(({ event }) => event.revision - FIRST_REVISION)),
        close() {
          closed = true;
        },
      },
      limits: DEFAULT_LIMITS,
      timers: createManualTimers(),
    });
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    return { store, appended, forgotten, ends, turn, isClosed: () => closed };
  }

  test("nobody sees it, and those who come meanwhile form the next", async () => {
    const { store, appended, ends, turn } = storeWithSlowJournal();
    const first = store.create("a", "1");
    await turn();
    const more = [store.create("b", "1"), store.create("a", "2"), store.delete("b", FIRST_REVISION + 2)];
    await turn();
    await turn();
    expect([appended, store.get("a"), store.revision]).toEqual([[[1]], undefined, FIRST_REVISION]);
    ends[0]?.resolve();
    expect(await first).toMatchObject({ key: "a", revision: FIRST_REVISION + 1 });
    expect([appended, store.get("b")]).toEqual([[[1], [2, 3]], undefined]);
    ends[1]?.resolve();
    const [b, a, gone] = await Promise.allSettled(more);
    expect(b).toMatchObject({ value: { key: "b", revision: FIRST_REVISION + 2 } });
    expect(a).toMatchObject({ reason: { reason: "Exists" } });
    expect(gone).toMatchObject({ value: { type: "deleted", revision: FIRST_REVISION + 3 } });
    await store.close();
  });

  test("history is forgotten between two, however many follow each other", async () => {
    const { store, appended, ends, turn, forgotten } = storeWithSlowJournal();
    const writes = [store.create("a", "1")];
    await turn();
    const compacted = store.compact(FIRST_REVISION);
    writes.push(store.create("b", "1"));
    ends[0]?.resolve();
    await writes[0];
    const again = store.compact(FIRST_REVISION + 1);
    await turn();
    expect([appended, forgotten]).toEqual([[[1], [2]], []]);
    writes.push(store.create("c", "1"));
    ends[1]?.resolve();
    await writes[1];
    await Promise.all([compacted, again]);
    expect([appended, forgotten, store.compacted]).toEqual([[[1], [2], [3]], [1], FIRST_REVISION + 1]);
    ends[2]?.resolve();
    await Promise.all(writes);
    await store.close();
  });

  test("closing waits for it, and for what was asked for meanwhile", async () => {
    const { store, ends, turn, isClosed } = storeWithSlowJournal();
    const writes = [store.create("a", "1")];
    await turn();
    writes.push(store.create("b", "1"));
    const closing = store.close();
    await expect(store.create("c", "1")).rejects.toMatchObject({ reason: "Closed" });
    expect(isClosed()).toBe(false);
    ends[0]?.resolve();
    await writes[0];
    expect(isClosed()).toBe(false);
    ends[1]?.resolve();
    await Promise.all([closing, store.close()]);
    expect(await Promise.all(writes)).toHaveLength(2);
    expect(isClosed()).toBe(true);
  });

  test("a failure refuses it and everything after it", async () => {
    const { store, appended, ends, turn } = storeWithSlowJournal();
    const first = store.create("a", "1");
    await turn();
    const second = store.create("b", "1");
    const outcomes = Promise.allSettled([first, second]);
    ends[0]?.reject(new StoreError("Failed", "the disk is gone"));
    expect(await outcomes).toMatchObject([{ reason: { reason: "Failed" } }, { reason: { reason: "Failed" } }]);
    expect([store.get("a"), appended]).toEqual([undefined, [[1]]]);
    await store.close();
  });
});

describe("when there is no space", () => {
  test("none of a turn's writes has happened, and none was refused because of another", async () => {
    const { store, journal } = storeWithJournal();
    journal.fails = "NoSpace";
    const outcomes = await Promise.allSettled([store.create("a", "1"), store.create("a", "2")]);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { reason: "NoSpace" } });
    expect(store.get("a")).toBeUndefined();
    expect(store.revision).toBe(FIRST_REVISION);
  });

  test("later writes succeed, with the revisions that those would have had", async () => {
    const { store, journal } = storeWithJournal();
    journal.fails = "NoSpace";
    await expect(store.create("a", "1")).rejects.toThrow();
    journal.fails = undefined;
    expect(await store.create("a", "1")).toMatchObject({ revision: FIRST_REVISION + 1 });
  });

  test("history is kept, and compaction is tried again later", async () => {
    const { store, journal, calls } = storeWithJournal({ events: 2 });
    for (const key of ["a", "b"]) await store.create(key, "1");
    journal.fails = "NoSpace";
    await expect(store.compact(FIRST_REVISION + 1)).rejects.toMatchObject({ reason: "NoSpace" });
    expect(store.compacted).toBe(FIRST_REVISION);
    journal.fails = undefined;
    await store.create("c", "1");
    await new Promise(setImmediate);
    expect(calls.at(-1)).toEqual({ call: "forget", revisions: [1] });
    expect(store.compacted).toBe(FIRST_REVISION + 1);
  });
});

test("when the disk fails, what is there can be read, and nothing is written any more", async () => {
  const { store, journal, calls } = storeWithJournal();
  await store.create("a", "1");
  journal.fails = "Failed";
  await expect(store.create("b", "1")).rejects.toMatchObject({ reason: "Failed" });
  journal.fails = undefined;
  const asked = calls.length;
  await expect(store.create("c", "1")).rejects.toMatchObject({ reason: "Failed" });
  await expect(store.compact(store.revision)).rejects.toMatchObject({ reason: "Failed" });
  expect(calls).toHaveLength(asked);
  expect(store.list({ prefix: "" }).entries.map(({ key }) => key)).toEqual(["a"]);
  await store.close();
});

test("what has grown old waits for the next look, however much is written: each time costs a flush", async () => {
  const { store, calls, timers } = storeWithJournal();
  await store.create("a", "1");
  await timers.advance(DEFAULT_LIMITS.age + 1000);
  for (const key of ["b", "c", "d"]) await store.create(key, "1");
  expect(calls.filter(({ call }) => call === "forget")).toEqual([]);
  await timers.advance(5_000);
  expect(calls.filter(({ call }) => call === "forget")).toEqual([{ call: "forget", revisions: [1] }]);
});

test("large compactions are done in steps, with writes in between", async () => {
  const { store, calls } = storeWithJournal();
  await Promise.all(Array.from({ length: 1200 }, (_, n) => store.create(`k/${n}`, "1")));
  const compacting = store.compact(store.revision);
  const writing = store.create("between", "1");
  await Promise.all([compacting, writing]);
  const sizes = calls.map(({ call, revisions }) => [call, revisions.length]);
  expect(sizes).toEqual([
    ["append", 1200],
    ["forget", 500],
    ["forget", 500],
    ["append", 1],
    ["forget", 200],
  ]);
});

test("the journal is closed once, and compaction under way ends there", async () => {
  const { store, journal, calls } = storeWithJournal();
  await Promise.all(Array.from({ length: 1200 }, (_, n) => store.create(`k/${n}`, "1")));
  const compacting = store.compact(store.revision);
  await store.close();
  await store.close();
  await compacting;
  expect(calls.filter(({ call }) => call === "forget")).toHaveLength(1);
  expect(journal.closed).toBe(1);
});

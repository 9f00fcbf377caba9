/** What `RevisionedStore` promises, held against both stores. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FIRST_REVISION, openMemoryStore, openSqliteStore, type RevisionedStore, type StoreEvent } from "./index.ts";
import { readAll, take } from "./testing/read.ts";
import { type TemporaryFolder, temporaryFolder } from "./testing/temporary-folder.ts";

const openers = {
  "in memory": () => openMemoryStore(),
  "in a file": (folder: TemporaryFolder) => openSqliteStore(folder.join("store.db")),
};

describe.each(Object.entries(openers))("a store %s", (_, open) => {
  let folder: TemporaryFolder;
  let store: RevisionedStore;

  beforeEach(() => {
    folder = temporaryFolder();
    store = open(folder);
  });
  afterEach(async () => {
    await store.close();
    folder[Symbol.dispose]();
  });

  describe("writes", () => {
    test("each get the next revision, whatever the key", async () => {
      expect(store.revision).toBe(FIRST_REVISION);
      const a = await store.create("a", "1");
      const b = await store.create("b", "1");
      const second = await store.update("a", a.revision, "2");
      const gone = await store.delete("b", b.revision);
      expect([a, b, second, gone].map(({ revision }) => revision - FIRST_REVISION)).toEqual([1, 2, 3, 4]);
      expect(store.revision).toBe(FIRST_REVISION + 4);
    });

    test("give back what get finds from then on, the very same object", async () => {
      const created = await store.create("a", "1");
      expect(store.get("a")).toBe(created);
      expect(created).toEqual({ key: "a", revision: FIRST_REVISION + 1, value: "1" });
      const updated = await store.update("a", created.revision, "2");
      expect(store.get("a")).toBe(updated);
      await store.delete("a", updated.revision);
      expect(store.get("a")).toBeUndefined();
    });

    test("are seen by nobody before they are acknowledged", async () => {
      const seen: StoreEvent[] = [];
      const watch = store.watch("", store.revision);
      const reading = (async () => {
        for await (const events of watch) seen.push(...events);
      })();
      const writing = store.create("a", "1");
      expect(store.get("a")).toBeUndefined();
      expect(store.list({ prefix: "" }).entries).toEqual([]);
      expect(store.revision).toBe(FIRST_REVISION);
      await Promise.resolve();
      expect(seen).toEqual([]);
      await writing;
      expect(store.get("a")?.value).toBe("1");
      watch.stop();
      await reading;
      expect(seen).toHaveLength(1);
    });

    test("of one turn are decided in the order in which they were asked for", async () => {
      const outcomes = await Promise.allSettled([
        store.create("a", "first"),
        store.create("a", "second"),
        store.delete("a", FIRST_REVISION + 1),
        store.create("a", "third"),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
      expect(store.get("a")).toMatchObject({ value: "third", revision: FIRST_REVISION + 3 });
    });

    test("may make their value once the revision is known", async () => {
      const entry = await store.create("a", (revision) => `{"resourceVersion":"${revision}"}`);
      expect(entry.value).toBe(`{"resourceVersion":"${FIRST_REVISION + 1}"}`);
    });

    test("whose value cannot be made are rejected alone, and cost no revision", async () => {
      const [bad, good] = await Promise.allSettled([
        store.create("a", () => {
          throw new Error("cannot be made");
        }),
        store.create("b", "1"),
      ]);
      expect(bad).toMatchObject({ status: "rejected", reason: { message: "cannot be made" } });
      expect(good).toMatchObject({ value: { revision: FIRST_REVISION + 1 } });
    });

    test.each([
      ["a NUL", "\0"],
      ["half of a surrogate pair", "\ud800"],
    ])("with %s, which would not come back as it was, are refused", async (_name, text) => {
      await expect(store.create("a", `"${text}"`)).rejects.toMatchObject({ reason: "Unstorable" });
      await expect(store.create(`a${text}`, "1")).rejects.toMatchObject({ reason: "Unstorable" });
      expect(store.revision).toBe(FIRST_REVISION);
    });

    test("of what is there already are refused, and show it", async () => {
      const current = await store.create("a", "1");
      await expect(store.create("a", "2")).rejects.toMatchObject({ reason: "Exists", current });
      expect(store.revision).toBe(current.revision);
    });

    test("that expect another revision are refused, and show what is there", async () => {
      const old = await store.create("a", "1");
      const current = await store.update("a", old.revision, "2");
      await expect(store.update("a", old.revision, "3")).rejects.toMatchObject({ reason: "Conflict", current });
      await expect(store.delete("a", old.revision)).rejects.toMatchObject({ reason: "Conflict", current });
      expect(store.get("a")).toBe(current);
    });

    test("to what is not there are refused", async () => {
      await expect(store.update("a", 1, "1")).rejects.toMatchObject({ reason: "NotFound" });
      await expect(store.delete("a", 1)).rejects.toMatchObject({ reason: "NotFound" });
    });
  });

  describe("lists", () => {
    const fill = (...keys: string[]) => Promise.all(keys.map((key) => store.create(key, `of ${key}`)));
    const keysOf = (prefix: string) => store.list({ prefix }).entries.map(({ key }) => key);

    test("are in the order of keys, whatever order they were written in", async () => {
      await fill("pods/b/x", "pods/a/y", "pods/a-b/z", "pods/a/x");
      expect(keysOf("pods/")).toEqual(["pods/a-b/z", "pods/a/x", "pods/a/y", "pods/b/x"]);
    });

    test("have what begins with the prefix and nothing beside it", async () => {
      await fill("pods/a/x", "pods/ab/x", "podsx/a", "pod/a", "pods/a/");
      expect(keysOf("pods/a/")).toEqual(["pods/a/", "pods/a/x"]);
      expect(store.count("pods/a/")).toBe(2);
      expect(store.count("pods/")).toBe(3);
      expect(store.count("")).toBe(5);
      expect(store.count("none")).toBe(0);
    });

    test("come in pages of one revision, whatever is written in between", async () => {
      const [, b] = await fill("k/a", "k/b", "k/c", "k/d", "k/e");
      const first = store.list({ prefix: "k/", limit: 2 });
      expect(first).toMatchObject({ remaining: 3, next: "k/b" });

      const c = store.get("k/c")!;
      await Promise.all([
        store.update("k/c", c.revision, "new"),
        store.create("k/cc", "new"),
        store.delete("k/d", store.get("k/d")!.revision),
        store.delete("k/b", b!.revision),
      ]);
      const rest = store.list({ prefix: "k/", after: first.next, revision: first.revision, limit: 2 });
      expect(rest.entries.map(({ key, value }) => [key, value])).toEqual([
        ["k/c", "of k/c"],
        ["k/d", "of k/d"],
      ]);
      expect(rest).toMatchObject({ revision: first.revision, remaining: 1, next: "k/d" });
      const last = store.list({ prefix: "k/", after: rest.next, revision: first.revision, limit: 2 });
      expect(last).toMatchObject({ entries: [{ key: "k/e" }], remaining: 0, next: undefined });
      expect(keysOf("k/")).toEqual(["k/a", "k/c", "k/cc", "k/e"]);
    });

    test("as of a revision that is compacted, or not there yet, are refused", async () => {
      await fill("k/a", "k/b");
      const { revision } = store;
      await fill("k/c");
      await store.compact(revision);
      expect(store.list({ prefix: "k/", revision }).entries).toHaveLength(2);
      expect(() => store.list({ prefix: "k/", revision: revision - 1 })).toThrow(
        expect.objectContaining({ reason: "Compacted" }),
      );
      expect(() => store.list({ prefix: "k/", revision: store.revision + 1 })).toThrow(
        expect.objectContaining({ reason: "FutureRevision" }),
      );
    });

    test("take a limit of 0 for none", async () => {
      await fill("k/a", "k/b");
      expect(store.list({ prefix: "k/", limit: 0 })).toMatchObject({ remaining: 0, next: undefined });
      expect(store.list({ prefix: "k/", limit: 0 }).entries).toHaveLength(2);
    });
  });

  describe("watches", () => {
    test("give every event behind their revision in order, with what was there before", async () => {
      const a = await store.create("k/a", "1");
      const b = await store.update("k/a", a.revision, "2");
      const gone = await store.delete("k/a", b.revision);
      const events = await take(store.watch("k/", FIRST_REVISION), 3);
      expect(events).toEqual([
        { type: "created", revision: a.revision, key: "k/a", entry: a },
        { type: "updated", revision: b.revision, key: "k/a", entry: b, previous: a },
        { type: "deleted", revision: gone.revision, key: "k/a", previous: b },
      ]);
      expect(await take(store.watch("k/", b.revision), 1)).toEqual([events[2]]);
    });

    test("go on with what happens later, and pass over other keys", async () => {
      const watch = store.watch("k/", store.revision);
      const reading = take(watch, 2);
      await store.create("k/a", "1");
      await store.create("other", "1");
      await store.create("k/b", "1");
      expect((await reading).map(({ key }) => key)).toEqual(["k/a", "k/b"]);
    });

    test("say how far they have come, also past keys that are not theirs", async () => {
      const watch = store.watch("k/", store.revision);
      const reading = take(watch, 1);
      await store.create("other", "1");
      expect(watch.revision).toBe(store.revision);
      await store.create("k/a", "1");
      await reading;
      expect(watch.revision).toBe(store.revision);
    });

    test("that history has left behind are ended, with no event passed over", async () => {
      const watch = store.watch("", store.revision);
      for (let n = 0; n < 10; n++) await store.create(`k/${n}`, "1");
      await store.compact(store.revision - 2);
      await expect(readAll(watch)).rejects.toMatchObject({ reason: "Compacted" });
    });

    test("that wait are not ended by compaction: they have seen it all", async () => {
      const watch = store.watch("", store.revision);
      const reading = take(watch, 2);
      await store.create("a", "1");
      await new Promise(setImmediate);
      await store.compact(store.revision);
      await store.create("b", "1");
      expect((await reading).map(({ key }) => key)).toEqual(["a", "b"]);
    });

    test("cannot begin before history does, nor behind its end", async () => {
      await store.create("a", "1");
      await store.compact(store.revision);
      expect(() => store.watch("", store.revision - 1)).toThrow(expect.objectContaining({ reason: "Compacted" }));
      expect(() => store.watch("", store.revision + 1)).toThrow(expect.objectContaining({ reason: "FutureRevision" }));
      store.watch("", store.revision).stop();
    });

    test("end when they are stopped, before and while somebody reads", async () => {
      const before = store.watch("", store.revision);
      before.stop();
      before.stop();
      expect(await readAll(before)).toEqual([]);
      const during = store.watch("", store.revision);
      const reading = readAll(during);
      during.stop();
      expect(await reading).toEqual([]);
    });
  });

  describe("compaction", () => {
    test("keeps what is current, and takes no revision back", async () => {
      const a = await store.create("a", "1");
      const b = await store.create("b", "1");
      await store.delete("b", b.revision);
      await store.compact(store.revision);
      expect(store.compacted).toBe(FIRST_REVISION + 3);
      expect(store.get("a")).toBe(a);
      expect((await store.create("c", "1")).revision).toBe(FIRST_REVISION + 4);
    });

    test("of what is gone already does nothing, of what is to come is refused", async () => {
      await store.create("a", "1");
      await store.compact(FIRST_REVISION - 5);
      expect(store.compacted).toBe(FIRST_REVISION);
      await expect(store.compact(store.revision + 1)).rejects.toMatchObject({ reason: "FutureRevision" });
    });
  });

  describe("closing", () => {
    test("brings what was asked for to an end, and refuses the rest", async () => {
      const writing = store.create("a", "1");
      const reading = readAll(store.watch("", store.revision));
      await Promise.all([store.close(), expect(reading).rejects.toMatchObject({ reason: "Closed" })]);
      expect((await writing).revision).toBe(FIRST_REVISION + 1);
      await expect(store.create("b", "1")).rejects.toMatchObject({ reason: "Closed" });
      await expect(store.compact(FIRST_REVISION)).rejects.toMatchObject({ reason: "Closed" });
      expect(() => store.get("a")).toThrow(expect.objectContaining({ reason: "Closed" }));
      expect(() => store.list({ prefix: "" })).toThrow(expect.objectContaining({ reason: "Closed" }));
      expect(() => store.watch("", FIRST_REVISION)).toThrow(expect.objectContaining({ reason: "Closed" }));
    });

    test("may be done twice", async () => {
      await store.close();
      await expect(store.close()).resolves.toBeUndefined();
    });
  });
});

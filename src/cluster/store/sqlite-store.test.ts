/** What only a store in a file has: it is there again, its file may be old, new or somebody else's, and one process has it. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { FIRST_REVISION, openSqliteStore, type StoreOptions } from "./index.ts";
import { rowChecksum } from "./sqlite/checksum.ts";
import { lockHolder } from "./sqlite/lock-holder.ts";
import { APPLICATION_ID, SCHEMA_VERSION } from "./sqlite/schema.ts";
import { take } from "./testing/read.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";

/** The events of the fixture are from 2023. */
const KEEP_OLD: StoreOptions = { limits: { age: Number.POSITIVE_INFINITY } };

/** Runs SQL on a file, which is made when it is not there. */
function runSql(file: string, sql: string): void {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}

describe("a store that is opened again", () => {
  test("has its entries, its revision and its history, and goes on from there", async () => {
    using folder = temporaryFolder();
    const file = folder.join("store.db");
    const store = openSqliteStore(file);
    const a = await store.create("k/a", "1");
    const b = await store.create("k/b", "1");
    const a2 = await store.update("k/a", a.revision, "2");
    await store.delete("k/b", b.revision);
    const before = await take(store.watch("", FIRST_REVISION), 4);
    await store.close();

    const again = openSqliteStore(file);
    expect(again.list({ prefix: "" })).toMatchObject({ entries: [a2], revision: FIRST_REVISION + 4 });
    expect(again.list({ prefix: "", revision: b.revision }).entries).toEqual([a, b]);
    expect(await take(again.watch("", FIRST_REVISION), 4)).toEqual(before);
    expect((await again.create("k/c", "1")).revision).toBe(FIRST_REVISION + 5);
    await again.close();
  });

  test("takes no revision back when history and all objects are gone", async () => {
    using folder = temporaryFolder();
    const file = folder.join("store.db");
    const store = openSqliteStore(file);
    const { revision } = await store.create("k", "1");
    await store.delete("k", revision);
    await store.compact(store.revision);
    await store.close();
    const again = openSqliteStore(file);
    expect(again).toMatchObject({ revision: FIRST_REVISION + 2, compacted: FIRST_REVISION + 2 });
    await again.close();
  });

  test("keeps texts as they were, of every alphabet and also empty", async () => {
    using folder = temporaryFolder();
    const file = folder.join("store.db");
    const texts = ["", "é", "𝄞", "\u0001\n\t", "\u2028", "x".repeat(2_000_000)];
    const store = openSqliteStore(file);
    await Promise.all(texts.map((text, index) => store.create(`k/${index}`, text)));
    await store.close();
    const again = openSqliteStore(file);
    expect(again.list({ prefix: "" }).entries.map(({ value }) => value)).toEqual(texts);
    await again.close();
  });
});

describe("a new store", () => {
  test("is one file that only its owner may read, with nothing beside it once it is closed", async () => {
    using folder = temporaryFolder();
    const file = folder.join("store.db");
    const store = openSqliteStore(file);
    await store.create("k", "1");
    for (const name of readdirSync(folder.path)) expect(statSync(folder.join(name)).mode & 0o077).toBe(0);
    await store.close();
    expect(readdirSync(folder.path).filter((name) => !name.endsWith("-shm"))).toEqual(["store.db"]);
  });

  test("is not made in a folder that is not there", () => {
    using folder = temporaryFolder();
    const file = folder.join("none", "store.db");
    expect(() => openSqliteStore(file)).toThrow(expect.objectContaining({ code: "STORE_UNUSABLE" }));
    expect(() => openSqliteStore(file)).toThrow(/none.*check that its folder is there/);
  });

  test("is not made in a folder that cannot be written to", ({ skip }) => {
    skip(process.getuid?.() === 0, "root may write anywhere");
    using folder = temporaryFolder();
    chmodSync(folder.path, 0o500);
    expect(() => openSqliteStore(folder.join("store.db"))).toThrow(expect.objectContaining({ code: "STORE_UNUSABLE" }));
  });
});

describe("a file of version 1", () => {
  const fixture = readFileSync(new URL("testdata/schema-1.sql", import.meta.url), "utf8");

  test("is brought up to date with all that is in it", async () => {
    using folder = temporaryFolder();
    const file = folder.join("store.db");
    runSql(file, fixture);
    const store = openSqliteStore(file, KEEP_OLD);
    expect(store).toMatchObject({ revision: 1005, compacted: 1002 });
    expect(store.list({ prefix: "" }).entries).toEqual([
      { key: "k/a", revision: 1003, value: '{"n":3}' },
      { key: "k/c", revision: 1005, value: "" },
    ]);
    expect(store.list({ prefix: "", revision: 1002 }).entries).toEqual([
      { key: "k/a", revision: 1001, value: '{"n":1,"name":"é𝄞"}' },
      { key: "k/b", revision: 1002, value: '{"n":2}' },
    ]);
    await store.update("k/a", 1003, "new");
    await store.close();

    const again = openSqliteStore(file, KEEP_OLD);
    expect(again.get("k/a")?.value).toBe("new");
    await again.close();
    const db = new DatabaseSync(file, { readOnly: true });
    expect(db.prepare("PRAGMA user_version").get()).toEqual({ user_version: SCHEMA_VERSION });
    db.close();
  });
});

describe("a file that is refused is left as it is", () => {
  const header = (version: number) =>
    `PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${version}; CREATE TABLE x (y);`;

  test.each<[string, string, (file: string) => void]>([
    ["text", "STORE_FOREIGN", (file) => writeFileSync(file, "just some notes\n".repeat(100))],
    ["a short text", "STORE_FOREIGN", (file) => writeFileSync(file, "x")],
    ["the mere beginning of a database", "STORE_FOREIGN", (file) => writeFileSync(file, "SQLite format 3\0")],
    ["another program's database", "STORE_FOREIGN", (file) => runSql(file, "CREATE TABLE x (y)")],
    ["an empty file", "STORE_DAMAGED", (file) => writeFileSync(file, "")],
    ["a newer version's store", "STORE_TOO_NEW", (file) => runSql(file, header(SCHEMA_VERSION + 1))],
    ["a store of no version", "STORE_DAMAGED", (file) => runSql(file, header(0))],
    ["a store without its tables", "STORE_DAMAGED", (file) => runSql(file, header(SCHEMA_VERSION))],
  ])("%s: %s", (_, code, make) => {
    using folder = temporaryFolder();
    const file = folder.join("store.db");
    make(file);
    const before = readFileSync(file);
    expect(() => openSqliteStore(file)).toThrow(expect.objectContaining({ code }));
    expect(() => openSqliteStore(file)).toThrow(file);
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(folder.path).filter((name) => !/-(?:shm|wal)$/.test(name))).toEqual(["store.db"]);
  });

  test("a folder: STORE_FOREIGN", () => {
    using folder = temporaryFolder();
    mkdirSync(folder.join("store.db"));
    expect(() => openSqliteStore(folder.join("store.db"))).toThrow(expect.objectContaining({ code: "STORE_FOREIGN" }));
  });

  test("a log without its file: STORE_DAMAGED", () => {
    using folder = temporaryFolder();
    writeFileSync(folder.join("store.db-wal"), "newest writes");
    expect(() => openSqliteStore(folder.join("store.db"))).toThrow(expect.objectContaining({ code: "STORE_DAMAGED" }));
    expect(readdirSync(folder.path)).toEqual(["store.db-wal"]);
  });
});

describe("rows that do not add up, though each of them is as it was written, are refused", () => {
  /** The revisions that are left behind: 1 is current, 2 was replaced by 4, 3 was deleted by 5. */
  const make = async (file: string): Promise<void> => {
    const store = openSqliteStore(file);
    const [, b, c] = await Promise.all([store.create("a", "1"), store.create("b", "1"), store.create("c", "1")]);
    await store.compact(store.revision);
    await store.update("b", b.revision, "2");
    await store.delete("c", c.revision);
    await store.close();
  };
  const row = (revision: number, key: string, previous: number, value: string | null) => {
    const checksum = rowChecksum({ revision, key, previous, value, written: 0 });
    const text = value === null ? "NULL" : `'${value}'`;
    return `INSERT INTO log VALUES (${revision}, '${key}', ${previous}, ${text}, 0, ${checksum})`;
  };

  test.each([
    ["a value that was replaced is missing", "DELETE FROM log WHERE revision = 1002", "lacks what comes before"],
    ["an event is missing", "DELETE FROM log WHERE revision = 1004", "lacks what comes before revision 1005"],
    ["a deletion of nothing", row(1006, "none", 0, null), "deletes at revision 1006 what was not there"],
    ["a key that was created twice", row(1006, "a", 0, "2"), "lacks what comes before revision 1006"],
    ["two values of one key before history", row(999, "a", 0, "0"), "has no use for revision 1001"],
    ["a deletion before history", row(999, "d", 0, null), "has no use for revision 999"],
    ["no horizon", "DELETE FROM horizon", "does not say where its history begins"],
    ["another horizon", "UPDATE horizon SET compacted = 1004", "does not say where its history begins"],
  ])("%s", async (_, sql, message) => {
    using folder = temporaryFolder();
    const file = folder.join("store.db");
    await make(file);
    runSql(file, sql);
    expect(() => openSqliteStore(file)).toThrow(
      expect.objectContaining({ code: "STORE_DAMAGED", message: expect.stringContaining(message) }),
    );
  });
});

describe("a store that is open", () => {
  test("is not opened a second time in the same process, under whatever name, and keeps its lock", async () => {
    using folder = temporaryFolder();
    const file = folder.join("store.db");
    const store = openSqliteStore(file);
    symlinkSync(file, folder.join("other.db"));
    for (const name of ["store.db", "other.db"]) {
      expect(() => openSqliteStore(folder.join(name))).toThrow(expect.objectContaining({ code: "STORE_IN_USE" }));
    }
    if (process.platform === "linux") expect(lockHolder(file)).toBe(process.pid);
    await store.close();
    const again = openSqliteStore(file);
    await again.close();
  });
});

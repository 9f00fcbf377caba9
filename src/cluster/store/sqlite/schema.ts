/**
 * The tables of a store file, and how files of older versions become files of this one.
 *
 * `log` has one row per write that is current or that history still needs, and nothing else: a value is written once, to the
 * end of the table, and taken out when history has moved past the write that replaced it. `horizon` has one row: the
 * revision up to which history is gone. The newest revision is that of the last row, or the horizon.
 */
import type { DatabaseSync } from "node:sqlite";
import { FIRST_REVISION } from "../revisioned-store.ts";
import { horizonChecksum, rowChecksum } from "./checksum.ts";

/** "OGRW", at a fixed place in the header of the file: how a file says that it is ours. */
export const APPLICATION_ID = 0x4f475257;
/** 1: the tables. 2: checksums, since SQLite does not notice when bytes inside a value change. */
export const SCHEMA_VERSION = 2;

/** Makes the tables in an empty file. */
export function createSchema(db: DatabaseSync): void {
  db.exec(`
    PRAGMA application_id = ${APPLICATION_ID};
    CREATE TABLE log (
      revision INTEGER PRIMARY KEY,
      key TEXT NOT NULL,
      previous INTEGER NOT NULL, -- the write that this one replaces; 0 when the key was not there
      value TEXT, -- NULL: deleted
      written INTEGER NOT NULL, -- milliseconds since the epoch
      checksum INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE horizon (compacted INTEGER NOT NULL, checksum INTEGER NOT NULL) STRICT;
    INSERT INTO horizon VALUES (${FIRST_REVISION}, ${horizonChecksum(FIRST_REVISION)});
    PRAGMA user_version = ${SCHEMA_VERSION};
  `);
}

/** By the version they start from: each step leads to the next version. */
const MIGRATIONS: ReadonlyMap<number, (db: DatabaseSync) => void> = new Map([[1, addChecksums]]);

/** Whether there is a way from this version to the present one. */
export function canMigrate(version: number): boolean {
  return MIGRATIONS.has(version);
}

/** Brings the tables to the present version. The caller holds the transaction, and knows that there is a way. */
export function migrate(db: DatabaseSync, from: number): void {
  for (let version = from; version < SCHEMA_VERSION; version++) MIGRATIONS.get(version)?.(db);
  db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
}

function addChecksums(db: DatabaseSync): void {
  db.function("row_checksum", (revision, key, previous, value, written) =>
    rowChecksum({
      revision: Number(revision),
      key: String(key),
      previous: Number(previous),
      value: value === null ? null : String(value),
      written: Number(written),
    }),
  );
  db.function("horizon_checksum", (compacted) => horizonChecksum(Number(compacted)));
  db.exec(`
    ALTER TABLE log ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE horizon ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
    UPDATE log SET checksum = row_checksum(revision, key, previous, value, written);
    UPDATE horizon SET checksum = horizon_checksum(compacted);
  `);
}

/**
 * From a path to an open database and what is in it.
 *
 * A file is first read through a connection that cannot write, and checked to the last row: what is damaged or too new is left as
 * it is, down to the write-ahead log, which a connection that may write would move into the file. Only then is it opened for
 * writing, with a lock that the system takes back when this process ends, however it ends.
 */
import { DatabaseSync } from "node:sqlite";
import { messageOf, OutgrowError } from "../../../core/errors.ts";
import type { State } from "../state.ts";
import { createStoreFile } from "./create-file.ts";
import { storeFileExists } from "./file-header.ts";
import { DamageFound, loadLog, readHorizon } from "./load-log.ts";
import { lockHolder } from "./lock-holder.ts";
import { canMigrate, migrate, SCHEMA_VERSION } from "./schema.ts";
import { isSqliteError, SQLITE_BUSY, SYSTEM_CODES } from "./sqlite-error.ts";
import { lossInWal } from "./wal-scan.ts";

/** Past this the write-ahead log is cut back once its content has moved into the file. */
const WAL_LIMIT = 16 * 2 ** 20;

export interface OpenFile {
  readonly db: DatabaseSync;
  readonly state: State;
}

/** Makes the file when there is none. Throws the `STORE_` errors of core/errors.ts. */
export function openStoreFile(file: string): OpenFile {
  try {
    if (!storeFileExists(file)) createStoreFile(file);
    const version = readOnly(file, (db) => examine(db, file));
    if (version < SCHEMA_VERSION) migrateFile(file, version);
    const state = readOnly(file, loadLog);
    return { state, db: openForWriting(file, (db) => assertUnchanged(db, file, state)) };
  } catch (error) {
    throw explain(file, error);
  }
}

function readOnly<T>(file: string, read: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

/** The version of the schema, known and understood, of a file that hangs together. */
function examine(db: DatabaseSync, file: string): number {
  const version = Number(db.prepare("PRAGMA user_version").get()?.user_version);
  if (version > SCHEMA_VERSION) {
    throw new OutgrowError(
      "STORE_TOO_NEW",
      `${file} was written by a newer Outgrow (schema ${version}, this one knows up to ${SCHEMA_VERSION}); use that one`,
    );
  }
  if (version !== SCHEMA_VERSION && !canMigrate(version)) throw new DamageFound(`has no schema ${version}`);
  // Only now, with the lock that reading took: nobody writes to the log that is looked at.
  const loss = lossInWal(file);
  if (loss !== undefined) throw new DamageFound(loss);
  const found = db.prepare("PRAGMA integrity_check(1)").get()?.integrity_check;
  if (found !== "ok") throw new DamageFound(`does not hang together: ${String(found)}`);
  return version;
}

function migrateFile(file: string, from: number): void {
  openForWriting(file, (db) => {
    db.exec("BEGIN IMMEDIATE");
    migrate(db, from);
    db.exec("COMMIT");
  }).close();
}

/** Opens and locks; when `prepare` fails, or the lock is taken, it is closed again. */
function openForWriting(file: string, prepare: (db: DatabaseSync) => void): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    db.exec(`
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL; -- of a transaction, the journal flushes the log itself
      PRAGMA fullfsync = ON; -- on macOS, fsync alone stops at the drive's cache
      PRAGMA journal_size_limit = ${WAL_LIMIT};
    `);
    prepare(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Another process may have had the file between the look at it and the lock. */
function assertUnchanged(db: DatabaseSync, file: string, { history }: State): void {
  const newest = db.prepare("SELECT max(revision) AS revision FROM log").get()?.revision ?? 0;
  const horizon = readHorizon(db);
  if (horizon !== history.compacted || Math.max(Number(newest), horizon) !== history.revision) throw inUse(file);
}

function explain(file: string, error: unknown): unknown {
  if (error instanceof OutgrowError) return error;
  if (isSqliteError(error, SQLITE_BUSY)) return inUse(file, error);
  const isSystemError = error instanceof Error && "syscall" in error;
  if (isSystemError || isSqliteError(error, ...SYSTEM_CODES)) {
    const message = `${file} cannot be opened: ${messageOf(error)}; check that its folder is there, can be written to and has space`;
    return new OutgrowError("STORE_UNUSABLE", message, { cause: error });
  }
  const what = error instanceof DamageFound ? error.message : `cannot be read: ${messageOf(error)}`;
  const message = `${file} ${what}; it was left as it is. Restore it from a copy, or move it and ${file}-wal away to begin anew`;
  return new OutgrowError("STORE_DAMAGED", message, { cause: error });
}

function inUse(file: string, cause?: unknown): OutgrowError {
  const pid = lockHolder(file);
  const holder = pid === undefined ? "another process" : `process ${pid}`;
  const message = `${file} is in use by ${holder}; stop that one, or name another place`;
  return new OutgrowError("STORE_IN_USE", message, { cause });
}

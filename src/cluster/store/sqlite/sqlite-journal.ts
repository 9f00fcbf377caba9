/** Events in the table `log` of an open store file. */
import { closeSync, fdatasync, fdatasyncSync, openSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { messageOf } from "../../../core/errors.ts";
import type { HistoryItem } from "../history.ts";
import type { Journal } from "../journal.ts";
import { StoreError } from "../store-error.ts";
import { horizonChecksum, type LogRow, rowChecksum } from "./checksum.ts";
import { isSqliteError, SQLITE_FULL } from "./sqlite-error.ts";

const flushAside = promisify(fdatasync);

/**
 * Takes the database in `file` over: closing the journal closes it.
 *
 * SQLite writes a transaction to the end of its write-ahead log; here that log is flushed, before anybody hears of the transaction.
 * SQLite could do so itself (`synchronous = FULL`), but the process would stand still meanwhile; so it stays with the flushes that keep the
 * file whole (`NORMAL`), and many writes are flushed aside, while the next ones are read and decided.
 */
export function createSqliteJournal(db: DatabaseSync, file: string): Journal {
  const log = openSync(`${file}-wal`, "r+");
  const begin = db.prepare("BEGIN IMMEDIATE");
  const commit = db.prepare("COMMIT");
  const insert = db.prepare(
    "INSERT INTO log (revision, key, previous, value, written, checksum) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const remove = db.prepare("DELETE FROM log WHERE revision = ?");
  const moveHorizon = db.prepare("UPDATE horizon SET compacted = ?, checksum = ?");

  const transact = (act: () => void): void => {
    try {
      begin.run();
      act();
      commit.run();
    } catch (error) {
      if (isSqliteError(error, SQLITE_FULL) && rolledBack(db)) {
        throw new StoreError("NoSpace", `${file} cannot grow: the disk is full; nothing was written`, { cause: error });
      }
      rolledBack(db);
      throw failed(error);
    }
  };

  const failed = (error: unknown): StoreError => {
    const message = `writing to ${file} failed: ${messageOf(error)}; restart to see what reached the disk`;
    return new StoreError("Failed", message, { cause: error });
  };

  const flush = (): void => {
    try {
      fdatasyncSync(log);
    } catch (error) {
      throw failed(error);
    }
  };

  const flushMeanwhile = async (): Promise<void> => {
    try {
      await flushAside(log);
    } catch (error) {
      throw failed(error);
    }
  };

  return {
    append(items) {
      transact(() => {
        for (const item of items) {
          const row = rowOf(item);
          insert.run(row.revision, row.key, row.previous, row.value, row.written, rowChecksum(row));
        }
      });
      // Another thread would take longer to be told than a writer who is alone can gain.
      if (items.length > 1) return flushMeanwhile();
      flush();
      return undefined;
    },
    forget(items) {
      transact(() => {
        for (const { event } of items) {
          if (event.type !== "created") remove.run(event.previous.revision);
          if (event.type === "deleted") remove.run(event.revision);
        }
        const compacted = items.at(-1)?.event.revision;
        if (compacted !== undefined) moveHorizon.run(compacted, horizonChecksum(compacted));
      });
      // Of an unflushed log a power cut may leave anything. One transaction that is torn looks like that; two look like damage.
      flush();
    },
    close() {
      closeSync(log);
      db.close();
    },
  };
}

function rowOf({ event, written }: HistoryItem): LogRow {
  const { revision, key } = event;
  return {
    revision,
    key,
    previous: event.type === "created" ? 0 : event.previous.revision,
    value: event.type === "deleted" ? null : event.entry.value,
    written,
  };
}

/** Ends what was begun, unless SQLite did so itself. Whether it worked. */
function rolledBack(db: DatabaseSync): boolean {
  try {
    if (db.isTransaction) db.exec("ROLLBACK");
    return true;
  } catch {
    return false;
  }
}

/** The store in one SQLite file: everything in memory as well, so that reading never touches the disk. */
import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { OutgrowError } from "../../core/errors.ts";
import { systemTimers } from "../../kube/timers.ts";
import { DEFAULT_LIMITS } from "./history.ts";
import { createJournaledStore } from "./journaled-store.ts";
import type { RevisionedStore } from "./revisioned-store.ts";
import { openStoreFile } from "./sqlite/open-file.ts";
import { createSqliteJournal } from "./sqlite/sqlite-journal.ts";
import type { StoreOptions } from "./store-options.ts";

/**
 * Files that this process has open. The locks of POSIX are those of a process, not of a connection: opening a file a second
 * time, even only to look at its header, would end the lock on it.
 */
const openHere = new Set<string>();

/**
 * Opens the store in this file, and makes it when it is not there; its folder must be. Who opens it closes it. While it is open, this
 * process must not open the file by other means, which would end the lock on it; copies are made from other processes.
 *
 * Throws an `OutgrowError`: `STORE_IN_USE` when this or another process has it open, `STORE_FOREIGN` when it is something
 * else, `STORE_DAMAGED` when it is not as it was written, `STORE_TOO_NEW` when a later version wrote it, `STORE_UNUSABLE`
 * when the system does not let us. All of these leave it as it is.
 */
export function openSqliteStore(file: string, { limits, timers }: StoreOptions = {}): RevisionedStore {
  const path = realPathOf(file);
  if (openHere.has(path)) {
    throw new OutgrowError("STORE_IN_USE", `${path} is in use by this process; close it there first`);
  }
  const { db, state } = openStoreFile(path);
  openHere.add(path);
  const journal = createSqliteJournal(db, path);
  return createJournaledStore({
    state,
    journal: {
      ...journal,
      close() {
        openHere.delete(path);
        journal.close();
      },
    },
    limits: { ...DEFAULT_LIMITS, ...limits },
    timers: timers ?? systemTimers,
  });
}

/** One name per file, also for one that is not there yet. */
function realPathOf(file: string): string {
  const absolute = resolve(file);
  try {
    return realpathSync(absolute);
  } catch {
    try {
      return join(realpathSync(dirname(absolute)), basename(absolute));
    } catch {
      return absolute;
    }
  }
}

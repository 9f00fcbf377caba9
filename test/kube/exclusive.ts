/** One at a time, across processes. */
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";

const SQLITE_BUSY = 5;

/**
 * Runs `work` while nobody else runs work under the same `file`, in this process or another, and gives back its result.
 * `onWait` is called once if somebody else is at it. The file is created, and stays.
 *
 * The lock is an open transaction on that file, so it is the operating system that holds it: it is free again at the
 * moment its holder ends, however it ends. There is no stale lock to find and no process id to mistake.
 */
export async function exclusively<T>(
  file: string,
  work: () => Promise<T>,
  onWait: () => void,
  signal?: AbortSignal,
): Promise<T> {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    if (!tryLock(database)) {
      onWait();
      do await delay(200, undefined, { signal });
      while (!tryLock(database));
    }
    return await work();
  } finally {
    database.close();
  }
}

function tryLock(database: DatabaseSync): boolean {
  try {
    database.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if (error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY) return false;
    throw error;
  }
}

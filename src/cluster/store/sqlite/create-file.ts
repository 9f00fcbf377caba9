/** New store files. They appear whole or not at all: a crash while one is made leaves none behind. */
import { closeSync, fsyncSync, linkSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createSchema } from "./schema.ts";

/** Does nothing when another process was faster. Throws what the file system throws. */
export function createStoreFile(file: string): void {
  const draft = `${file}.new-${process.pid}`;
  rmSync(draft, { force: true });
  // Objects may be secrets; SQLite gives its other files the mode of this one.
  closeSync(openSync(draft, "wx", 0o600));
  try {
    const db = new DatabaseSync(draft);
    try {
      db.exec("BEGIN");
      createSchema(db);
      db.exec("COMMIT; PRAGMA journal_mode = WAL");
    } finally {
      db.close();
    }
    publish(draft, file);
  } finally {
    for (const leftover of [draft, `${draft}-journal`, `${draft}-wal`, `${draft}-shm`])
      rmSync(leftover, { force: true });
  }
}

/** A link, unlike a rename, never takes the place of a file that is there. */
function publish(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return;
    throw error;
  }
  const folder = openSync(dirname(file), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

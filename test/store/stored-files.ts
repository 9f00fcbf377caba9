/** Store files as a crash leaves them, to be damaged. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { openSqliteStore, type RevisionedStore } from "../../src/cluster/store/index.ts";
import { type TemporaryFolder, temporaryFolder } from "../../src/cluster/store/testing/temporary-folder.ts";

export interface StoredFiles {
  /** The file itself. */
  readonly main: Buffer;
  /** Its write-ahead log; empty when it was closed properly. */
  readonly wal: Buffer;
  /** What is in it: as of its first revision that is kept and as of every later one. The last is all of it. */
  readonly states: readonly string[];
}

/**
 * Some dozens of objects of all sizes, some of them changed and gone, with history behind them; each write a transaction. The
 * changes are the newest part: in the log, unless the store is closed.
 */
export async function makeStoredFiles({ closed }: { closed: boolean }): Promise<StoredFiles> {
  using folder = temporaryFolder();
  const file = folder.join("made.db");
  const first = openSqliteStore(file);
  for (let n = 0; n < 40; n++) await first.create(`k/${n}`, valueOf(n, (n * 331) % 6000));
  await first.compact(first.revision);
  await first.close();

  const store = openSqliteStore(file);
  for (let n = 0; n < 12; n++) await store.update(`k/${n}`, store.get(`k/${n}`)!.revision, valueOf(100 + n, 900));
  for (let n = 12; n < 16; n++) await store.delete(`k/${n}`, store.get(`k/${n}`)!.revision);
  const states = statesOf(store);
  if (closed) await store.close();
  // Another process reads it: this one must not open the file beside the store.
  const read = (path: string): Buffer => execFileSync("cat", [path], { maxBuffer: 2 ** 26 });
  const files = { main: read(file), wal: closed ? Buffer.alloc(0) : read(`${file}-wal`), states };
  await store.close();
  return files;
}

function valueOf(n: number, size: number): string {
  return JSON.stringify({ n, fill: String.fromCharCode(97 + (n % 26)).repeat(size) });
}

function statesOf(store: RevisionedStore): string[] {
  const states: string[] = [];
  for (let revision = store.compacted; revision <= store.revision; revision++) {
    states.push(JSON.stringify(store.list({ prefix: "", revision })));
  }
  return states;
}

/** What comes of opening such files: a state, or why not. In the second case they must be as they were. */
export type Outcome =
  | { readonly opened: true; readonly state: string }
  | { readonly opened: false; readonly code: string; readonly message: string; readonly untouched: boolean };

/** Puts the two files into the folder and opens them. */
export async function tryToOpen(folder: TemporaryFolder, main: Buffer, wal: Buffer): Promise<Outcome> {
  const file = folder.join("tried.db");
  for (const ending of ["", "-wal", "-shm"]) rmSync(file + ending, { force: true });
  writeFileSync(file, main);
  if (wal.length > 0) writeFileSync(`${file}-wal`, wal);
  try {
    const store = openSqliteStore(file, { limits: { age: Number.POSITIVE_INFINITY } });
    const state = JSON.stringify(store.list({ prefix: "" }));
    await store.close();
    return { opened: true, state };
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    const left = existsSync(`${file}-wal`) ? readFileSync(`${file}-wal`) : Buffer.alloc(0);
    return { opened: false, code, message, untouched: readFileSync(file).equals(main) && left.equals(wal) };
  }
}

/** Folders for one test. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TemporaryFolder extends Disposable {
  readonly path: string;
  /** The path of something in it. */
  join(...names: readonly string[]): string;
}

/** A new empty folder; it is removed with what is in it when it is disposed of. */
export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), "outgrow-store-"));
  return {
    path,
    join: (...names) => join(path, ...names),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

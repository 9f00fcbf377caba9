/** A folder for sockets. Short, because the path of a unix socket must be. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TempDir {
  /** The path of a file in it. */
  file(name: string): string;
  remove(): void;
}

export function tempDir(): TempDir {
  const path = mkdtempSync(join(tmpdir(), "csi-"));
  return { file: (name) => join(path, name), remove: () => rmSync(path, { recursive: true, force: true }) };
}

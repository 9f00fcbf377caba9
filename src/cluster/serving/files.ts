/**
 * Files that must never be seen half written: keys, certificates, tokens, kubeconfigs. Each is written beside its place, brought
 * to the disk, and only then given its name. All of them are for their owner alone.
 */
import {
  chmodSync,
  closeSync,
  fchownSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { messageOf, OutgrowError } from "../../core/errors.ts";

const PRIVATE = 0o600;

/** The text of a file; undefined where there is none. Throws `FILE_UNUSABLE` when it cannot be read. */
export function readIfThere(file: string): string | undefined {
  return naming(file, "read", () => {
    try {
      return readFileSync(file, "utf8");
    } catch (error) {
      if (isSystemError(error, "ENOENT")) return undefined;
      throw error;
    }
  });
}

/** The text of a file that only its owner should read: others' permissions, from a copy or a restored backup, are taken away. */
export function readPrivate(file: string): string | undefined {
  const text = readIfThere(file);
  if (text !== undefined) {
    naming(file, "kept private", () => {
      if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, PRIVATE);
    });
  }
  return text;
}

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Puts a file into its place, over the one that is there; it is this process' own unless another owner is given. Throws
 * `FILE_UNUSABLE`, and nothing has changed then.
 */
export function replaceFile(file: string, text: string, owner?: Owner): void {
  publish(file, text, (draft) => renameSync(draft, file), owner);
}

/**
 * Puts a file into its place if there is none, and gives back what is there then: where two processes do this at once, both get
 * the text of the one that was first.
 */
export function createFile(file: string, text: string): string {
  publish(file, text, (draft) => {
    try {
      // A link, unlike a rename, never takes the place of a file that is there.
      linkSync(draft, file);
    } catch (error) {
      if (!isSystemError(error, "EEXIST")) throw error;
    }
  });
  return readPrivate(file) ?? text;
}

function publish(file: string, text: string, name: (draft: string) => void, owner?: Owner): void {
  const draft = `${file}.new-${process.pid}`;
  naming(file, "written", () => {
    try {
      // What a process of the same number left behind when it was killed.
      rmSync(draft, { force: true });
      const handle = openSync(draft, "wx", PRIVATE);
      try {
        if (owner !== undefined) fchownSync(handle, owner.uid, owner.gid);
        writeFileSync(handle, text);
        fsyncSync(handle);
      } finally {
        closeSync(handle);
      }
      name(draft);
      syncFolder(dirname(file));
    } finally {
      rmSync(draft, { force: true });
    }
  });
}

/** A name is only as durable as the folder that has it. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Lets what the system refuses be known by the file that it was about. */
export function naming<T>(file: string, done: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new OutgrowError(
      "FILE_UNUSABLE",
      `${file} cannot be ${done}: ${messageOf(error)}; check its owner and permissions, and that there is space`,
      { cause: error },
    );
  }
}

/** Whether the system said so, with this code if one is given. */
export function isSystemError(error: unknown, code?: string): boolean {
  return (
    error instanceof Error && "syscall" in error && (code === undefined || ("code" in error && error.code === code))
  );
}

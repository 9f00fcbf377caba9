/** Whose file it is, read from its first bytes, before SQLite gets to see it: SQLite writes to what it opens. */
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { OutgrowError } from "../../../core/errors.ts";
import { APPLICATION_ID } from "./schema.ts";

/** The database header of SQLite's file format: a magic text, and the application's number at a fixed place. */
const HEADER_SIZE = 100;
const MAGIC = "SQLite format 3\0";
const APPLICATION_ID_OFFSET = 68;

/**
 * Whether a store file is there. Throws `STORE_FOREIGN` when something else is, and `STORE_DAMAGED` when only a part of one is;
 * nothing is touched.
 */
export function storeFileExists(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) {
    const wal = statSync(`${file}-wal`, { throwIfNoEntry: false });
    if (wal === undefined || wal.size === 0) return false;
    throw new OutgrowError(
      "STORE_DAMAGED",
      `${file} is missing, but the newest writes to it are in ${file}-wal; bring the two together again, or move that one away to begin anew`,
    );
  }
  if (!found.isFile()) throw foreign(file, "it is no file");
  const header = readHeader(file);
  if (header.length === 0) {
    throw new OutgrowError(
      "STORE_DAMAGED",
      `${file} is empty, which no store ever is; restore it from a copy, or move it${existsSync(`${file}-wal`) ? ` and ${file}-wal` : ""} away to begin anew`,
    );
  }
  if (header.toString("latin1", 0, MAGIC.length) !== MAGIC) throw foreign(file, "it does not begin like one");
  if (header.length < HEADER_SIZE || header.readUInt32BE(APPLICATION_ID_OFFSET) !== APPLICATION_ID) {
    throw foreign(file, "it is a database of another program");
  }
  return true;
}

function readHeader(file: string): Buffer {
  const descriptor = openSync(file, "r");
  try {
    const header = Buffer.alloc(Math.min(HEADER_SIZE, fstatSync(descriptor).size));
    return header.subarray(0, readSync(descriptor, header, 0, header.length, 0));
  } finally {
    closeSync(descriptor);
  }
}

function foreign(file: string, why: string): OutgrowError {
  return new OutgrowError(
    "STORE_FOREIGN",
    `${file} is not a store of Outgrow: ${why}; it was left as it is. Name another place, or move it away`,
  );
}

/** What SQLite reports, by its primary result codes: https://www.sqlite.org/rescode.html. */

const SQLITE_PERM = 3;
export const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
export const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;

/** Whether an error came from SQLite with one of these codes. Extended codes have the primary one in their low byte. */
export function isSqliteError(error: unknown, ...codes: readonly number[]): boolean {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return false;
  return codes.includes(error.errcode & 0xff);
}

/** Codes that speak of the system around a file, not of what is in it. */
export const SYSTEM_CODES = [SQLITE_PERM, SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN] as const;

/** What SQLite reports, by its primary result codes: https://www.sqlite.org/rescode.html. */

export const SQLITE_PERM = 3;
export const SQLITE_BUSY = 5;
export const SQLITE_READONLY = 8;
export const SQLITE_FULL = 13;
export const SQLITE_CANTOPEN = 14;

/** Whether an error came from SQLite with one of these codes. Extended codes have the primary one in their low byte. */
export function isSqliteError(error: unknown, ...codes: readonly number[]): boolean {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return false;
  return codes.includes(error.errcode & 0xff);
}

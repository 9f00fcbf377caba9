/** The one thing in which the stores differ: where events go before anybody sees them. */
import type { HistoryItem } from "./history.ts";

export interface Journal {
  /**
   * Brings events to disk, all or none. They are there when it returns or, where it gives a promise, when that resolves; until
   * then nothing else is appended. Throws, or rejects with, a `StoreError` (`NoSpace`, or `Failed` when it is not known whether they
   * are) when they are not.
   */
  append(items: readonly HistoryItem[]): Promise<void> | undefined;
  /**
   * Forgets events up to the revision of the last of these, which are the oldest ones. What is current stays. Throws like
   * `append`; not called while something is appended.
   */
  forget(items: readonly HistoryItem[]): void;
  /** Lets go of the disk. Called once. */
  close(): void;
}

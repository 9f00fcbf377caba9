/**
 * The one error class of a store that is open. What keeps a store from being opened is for a person to mend, and has its codes
 * in core/errors.ts.
 */
import type { Entry } from "./revisioned-store.ts";

export type StoreReason =
  /** There is such a key already. */
  | "Exists"
  /** There is no such key. */
  | "NotFound"
  /** It was written since; `current` is what is there now. */
  | "Conflict"
  /** History does not reach back that far; list again. */
  | "Compacted"
  /** There is no such revision yet. */
  | "FutureRevision"
  /** The key or the value is no text that a file gives back as it was. */
  | "Unstorable"
  /** The disk is full. Nothing was written, and writes succeed again when there is space. */
  | "NoSpace"
  /**
   * The disk failed while writing. Whether this write will be there after a restart is not known; until then the store can be
   * read and takes no more writes.
   */
  | "Failed"
  /** The store was closed. */
  | "Closed";

export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly reason: StoreReason;
  /** With `Conflict` and `Exists`: what is there. */
  readonly current: Entry | undefined;

  constructor(reason: StoreReason, message: string, fields: { current?: Entry; cause?: unknown } = {}) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.reason = reason;
    this.current = fields.current;
  }
}

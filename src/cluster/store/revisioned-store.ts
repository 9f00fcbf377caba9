/**
 * What the embedded cluster keeps its objects in: keys with values, one counter of revisions over all of them, and a
 * bounded history that can be watched. There are two, `openMemoryStore` and `openSqliteStore`; one suite holds both to
 * the promises made here.
 *
 * - **Durable first.** A write's promise resolves when the write is on disk. Readers and watchers see it from then on and
 *   never before: nothing that anybody has seen can be lost.
 * - **One order.** Each write gets the next revision; there are no gaps. A watch gives events in that order.
 * - **One turn, one transaction.** Writes that are asked for in one turn of the event loop are decided in the order in which
 *   they were asked for, and reach the disk together. When that fails, all of them are refused and none has happened; only
 *   `Failed` leaves open, until the store is opened again, whether they have.
 * - **Never a gap.** Whoever asks for history that is no longer kept gets the reason `Compacted`, and lists again.
 */

/**
 * A key and its value as of one revision. Never changes, and stays the same object for as long as it is current: what is
 * derived from it may be kept in a WeakMap.
 */
export interface Entry {
  readonly key: string;
  /** The write that made it. */
  readonly revision: number;
  /** Text, as it was handed in; never parsed and never written anew. */
  readonly value: string;
}

/** One write, as history keeps it and watchers get it. */
export type StoreEvent =
  | { readonly type: "created"; readonly revision: number; readonly key: string; readonly entry: Entry }
  | {
      readonly type: "updated";
      readonly revision: number;
      readonly key: string;
      readonly entry: Entry;
      readonly previous: Entry;
    }
  | { readonly type: "deleted"; readonly revision: number; readonly key: string; readonly previous: Entry };

/**
 * What to store: text, or a function that makes the text once the revision is known, for values that name their own. It is
 * called once, before the write is on disk; when it throws, that write alone is rejected, with what it threw.
 */
export type Value = string | ((revision: number) => string);

export interface ListOptions {
  /** Keys that begin with this; all when it is empty. */
  readonly prefix: string;
  /** Only keys behind this one: the `next` of the page before. */
  readonly after?: string | undefined;
  /** At most this many; without it, or with 0, all. */
  readonly limit?: number | undefined;
  /** The state as of this revision, which is how pages of one list fit together; the current one when it is left out. */
  readonly revision?: number | undefined;
}

export interface Page {
  /** In the order of their keys, which is that of UTF-16 code units. */
  readonly entries: readonly Entry[];
  /** The revision as of which all of this holds. */
  readonly revision: number;
  /** How many more there are behind this page. */
  readonly remaining: number;
  /** Hand this in as `after`, with `revision`, to get the next page; undefined on the last one. */
  readonly next: string | undefined;
}

/**
 * The events of one prefix behind one revision: `for await (const events of watch)` gives them in order, one or more at a
 * time. A watch holds a place in the store's history and no events of its own, so a slow reader costs nothing; when history
 * is compacted past its place, the loop throws `Compacted`. It throws `Closed` when the store closes, and ends after `stop`,
 * which leaving the loop calls too. One reader at a time. For many readers of the same there are `take` and `whenMore`, which cost no
 * promises.
 */
export interface Watch extends AsyncIterable<readonly StoreEvent[], undefined> {
  /** Every event up to this revision was handed out, or is none of this prefix: what a bookmark may say. */
  readonly revision: number;
  /** The next events that are there, at most `limit`: none when there are none yet, undefined after `stop`. Throws what the loop throws. */
  take(limit?: number): readonly StoreEvent[] | undefined;
  /** For who has taken all there is: calls once, when there is more or the watch is over. What it calls must not throw. */
  whenMore(wake: () => void): void;
  /** May be called twice. */
  stop(): void;
}

export interface RevisionedStore {
  /** The newest revision: that of the last write. A new store begins with `FIRST_REVISION`. */
  readonly revision: number;
  /** The newest revision whose events are gone: watches may begin here, lists may be as of here, and not before. */
  readonly compacted: number;

  /** The current value; undefined when there is none. */
  get(key: string): Entry | undefined;
  /** Throws `Compacted` or `FutureRevision` when the state as of `revision` cannot be given. */
  list(options: ListOptions): Page;
  /** How many keys begin with this, without looking at them. */
  count(prefix: string): number;
  /** Throws `Compacted` or `FutureRevision` when it cannot begin behind this revision. */
  watch(prefix: string, after: number): Watch;

  /** Rejects with `Exists` when there is such a key. */
  create(key: string, value: Value): Promise<Entry>;
  /**
   * Replaces the value made by the write `expected`. Rejects with `Conflict`, which carries what is there, when it was
   * written since, with `NotFound` when it is gone. Writing what is already there is a write too: who wants none compares first.
   */
  update(key: string, expected: number, value: Value): Promise<Entry>;
  /** Takes away the value made by the write `expected`; rejects like `update`. Gives back the event with its own revision. */
  delete(key: string, expected: number): Promise<StoreEvent>;

  /**
   * Forgets events up to this revision, before age and number would. Rejects with `FutureRevision` when there is no such
   * revision yet; does nothing when they are forgotten already.
   */
  compact(revision: number): Promise<void>;
  /**
   * Brings what was asked for to disk, then ends watches and refuses everything after. May be called twice. Does not
   * reject: each write has its own promise for that.
   */
  close(): Promise<void>;
}

/** Where a new store begins. Not at 0, which means "any" wherever Kubernetes takes a resourceVersion. */
export const FIRST_REVISION = 1000;

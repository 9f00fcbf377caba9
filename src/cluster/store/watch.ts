/** Watches: places in the history, and who waits there. */
import type { StoreEvent, Watch } from "./revisioned-store.ts";
import { assertKept, type State } from "./state.ts";
import { StoreError } from "./store-error.ts";

/** At most so many events are handed out at a time, so that one who is far behind does not hold up the rest. */
const MAX_STEP = 1000;

export interface Watches {
  /** A new watch, as `RevisionedStore.watch` promises it. */
  open(prefix: string, after: number): Watch;
  /** Hands what has happened to those who wait for it. */
  notify(): void;
  /** Ends all with this error, for good. */
  end(error: StoreError): void;
}

export function createWatches(state: State): Watches {
  const open = new Set<Cursor>();
  return {
    open(prefix, after) {
      const cursor = new Cursor(state, prefix, after, open);
      open.add(cursor);
      return cursor;
    },
    notify() {
      for (const cursor of open) cursor.notify();
    },
    end(error) {
      for (const cursor of open) cursor.end(error);
      open.clear();
    },
  };
}

// A class: watches are opened by the thousand, and one that is written out with a getter and a function for each thing it does is a
// kilobyte.
class Cursor implements Watch {
  readonly #state: State;
  readonly #prefix: string;
  /** All that are told of what happens. */
  readonly #open: Set<Cursor>;
  #place: number;
  #over: { readonly error?: StoreError } | undefined;
  /** Who waits for more. */
  #waiting: (() => void) | undefined;

  constructor(state: State, prefix: string, after: number, open: Set<Cursor>) {
    assertKept(state, after);
    this.#state = state;
    this.#prefix = prefix;
    this.#place = after;
    this.#open = open;
  }

  get revision(): number {
    return this.#place;
  }

  take(limit = MAX_STEP): readonly StoreEvent[] | undefined {
    if (this.#over?.error !== undefined) throw this.#over.error;
    if (this.#over !== undefined) return undefined;
    try {
      assertKept(this.#state, this.#place);
    } catch (error) {
      this.#open.delete(this);
      if (error instanceof StoreError) this.#over = { error };
      throw error;
    }
    if (!this.#reach()) return NONE;
    const events: StoreEvent[] = [];
    while (events.length < limit && this.#reach()) events.push(this.#state.history.at(++this.#place));
    return events;
  }

  whenMore(told: () => void): void {
    if (this.#waiting !== undefined) throw new TypeError("a watch has one reader at a time");
    this.#waiting = told;
    if (this.#over !== undefined) queueMicrotask(() => this.#wake());
  }

  stop(): void {
    this.#open.delete(this);
    this.#finish({});
  }

  [Symbol.asyncIterator](): AsyncIterator<readonly StoreEvent[], undefined> {
    return {
      next: () => this.#next(),
      return: async () => {
        this.stop();
        return { done: true, value: undefined };
      },
    };
  }

  /** Something has happened, perhaps for this one. */
  notify(): void {
    // One that reads at its own pace looks by itself; one that waits is up to date, so its next events are there.
    if (this.#waiting !== undefined && this.#reach()) this.#wake();
  }

  end(error: StoreError): void {
    this.#finish({ error });
  }

  async #next(): Promise<IteratorResult<readonly StoreEvent[], undefined>> {
    for (;;) {
      const events = this.take();
      if (events === undefined) return { done: true, value: undefined };
      if (events.length > 0) return { done: false, value: events };
      await new Promise<void>((resolve) => this.whenMore(resolve));
    }
  }

  /** Moves on over what is none of this prefix, as far as there is nothing else. */
  #reach(): boolean {
    const { history } = this.#state;
    while (this.#place < history.revision) {
      if (history.at(this.#place + 1).key.startsWith(this.#prefix)) return true;
      this.#place++;
    }
    return false;
  }

  #wake(): void {
    const waiter = this.#waiting;
    this.#waiting = undefined;
    waiter?.();
  }

  #finish(how: { readonly error?: StoreError }): void {
    this.#over ??= how;
    this.#wake();
  }
}

const NONE: readonly StoreEvent[] = [];

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
  const open = new Set<{ notify(): void; end(error: StoreError): void }>();
  return {
    open(prefix, after) {
      const cursor = createCursor(state, prefix, after, () => open.delete(cursor));
      open.add(cursor);
      return cursor.watch;
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

type Step = IteratorResult<readonly StoreEvent[], undefined>;

function createCursor(state: State, prefix: string, after: number, left: () => void) {
  assertKept(state, after);
  let place = after;
  let over: { readonly error?: StoreError } | undefined;
  /** Who waits for more. */
  let waiting: (() => void) | undefined;

  /** Moves on over what is none of this prefix, as far as there is nothing else. */
  const reach = (): boolean => {
    const { history } = state;
    while (place < history.revision) {
      if (history.at(place + 1).key.startsWith(prefix)) return true;
      place++;
    }
    return false;
  };
  const wake = (): void => {
    const waiter = waiting;
    waiting = undefined;
    waiter?.();
  };
  const finish = (how: { readonly error?: StoreError }): void => {
    over ??= how;
    wake();
  };
  const stop = (): void => {
    left();
    finish({});
  };

  const take = (limit = MAX_STEP): readonly StoreEvent[] | undefined => {
    if (over?.error !== undefined) throw over.error;
    if (over !== undefined) return undefined;
    try {
      assertKept(state, place);
    } catch (error) {
      left();
      if (error instanceof StoreError) over = { error };
      throw error;
    }
    const events: StoreEvent[] = [];
    while (events.length < limit && reach()) events.push(state.history.at(++place));
    return events;
  };
  const whenMore = (told: () => void): void => {
    if (waiting !== undefined) throw new TypeError("a watch has one reader at a time");
    waiting = told;
    if (over !== undefined) queueMicrotask(wake);
  };

  const next = async (): Promise<Step> => {
    for (;;) {
      const events = take();
      if (events === undefined) return { done: true, value: undefined };
      if (events.length > 0) return { done: false, value: events };
      await new Promise<void>((resolve) => whenMore(resolve));
    }
  };

  const watch: Watch = {
    get revision() {
      return place;
    },
    take,
    whenMore,
    stop,
    [Symbol.asyncIterator]: () => ({
      next,
      return: async () => {
        stop();
        return { done: true, value: undefined };
      },
    }),
  };
  return {
    watch,
    end: (error: StoreError) => finish({ error }),
    notify() {
      // One that reads at its own pace looks by itself; one that waits is up to date, so its next events are there.
      if (waiting !== undefined && reach()) wake();
    },
  };
}

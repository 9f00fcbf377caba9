/** Watches: places in the history, and who waits there. */
import type { StoreEvent, Watch } from "./revisioned-store.ts";
import { assertKept, type State } from "./state.ts";
import { StoreError } from "./store-error.ts";

/** At most so many events are looked at for one step of a reader, so that one who is far behind does not hold up the rest. */
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
  let waiting: PromiseWithResolvers<Step> | undefined;

  /** Moves on to the next events of this prefix, or to the newest revision when there are none. Throws when they are gone. */
  const advance = (): readonly StoreEvent[] => {
    assertKept(state, place);
    while (place < state.history.revision) {
      const upTo = Math.min(place + MAX_STEP, state.history.revision);
      const events = state.history
        .between(place, upTo)
        .map(({ event }) => event)
        .filter(({ key }) => key.startsWith(prefix));
      place = upTo;
      if (events.length > 0) return events;
    }
    return [];
  };

  const finish = (how: { readonly error?: StoreError }): void => {
    over ??= how;
    const waiter = waiting;
    waiting = undefined;
    if (over.error === undefined) waiter?.resolve({ done: true, value: undefined });
    else waiter?.reject(over.error);
  };
  const stop = (): void => {
    finish({});
    left();
  };
  const advanceOrEnd = (): readonly StoreEvent[] => {
    try {
      return advance();
    } catch (error) {
      if (error instanceof StoreError) finish({ error });
      left();
      throw error;
    }
  };

  const next = async (): Promise<Step> => {
    if (over?.error !== undefined) throw over.error;
    if (over !== undefined) return { done: true, value: undefined };
    if (waiting !== undefined) throw new TypeError("a watch has one reader at a time");
    const events = advanceOrEnd();
    if (events.length > 0) return { done: false, value: events };
    waiting = Promise.withResolvers<Step>();
    return await waiting.promise;
  };

  const watch: Watch = {
    get revision() {
      return place;
    },
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
      if (waiting === undefined) return;
      const events = advance();
      if (events.length === 0) return;
      const waiter = waiting;
      waiting = undefined;
      waiter.resolve({ done: false, value: events });
    },
  };
}

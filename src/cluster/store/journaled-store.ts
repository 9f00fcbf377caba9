/**
 * The store itself, over a journal. A turn's writes are decided one after the other, each against what those before it would
 * leave; the journal takes them; then, and only then, they happen in memory, and callers and watchers hear of them.
 */
import type { Clock } from "../../core/clock.ts";
import type { Timers } from "../../kube/timers.ts";
import type { HistoryItem, HistoryLimits } from "./history.ts";
import type { Journal } from "./journal.ts";
import type { Entry, RevisionedStore, StoreEvent } from "./revisioned-store.ts";
import { applyEvent, assertKept, listPage, type State } from "./state.ts";
import { StoreError } from "./store-error.ts";
import { createWatches } from "./watch.ts";
import { decideWrite, type Write } from "./writes.ts";

/** So many events are forgotten in one step: a few milliseconds, in which the process does nothing else. */
const COMPACTION_STEP = 500;
/** How often the age of history is looked at, in milliseconds. */
const COMPACTION_INTERVAL = 5_000;

interface Pending {
  readonly write: Write;
  readonly resolve: (event: StoreEvent) => void;
  readonly reject: (reason: unknown) => void;
}

export interface JournaledStoreOptions {
  readonly state: State;
  readonly journal: Journal;
  readonly limits: HistoryLimits;
  readonly timers: Clock & Pick<Timers, "after">;
}

export function createJournaledStore({ state, journal, limits, timers }: JournaledStoreOptions): RevisionedStore {
  const { history, entries } = state;
  const watches = createWatches(state);
  let pending: Pending[] = [];
  /** While a batch is on its way to disk; those who come meanwhile form the next one. */
  let writing: Promise<void> | undefined;
  /** What has to be done between two batches. */
  const between: (() => void)[] = [];
  let failure: StoreError | undefined;
  let closed: StoreError | undefined;
  let shut: Promise<void> | undefined;
  let compacting = false;

  const submit = (write: Write): Promise<StoreEvent> => {
    if (closed !== undefined) return Promise.reject(closed);
    return new Promise((resolve, reject) => {
      // After the input of this turn was read: what arrived together shares a commit.
      if (pending.length === 0 && writing === undefined) setImmediate(commit);
      pending.push({ write, resolve, reject });
    });
  };

  const commit = (): void => {
    if (writing !== undefined || pending.length === 0) return;
    const batch = pending;
    pending = [];
    const { items, outcomes } = decideBatch(state, batch, timers.now());
    const happen = (): void => {
      for (const item of items) applyEvent(state, item);
      for (const settle of outcomes) settle();
      watches.notify();
      if (history.isCrowded(limits)) void compactSurplus();
    };
    // Also those that were refused: perhaps only because of a write that has not happened now.
    const fail = (error: unknown): void => {
      for (const { reject } of batch) reject(error);
    };
    let appended: Promise<void> | undefined;
    try {
      if (items.length > 0) appended = persist(() => journal.append(items));
    } catch (error) {
      fail(error);
      return;
    }
    if (appended === undefined) {
      happen();
      return;
    }
    const settled = appended.then(happen, (error: unknown) => fail(remembered(error)));
    writing = settled.then(() => {
      writing = undefined;
      for (const act of between.splice(0)) act();
      commit();
    });
  };

  /** Resolves when all that was asked for is on disk, or refused. */
  const drained = async (): Promise<void> => {
    commit();
    if (writing === undefined) return;
    await writing;
    await drained();
  };

  const persist = <T>(act: () => T): T => {
    if (failure !== undefined) throw failure;
    try {
      return act();
    } catch (error) {
      throw remembered(error);
    }
  };

  const remembered = (error: unknown): unknown => {
    if (error instanceof StoreError && error.reason === "Failed") failure = error;
    return error;
  };

  /** Forgets the oldest events up to this revision, a step per turn. */
  const forget = async (revision: number): Promise<void> => {
    while (isOpen() && history.compacted < revision) {
      const step = (): void => forgetUpTo(Math.min(revision, history.compacted + COMPACTION_STEP));
      // Never are two transactions unflushed.
      if (writing === undefined) step();
      else await afterBatch(step);
      await new Promise<void>((resolve) => {
        setImmediate(resolve);
      });
    }
  };

  const forgetUpTo = (revision: number): void => {
    const items = history.between(history.compacted, revision);
    if (!isOpen() || items.length === 0) return;
    persist(() => journal.forget(items));
    history.dropUpTo(history.compacted + items.length);
  };

  /** When the batch that is on its way has arrived, before the next one sets out. */
  const afterBatch = (act: () => void): Promise<void> =>
    new Promise((resolve, reject) => {
      between.push(() => {
        try {
          resolve(act());
        } catch (error) {
          reject(error);
        }
      });
    });

  const compactSurplus = async (): Promise<void> => {
    if (compacting || failure !== undefined) return;
    compacting = true;
    try {
      await forget(history.surplus(limits, timers.now()));
    } catch (error) {
      // A full disk is no news here: the writes say so, and the next round tries again.
      if (!(error instanceof StoreError)) throw error;
    } finally {
      compacting = false;
    }
  };

  const round = (): void => {
    void compactSurplus();
    cancelRound = timers.after(COMPACTION_INTERVAL, round);
  };
  let cancelRound = timers.after(COMPACTION_INTERVAL, round);

  const isOpen = (): boolean => closed === undefined;
  const assertOpen = (): void => {
    if (closed !== undefined) throw closed;
  };

  return {
    get revision() {
      return history.revision;
    },
    get compacted() {
      return history.compacted;
    },
    get(key) {
      assertOpen();
      return entries.get(key);
    },
    list(options) {
      assertOpen();
      return listPage(state, options);
    },
    count(prefix) {
      assertOpen();
      return state.keys.countOf(prefix);
    },
    watch(prefix, after) {
      assertOpen();
      return watches.open(prefix, after);
    },
    create: async (key, value) => entryOf(await submit({ type: "create", key, value })),
    update: async (key, expected, value) => entryOf(await submit({ type: "update", key, expected, value })),
    delete: (key, expected) => submit({ type: "delete", key, expected }),
    async compact(revision) {
      assertOpen();
      if (revision > history.revision) assertKept(state, revision);
      await forget(revision);
    },
    close() {
      shut ??= (async () => {
        closed = new StoreError("Closed", "the store was closed");
        cancelRound();
        await drained();
        watches.end(closed);
        journal.close();
      })();
      return shut;
    },
  };
}

/** What each write of a batch comes to, and how to tell its caller once the events are on disk. */
function decideBatch({ entries, history }: State, batch: readonly Pending[], now: number) {
  const staged = new Map<string, Entry | undefined>();
  const items: HistoryItem[] = [];
  const outcomes = batch.map(({ write, resolve, reject }) => {
    const current = staged.has(write.key) ? staged.get(write.key) : entries.get(write.key);
    try {
      const event = decideWrite(write, current, history.revision + items.length + 1);
      staged.set(write.key, event.type === "deleted" ? undefined : event.entry);
      items.push({ event, written: now });
      return () => resolve(event);
    } catch (error) {
      return () => reject(error);
    }
  });
  return { items, outcomes };
}

function entryOf(event: StoreEvent): Entry {
  if (event.type === "deleted") throw new TypeError("a deleted entry has no value");
  return event.entry;
}

/** What a store holds in memory: the current entries, their order, and the history behind them. Knows of no disk. */
import { createFiledKeys } from "./filed-keys.ts";
import { createHistory, type History, type HistoryItem } from "./history.ts";
import { endOfPrefix } from "./keys.ts";
import type { Entry, ListOptions, Page } from "./revisioned-store.ts";
import { createSortedKeys, type SortedKeys } from "./sorted-keys.ts";
import { StoreError } from "./store-error.ts";

export interface State {
  readonly entries: Map<string, Entry>;
  readonly keys: SortedKeys;
  readonly history: History;
}

/** A state to begin with: the entries as of `compacted`, in whatever order, and no history yet. */
export function createState(compacted: number, entries: Iterable<Entry> = []): State {
  const byKey = new Map<string, Entry>();
  for (const entry of entries) byKey.set(entry.key, entry);
  return { entries: byKey, keys: createFiledKeys(byKey.keys()), history: createHistory(compacted) };
}

/** Lets an event happen. It must be the next one, and fit what is there. */
export function applyEvent({ entries, keys, history }: State, item: HistoryItem): void {
  const { event } = item;
  history.push(item);
  switch (event.type) {
    case "created":
      keys.add(event.key);
      entries.set(event.key, event.entry);
      break;
    case "updated":
      entries.set(event.key, event.entry);
      break;
    case "deleted":
      keys.delete(event.key);
      entries.delete(event.key);
      break;
  }
}

/** Throws unless the state as of this revision can be told, and what happened behind it. */
export function assertKept({ history: { compacted, revision: newest } }: State, revision: number): void {
  if (revision > newest) {
    throw new StoreError("FutureRevision", `revision ${revision} is not there yet; the newest is ${newest}`);
  }
  if (!(revision >= compacted)) {
    throw new StoreError("Compacted", `revision ${revision} is too old; history begins at ${compacted}`);
  }
}

/** One page, as `RevisionedStore.list` promises it. */
export function listPage(state: State, { prefix, after, limit, revision = state.history.revision }: ListOptions): Page {
  assertKept(state, revision);
  const from = after === undefined || after < prefix ? prefix : `${after}\0`;
  const to = endOfPrefix(prefix);
  const undone =
    revision === state.history.revision
      ? NOTHING
      : undoneBehind(state, revision, (key) => key >= from && (to === undefined || key < to));

  const past = undone.size === 0 ? state.keys : withUndone(state, undone, from, to);
  const entries = past
    .range(from, to, limit === 0 ? undefined : limit)
    .map((key) => (undone.has(key) ? undone.get(key) : state.entries.get(key)))
    .filter((entry) => entry !== undefined);
  // Only a page that is full may have others behind it.
  const remaining = limit !== undefined && entries.length === limit ? past.count(from, to) - limit : 0;
  return { entries, revision, remaining, next: remaining > 0 ? entries.at(-1)?.key : undefined };
}

/** The present is what most ask for. */
const NOTHING: ReadonlyMap<string, Entry | undefined> = new Map();

/** For each key written behind a revision: what it was as of that revision, undefined when it was not there. */
function undoneBehind(
  { history }: State,
  revision: number,
  concerns: (key: string) => boolean,
): Map<string, Entry | undefined> {
  const undone = new Map<string, Entry | undefined>();
  for (const { event } of history.between(revision, history.revision)) {
    if (undone.has(event.key) || !concerns(event.key)) continue;
    undone.set(event.key, event.type === "created" ? undefined : event.previous);
  }
  return undone;
}

function withUndone(
  { keys }: State,
  undone: ReadonlyMap<string, Entry | undefined>,
  from: string,
  to: string | undefined,
): SortedKeys {
  const past = createSortedKeys(keys.range(from, to));
  for (const [key, entry] of undone) {
    if (entry === undefined) past.delete(key);
    else past.add(key);
  }
  return past;
}

/**
 * The newest events, without a gap: that of revision `compacted + 1`, the one after it, and so on to the newest. Since revisions
 * are consecutive, the place of each is known from its number.
 */
import type { StoreEvent } from "./revisioned-store.ts";

/** An event and when it was written, in milliseconds since the epoch, by which it grows old. */
export interface HistoryItem {
  readonly event: StoreEvent;
  readonly written: number;
}

/**
 * How much is kept. Whatever is passed first counts. Number and size may be passed by a tenth and age by seconds, so that events
 * are forgotten many at a time: each time costs a flush of the disk.
 */
export interface HistoryLimits {
  readonly events: number;
  /** Milliseconds. */
  readonly age: number;
  /** Of all values together, which bounds the memory that objects of any size may take. */
  readonly characters: number;
}

/** Five minutes, as long as kube-apiserver keeps history in etcd; less when much is written, so that memory stays small. */
export const DEFAULT_LIMITS: HistoryLimits = { events: 20_000, age: 5 * 60_000, characters: 32 * 2 ** 20 };

export interface History {
  /** Events up to here are gone. */
  readonly compacted: number;
  /** The newest revision; `compacted` when there is no event. */
  readonly revision: number;
  /** Throws when it is not the next revision: a gap is never stored. */
  push(item: HistoryItem): void;
  /** The event of this revision, which must be one that is kept. */
  at(revision: number): StoreEvent;
  /** Events behind `after` up to and with `upTo`, oldest first. */
  between(after: number, upTo: number): HistoryItem[];
  /** Forgets events up to this revision. */
  dropUpTo(revision: number): void;
  /** Whether there are too many events, or too large ones, to wait until somebody looks for old ones. */
  isCrowded(limits: HistoryLimits): boolean;
  /** The revision to compact up to, for the limits to hold at this moment; `compacted` when they do. */
  surplus(limits: HistoryLimits, now: number): number;
}

export function createHistory(compacted: number): History {
  const items: HistoryItem[] = [];
  let characters = 0;
  let horizon = compacted;

  const indexOf = (revision: number): number => revision - horizon - 1;
  const newest = (): number => horizon + items.length;
  const isCrowded = (limits: HistoryLimits): boolean =>
    items.length > limits.events * 1.1 || characters > limits.characters * 1.1;

  return {
    get compacted() {
      return horizon;
    },
    get revision() {
      return newest();
    },
    push(item) {
      if (item.event.revision !== newest() + 1) {
        throw new RangeError(`revision ${item.event.revision} does not follow ${newest()}`);
      }
      items.push(item);
      characters += weightOf(item);
    },
    at(revision) {
      const item = items[indexOf(revision)];
      if (item === undefined) throw new RangeError(`the event of revision ${revision} is not kept`);
      return item.event;
    },
    between(after, upTo) {
      return items.slice(Math.max(0, indexOf(after + 1)), Math.max(0, indexOf(upTo + 1)));
    },
    dropUpTo(revision) {
      const dropped = items.splice(0, Math.max(0, revision - horizon));
      horizon += dropped.length;
      for (const item of dropped) characters -= weightOf(item);
    },
    isCrowded,
    surplus(limits, now) {
      const crowded = isCrowded(limits);
      let left = characters;
      let place = 0;
      for (const item of items) {
        const tooMany = crowded && (items.length - place > limits.events || left > limits.characters);
        if (!tooMany && item.written >= now - limits.age) break;
        left -= weightOf(item);
        place++;
      }
      return horizon + place;
    },
  };
}

/** What an event alone keeps in memory: the value that it replaced or took away. The newest value is kept anyway. */
function weightOf({ event }: HistoryItem): number {
  return event.type === "created" ? 0 : event.previous.value.length;
}

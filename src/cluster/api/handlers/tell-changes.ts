/** The part of a watch that goes on: every change, to one who may read slowly. */
import type { ObjectEvent, ObjectWatch } from "../objects/watch.ts";
import type { EventLine } from "./answer.ts";
import type { Feed, Member } from "./feed.ts";

/** Where the events go. */
export interface EventSink {
  /** False when the client is cut off, or has gone: nothing more is to be written. */
  write(line: EventLine): boolean;
  /** Resolves when there is room again for more; undefined when there is. */
  drained(): Promise<void> | undefined;
  /** When the client goes, or the server stops. */
  readonly signal: AbortSignal;
}

export interface ChangesOptions {
  /** Where it begins. It is stopped in the end. */
  readonly watch: ObjectWatch;
  /** The same, from behind this revision on. */
  readonly reopen: (revision: number) => ObjectWatch;
  readonly lineOf: (event: ObjectEvent) => EventLine;
  /** Who tells of the same to all who ask it, where others may. */
  readonly feed: (() => Feed) | undefined;
  readonly sink: EventSink;
}

export interface Changes {
  /** Resolves when the watch was stopped or nobody takes what is told; rejects with what ended it otherwise. */
  readonly over: Promise<void>;
  /** All up to this revision was told. */
  readonly revision: number;
  stop(): void;
}

/** Events that are written before somebody looks whether they are read. */
const BATCH = 64;

/**
 * No promise is made for an event, and who is up to date has others read for it: of a thousand watchers who wait for the same event, each
 * would cost several.
 */
export function tellChanges({ watch: first, reopen, lineOf, feed: openFeed, sink }: ChangesOptions): Changes {
  const over = Promise.withResolvers<void>();
  /** By itself, with others, or at its end: what the others are told after that is not told here. */
  let place: { readonly watch: ObjectWatch } | { readonly feed: Feed } | { readonly end: number } = { watch: first };

  /** False when nobody takes it. */
  const write = (lines: readonly EventLine[]): boolean => {
    for (const line of lines) if (!sink.write(line)) return false;
    return true;
  };
  const member: Member = {
    tell(lines) {
      if (!write(lines)) {
        over.resolve();
        return false;
      }
      const room = sink.drained();
      if (room === undefined) return true;
      leaveFor(room);
      return false;
    },
    fail: over.reject,
  };
  /** What is still to be told stays in the history meanwhile, not in memory. */
  const leaveFor = (room: Promise<void>): void => {
    try {
      const watch = reopen(revision());
      place = { watch };
      void room.then(() => goOnAlone(watch));
    } catch (error) {
      over.reject(error);
    }
  };
  const goOnAlone = (watch: ObjectWatch): void => {
    try {
      for (;;) {
        const events = watch.take(BATCH);
        if (events === undefined || !write(events.map(lineOf))) return over.resolve();
        const room = sink.drained();
        if (room !== undefined) return void room.then(() => goOnAlone(watch));
        if (events.length > 0) continue;
        if (openFeed === undefined) return watch.whenMore(() => goOnAlone(watch));
        const feed = openFeed();
        feed.join(member);
        place = { feed };
        return watch.stop();
      }
    } catch (error) {
      over.reject(error);
    }
  };
  const revision = (): number => {
    if ("end" in place) return place.end;
    return "watch" in place ? place.watch.revision : place.feed.revision;
  };

  goOnAlone(first);
  return {
    over: over.promise,
    get revision() {
      return revision();
    },
    stop() {
      const end = revision();
      if ("watch" in place) place.watch.stop();
      else if ("feed" in place) place.feed.leave(member);
      place = { end };
      over.resolve();
    },
  };
}

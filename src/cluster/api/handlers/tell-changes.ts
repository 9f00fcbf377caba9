/** The part of a watch that goes on: every change, to one who may read slowly. */
import type { ObjectWatch } from "../objects/watch.ts";
import type { EventLine } from "./answer.ts";
import type { Feed, Member } from "./feed.ts";
import type { Source } from "./source.ts";

/** Where the events go. */
export interface EventSink {
  /** False when the client is cut off, or has gone: nothing more is to be written. */
  write(line: EventLine): boolean;
  /** Resolves when there is room again for more; undefined when there is. */
  drained(): Promise<void> | undefined;
}

export interface ChangesOptions {
  /** Where it begins. It is stopped in the end. */
  readonly watch: ObjectWatch;
  readonly source: Source;
  readonly sink: EventSink;
  /** Called once, when the watch was stopped or nobody takes what is told; with an error, when that has ended it. */
  readonly onOver: (error?: unknown) => void;
}

export interface Changes {
  /** To be called once, by who is ready to hear that it is over. */
  begin(): void;
  /** All up to this revision was told. */
  readonly revision: number;
  /** Where they come from. */
  readonly source: Source;
  stop(): void;
}

/** Events that are written before somebody looks whether they are read. */
const BATCH = 64;

/**
 * No promise is made for an event, and who is up to date has others read for it: of a thousand watchers who wait for the same event, each
 * would cost several. What it came with is forgotten then, since all of them have the same.
 */
export function tellChanges(options: ChangesOptions): Changes {
  return new ChangesForOne(options);
}

/** By itself, with others, or at its end: what the others are told after that is not told here. */
type Place = { readonly watch: ObjectWatch } | { readonly feed: Feed } | { readonly end: number };

// A class, as in store/watch.ts.
class ChangesForOne implements Changes, Member {
  readonly #sink: EventSink;
  readonly #onOver: (error?: unknown) => void;
  #source: Source;
  #place: Place;
  #isOver = false;

  constructor({ watch, source, sink, onOver }: ChangesOptions) {
    this.#sink = sink;
    this.#onOver = onOver;
    this.#source = source;
    this.#place = { watch };
  }

  begin(): void {
    if ("watch" in this.#place) this.#goOnAlone(this.#place.watch);
  }

  get source(): Source {
    return this.#source;
  }

  get revision(): number {
    const place = this.#place;
    if ("end" in place) return place.end;
    return "watch" in place ? place.watch.revision : place.feed.revision;
  }

  stop(): void {
    const place = this.#place;
    const end = this.revision;
    if ("watch" in place) place.watch.stop();
    else if ("feed" in place) place.feed.leave(this);
    this.#place = { end };
    this.#over();
  }

  /** What those who are up to date are told together. */
  tell(lines: readonly EventLine[]): boolean {
    if (!this.#write(lines)) {
      this.#over();
      return false;
    }
    const room = this.#sink.drained();
    if (room === undefined) return true;
    this.#leaveFor(room);
    return false;
  }

  fail(error: unknown): void {
    this.#over(error);
  }

  /** What is still to be told stays in the history meanwhile, not in memory. */
  #leaveFor(room: Promise<void>): void {
    try {
      const watch = this.#source.open(this.revision);
      this.#place = { watch };
      void room.then(() => this.#goOnAlone(watch));
    } catch (error) {
      this.#over(error);
    }
  }

  #goOnAlone(watch: ObjectWatch): void {
    try {
      for (;;) {
        const events = watch.take(BATCH);
        if (events === undefined || !this.#write(events.map((event) => this.#source.lineOf(event)))) {
          return this.#over();
        }
        const room = this.#sink.drained();
        if (room !== undefined) return void room.then(() => this.#goOnAlone(watch));
        if (events.length > 0) continue;
        const feed = this.#source.feed();
        if (feed === undefined) return watch.whenMore(() => this.#goOnAlone(watch));
        feed.join(this);
        this.#place = { feed };
        this.#source = feed.source;
        return watch.stop();
      }
    } catch (error) {
      this.#over(error);
    }
  }

  /** False when nobody takes it. */
  #write(lines: readonly EventLine[]): boolean {
    for (const line of lines) if (!this.#sink.write(line)) return false;
    return true;
  }

  #over(error?: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onOver(error);
  }
}

/** GET with `watch`: a stream of events, one to a line, until the client goes, the time is over, or it cannot keep up. */
import { toStatus } from "../http/status.ts";
import type { ObjectEvent, ObjectWatch, WatchRequest } from "../objects/watch.ts";
import { StatusError } from "../status-error.ts";
import { errorLine, type Form } from "./answer.ts";
import type { ApiContext, Caller, Target } from "./context.ts";
import type { Feeds } from "./feed.ts";
import { checkVersionMatch, numberOf, readVersion } from "./list-options.ts";
import { readSelection } from "./read.ts";
import { ResourceSource, type Source } from "./source.ts";
import { type Changes, type EventSink, tellChanges } from "./tell-changes.ts";

/** Without `timeoutSeconds` a watch lives for 30 to 60 minutes, each a little differently. */
const LIFETIME_SECONDS = 1800;
const BOOKMARK_MS = 60_000;
/** Node takes a longer time for none at all. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** Events that are written before somebody looks whether they are read. */
const BATCH = 64;

/** What a request asks for, before anything is answered. Throws `StatusError`. */
export function prepareWatch(context: ApiContext, target: Target, { query }: Pick<Caller, "query">): PreparedWatch {
  checkVersionMatch(query, true);
  const { matches, name } = readSelection(target, query);
  const seconds = numberOf(query, "timeoutSeconds") ?? 0;
  const initial = query.get("sendInitialEvents");
  readVersion(query);
  return {
    target,
    matches,
    name,
    question: JSON.stringify([
      target.namespace,
      target.name,
      query.get("labelSelector") ?? "",
      query.get("fieldSelector") ?? "",
    ]),
    resourceVersion: query.get("resourceVersion") ?? "",
    sendInitialEvents: initial === null ? undefined : isTrue(initial),
    bookmarks: isTrue(query.get("allowWatchBookmarks") ?? "false"),
    lifetimeMs: Math.min(
      MAX_TIMER_MS,
      1000 * (seconds === 0 ? LIFETIME_SECONDS + context.chance.below(LIFETIME_SECONDS) : seconds),
    ),
  };
}

export interface PreparedWatch {
  readonly target: Target;
  readonly matches: WatchRequest["matches"];
  readonly name: string | undefined;
  /** Who asks the same of the same resource has the same. */
  readonly question: string;
  /** Empty: none in particular. */
  readonly resourceVersion: string;
  readonly sendInitialEvents: boolean | undefined;
  readonly bookmarks: boolean;
  /** Less than none: it is over before it begins. */
  readonly lifetimeMs: number;
}

/** A watch that is under way. */
export interface RunningWatch {
  /**
   * Resolves when it is over, and all of it was told. What goes wrong on the way is told as an ERROR event: the answer has begun. Rejects
   * with what nobody expected.
   */
  readonly over: Promise<void>;
  /** Nobody listens any more, or nobody may: it ends at once. May be called twice. */
  abort(): void;
}

export function startWatch(
  context: ApiContext,
  feeds: Feeds,
  prepared: PreparedWatch,
  form: Form,
  sink: EventSink,
): RunningWatch {
  const { target, matches, name, question } = prepared;
  const watch = new WatchUnderWay(form, sink);
  watch.start(new ResourceSource({ context, feeds, target, selection: { matches, name }, question, form }), prepared);
  return watch;
}

/**
 * What thousands of watchers have while they wait is here, and little: a function that waits would hold on to all of their requests.
 */
class WatchUnderWay implements RunningWatch {
  readonly #sink: EventSink;
  readonly #form: Form;
  readonly #over = Promise.withResolvers<void>();
  #isAborted = false;
  #lifetime: NodeJS.Timeout | undefined;
  /** The initial events are told off it. */
  #watch: ObjectWatch | undefined;
  /** And then, what happens. */
  #changes: Changes | undefined;
  /** Where the place is told now and then. */
  #marks: NodeJS.Timeout | undefined;

  constructor(form: Form, sink: EventSink) {
    this.#form = form;
    this.#sink = sink;
  }

  get over(): Promise<void> {
    return this.#over.promise;
  }

  start(source: ResourceSource, prepared: PreparedWatch): void {
    if (prepared.lifetimeMs < 0) this.#over.resolve();
    else this.#tellAll(source, prepared).catch((error: unknown) => this.#end(error));
  }

  abort(): void {
    this.#isAborted = true;
    this.#stop();
  }

  static #stopOne(this: void, watch: WatchUnderWay): void {
    watch.#stop();
  }

  #stop(): void {
    this.#watch?.stop();
    this.#changes?.stop();
  }

  async #tellAll(source: ResourceSource, prepared: PreparedWatch): Promise<void> {
    const watch = source.begin(prepared);
    this.#watch = watch;
    this.#lifetime = setTimeout(WatchUnderWay.#stopOne, prepared.lifetimeMs, this);
    const initialEnd = prepared.bookmarks ? watch.initialEnd : undefined;
    const isTaken =
      (await this.#tell(source, watch.initial)) &&
      (initialEnd === undefined || (await this.#tell(source, [initialEnd])));
    if (isTaken) this.#goOn(source, watch, prepared.bookmarks);
    else this.#end();
  }

  /** False when nobody takes it. */
  async #tell(source: Source, events: Iterable<ObjectEvent>): Promise<boolean> {
    let told = 0;
    for (const event of events) {
      if (!this.#sink.write(source.lineOf(event))) return false;
      // Whoever reads slowly is waited for: what is still to be told stays in the history meanwhile, not in memory.
      if (++told % BATCH === 0) await this.#sink.drained();
    }
    await this.#sink.drained();
    return !this.#isAborted;
  }

  #goOn(source: Source, watch: ObjectWatch, bookmarks: boolean): void {
    const changes = tellChanges({ watch, source, sink: this.#sink, onOver: (error) => this.#end(error) });
    this.#watch = undefined;
    this.#changes = changes;
    if (bookmarks) this.#marks = setInterval(() => this.#mark(changes), BOOKMARK_MS);
    changes.begin();
  }

  #mark({ source, revision }: Changes): void {
    this.#sink.write(source.bookmark(revision));
  }

  #end(error?: unknown): void {
    clearTimeout(this.#lifetime);
    clearInterval(this.#marks);
    try {
      if (error instanceof StatusError) this.#sink.write(errorLine(toStatus(error, {}), this.#form));
      else if (error !== undefined) throw error;
      else if (this.#marks !== undefined && this.#changes !== undefined && !this.#isAborted) this.#mark(this.#changes);
      this.#over.resolve();
    } catch (unexpected) {
      this.#over.reject(unexpected);
    } finally {
      this.#stop();
    }
  }
}

function isTrue(text: string): boolean {
  return ["1", "t", "T", "true", "TRUE", "True"].includes(text);
}

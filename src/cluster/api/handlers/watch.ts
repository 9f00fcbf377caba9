/** GET with `watch`: a stream of events, one to a line, until the client goes, the time is over, or it cannot keep up. */
import { toStatus } from "../http/status.ts";
import { type ObjectEvent, watchObjects } from "../objects/watch.ts";
import { internalError, StatusError } from "../status-error.ts";
import { createEventWriter, type EventLine, eventLine, type Form } from "./answer.ts";
import type { ApiContext, Caller, Target } from "./context.ts";
import { checkVersionMatch, numberOf, readSelection } from "./read.ts";
import { inVersion } from "./shape.ts";

/** Where the events go. */
export interface EventSink {
  /** False when the client is cut off, or has gone: nothing more is to be written. */
  write(line: EventLine): boolean;
  /** Resolves when there is room again for more. */
  drained(): Promise<void>;
  /** When the client goes, or the server stops. */
  readonly signal: AbortSignal;
}

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
  const version = query.get("resourceVersion") ?? "";
  if (!/^\d*$/.test(version)) {
    const shown = JSON.stringify(version);
    throw internalError(
      `resourceVersion: Invalid value: ${shown}: strconv.ParseUint: parsing ${shown}: invalid syntax`,
    );
  }
  return {
    target,
    matches,
    name,
    resourceVersion: version,
    sendInitialEvents: initial === null ? undefined : isTrue(initial),
    bookmarks: isTrue(query.get("allowWatchBookmarks") ?? "false"),
    lifetimeMs: Math.min(
      MAX_TIMER_MS,
      1000 * (seconds > 0 ? seconds : LIFETIME_SECONDS + context.chance.below(LIFETIME_SECONDS)),
    ),
  };
}

export interface PreparedWatch {
  readonly target: Target;
  readonly matches: Parameters<typeof watchObjects>[2]["matches"];
  readonly name: string | undefined;
  /** Empty: none in particular. */
  readonly resourceVersion: string;
  readonly sendInitialEvents: boolean | undefined;
  readonly bookmarks: boolean;
  readonly lifetimeMs: number;
}

/** Resolves when the watch is over. What goes wrong on the way is told as an ERROR event: the answer has begun. */
export async function runWatch(
  context: ApiContext,
  prepared: PreparedWatch,
  form: Form,
  sink: EventSink,
): Promise<void> {
  const { resource, namespace } = prepared.target;
  const writer = createEventWriter(context, resource.printer, form);
  const tell = async (events: Iterable<ObjectEvent>): Promise<boolean> => {
    let told = 0;
    for (const { type, object } of events) {
      if (!sink.write(writer.lineOf({ type, object: inVersion(resource, object) }))) return false;
      // Whoever reads slowly is waited for: what is still to be told stays in the history meanwhile, not in memory.
      if (++told % BATCH === 0) await sink.drained();
    }
    await sink.drained();
    return !sink.signal.aborted;
  };
  try {
    const watch = watchObjects(context.objects, resource.kind, { ...prepared, namespace });
    const stop = (): void => watch.stop();
    const end = setTimeout(stop, prepared.lifetimeMs);
    const marks = prepared.bookmarks
      ? setInterval(() => sink.write(writer.lineOf(watch.bookmark())), BOOKMARK_MS)
      : undefined;
    sink.signal.addEventListener("abort", stop, { once: true });
    try {
      if (sink.signal.aborted || !(await tell(watch.initial))) return;
      if (watch.initialEnd !== undefined && !(await tell([watch.initialEnd]))) return;
      for await (const events of watch.changes()) {
        if (!(await tell(events))) return;
      }
      if (prepared.bookmarks && !sink.signal.aborted) sink.write(writer.lineOf(watch.bookmark()));
    } finally {
      clearTimeout(end);
      clearInterval(marks);
      sink.signal.removeEventListener("abort", stop);
      watch.stop();
    }
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    sink.write(eventLine(JSON.stringify({ type: "ERROR", object: toStatus(error, {}) })));
  }
}

function isTrue(text: string): boolean {
  return ["1", "t", "T", "true", "TRUE", "True"].includes(text);
}

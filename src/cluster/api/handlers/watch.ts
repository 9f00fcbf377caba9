/** GET with `watch`: a stream of events, one to a line, until the client goes, the time is over, or it cannot keep up. */
import { toStatus } from "../http/status.ts";
import { bookmark, type ObjectEvent, type ObjectWatch, watchObjects } from "../objects/watch.ts";
import { StatusError } from "../status-error.ts";
import { createEventWriter, type EventLine, errorLine, type Form } from "./answer.ts";
import type { ApiContext, Caller, Target } from "./context.ts";
import type { Feeds } from "./feed.ts";
import { checkVersionMatch, numberOf, readVersion } from "./list-options.ts";
import { readSelection } from "./read.ts";
import { inVersion } from "./shape.ts";
import { type EventSink, tellChanges } from "./tell-changes.ts";

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
  readonly matches: Parameters<typeof watchObjects>[2]["matches"];
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

/** Resolves when the watch is over. What goes wrong on the way is told as an ERROR event: the answer has begun. */
export async function runWatch(
  context: ApiContext,
  feeds: Feeds,
  prepared: PreparedWatch,
  form: Form,
  sink: EventSink,
): Promise<void> {
  const { resource, namespace } = prepared.target;
  const { name, matches } = prepared;
  const writer = createEventWriter(context, resource.printer, form);
  const lineOf = ({ type, object }: ObjectEvent): EventLine =>
    writer.lineOf({ type, object: inVersion(resource, object) });
  const openAt = (revision: number): ObjectWatch =>
    watchObjects(context.objects, resource.kind, { name, matches, namespace, resourceVersion: String(revision) });
  const question = { text: prepared.question, open: () => openAt(context.objects.store.revision), lineOf };
  const tell = async (events: Iterable<ObjectEvent>): Promise<boolean> => {
    let told = 0;
    for (const event of events) {
      if (!sink.write(lineOf(event))) return false;
      // Whoever reads slowly is waited for: what is still to be told stays in the history meanwhile, not in memory.
      if (++told % BATCH === 0) await sink.drained();
    }
    await sink.drained();
    return !sink.signal.aborted;
  };
  using cleanup = new DisposableStack();
  if (prepared.lifetimeMs < 0) return;
  try {
    const watch = watchObjects(context.objects, resource.kind, { ...prepared, namespace });
    let stop = (): void => watch.stop();
    const stopNow = (): void => stop();
    const end = setTimeout(stopNow, prepared.lifetimeMs);
    sink.signal.addEventListener("abort", stopNow, { once: true });
    cleanup.defer(() => {
      clearTimeout(end);
      sink.signal.removeEventListener("abort", stopNow);
      stop();
    });
    if (sink.signal.aborted || !(await tell(watch.initial))) return;
    if (prepared.bookmarks && watch.initialEnd !== undefined && !(await tell([watch.initialEnd]))) return;
    const feed =
      form.kind === "object" && form.writer.name !== "protobuf" ? () => feeds.of(resource, question) : undefined;
    const told = tellChanges({ watch, reopen: openAt, lineOf, feed, sink });
    stop = () => told.stop();
    const mark = (): void => void sink.write(writer.lineOf(bookmark(resource.kind, told.revision)));
    const marks = prepared.bookmarks ? setInterval(mark, BOOKMARK_MS) : undefined;
    cleanup.defer(() => clearInterval(marks));
    await told.over;
    if (prepared.bookmarks && !sink.signal.aborted) mark();
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    sink.write(errorLine(toStatus(error, {}), form));
  }
}

function isTrue(text: string): boolean {
  return ["1", "t", "T", "true", "TRUE", "True"].includes(text);
}

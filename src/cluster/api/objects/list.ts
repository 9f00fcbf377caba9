/** Lists: which state they show, how they come in pages, and what is refused. */
import { type Entry, prefixOf, type RevisionedStore, StoreError } from "../../store/index.ts";
import { goQuoteByte } from "../decode/go-quote.ts";
import type { JsonObject } from "../json.ts";
import { type Kind, storageName } from "../kinds/kind.ts";
import { badRequest, StatusError } from "../status-error.ts";
import type { ObjectStore } from "./object-store.ts";

export interface ListRequest {
  readonly namespace?: string | undefined;
  /** 0 or undefined: all. */
  readonly limit?: number | undefined;
  readonly continue?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: string | undefined;
  /** What the selectors let through; undefined: everything. */
  readonly matches?: ((object: JsonObject) => boolean) | undefined;
}

export interface Listed {
  /** As they are stored: a list that is sent as it is needs no more. */
  readonly entries: readonly Entry[];
  /** Their objects, read when they are asked for. */
  readonly items: readonly JsonObject[];
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
}

/** Throws `StatusError`: 400 for a continue token that makes no sense, 410 for one that is too old, 504 for a future version. */
export function listObjects(objects: ObjectStore, kind: Kind, request: ListRequest): Listed {
  const { store } = objects;
  const { matches } = request;
  const limit = Math.max(0, request.limit ?? 0);
  const from = request.continue === undefined ? undefined : readToken(request.continue);
  const revision = from === undefined ? revisionFor(store, request) : revisionOf(store, from, request);
  const prefix = prefixOf(storageName(kind), request.namespace);
  // With a selector a page may come out short: more are looked at in one go, and that as often as it takes.
  const size = limit === 0 || matches === undefined ? limit : Math.max(limit, LOOKED_AT_ONCE);

  const entries: Entry[] = [];
  let after = from?.after;
  for (;;) {
    const page = readPage(store, { prefix, after, revision, limit: size }, from);
    const resourceVersion = String(page.revision);
    for (const [index, entry] of page.entries.entries()) {
      if (matches === undefined || matches(objects.read(entry))) entries.push(entry);
      const remaining = page.entries.length - index - 1 + page.remaining;
      if (limit === 0 || entries.length < limit || remaining === 0) continue;
      return listOf(objects, entries, {
        resourceVersion,
        continue: writeToken({ revision: page.revision, after: entry.key }),
        // With a selector nobody knows how many of the rest it lets through.
        ...(matches === undefined ? { remainingItemCount: remaining } : {}),
      });
    }
    if (page.next === undefined) return listOf(objects, entries, { resourceVersion });
    after = page.next;
  }
}

/** Objects that a selector is tried on before the next page is read, which costs something of its own. */
const LOOKED_AT_ONCE = 500;

/** A list of these entries. */
export function listOf(objects: ObjectStore, entries: readonly Entry[], metadata: Listed["metadata"]): Listed {
  return {
    entries,
    get items() {
      return entries.map((entry) => objects.read(entry));
    },
    metadata,
  };
}

/** The revision that the request insists on; undefined: the current state will do. */
function revisionFor(store: RevisionedStore, request: ListRequest): number | undefined {
  const { resourceVersion = "", resourceVersionMatch = "", limit = 0 } = request;
  const revision = readRevision(resourceVersion);
  if (revision > store.revision) throw tooLargeVersion(revision, store.revision);
  // Pages were of just this version before there was a word for it, and are so still without one.
  const isExact = resourceVersionMatch === "Exact" || (resourceVersionMatch === "" && limit > 0);
  return isExact && revision > 0 ? revision : undefined;
}

/** The revision of the pages before; undefined for a token that goes on in whatever state there is. */
function revisionOf(
  store: RevisionedStore,
  { revision }: Token,
  { resourceVersion = "" }: ListRequest,
): number | undefined {
  if (resourceVersion !== "" && resourceVersion !== "0") {
    throw badRequest("specifying resource version is not allowed when using continue");
  }
  if (revision > store.revision) throw tooLargeVersion(revision, store.revision);
  return revision === INCONSISTENT ? undefined : revision;
}

export function readRevision(text: string): number {
  if (text === "") return 0;
  if (!/^\d+$/.test(text)) {
    const shown = JSON.stringify(text);
    throw badRequest(
      `invalid resource version: resourceVersion: Invalid value: ${shown}: strconv.ParseUint: parsing ${shown}: invalid syntax`,
    );
  }
  return Number(text);
}

function readPage(
  store: RevisionedStore,
  options: Parameters<RevisionedStore["list"]>[0],
  from: Token | undefined,
): ReturnType<RevisionedStore["list"]> {
  try {
    return store.list(options);
  } catch (error) {
    if (error instanceof StoreError && error.reason === "Compacted")
      throw from === undefined ? LIST_TOO_OLD : tokenTooOld(from);
    throw error;
  }
}

const LIST_TOO_OLD = new StatusError(410, "Expired", "The resourceVersion for the provided list is too old.");

/** 410, with a token for who would rather go on in the state of today than begin anew. */
function tokenTooOld({ after }: Token): StatusError {
  const message =
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue " +
    "parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token " +
    "results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and " +
    "now may show up in the list.";
  return new StatusError(410, "Expired", message, [], undefined, writeToken({ revision: INCONSISTENT, after }));
}

/** 410: the client lists again from the start. */
export function tooOldVersion(asked: number | undefined, oldest: number): StatusError {
  return new StatusError(410, "Expired", `too old resource version: ${asked ?? 0} (${oldest})`);
}

/** 504: what a client sees that knows more than we do, after our file was replaced by an older one. */
export function tooLargeVersion(asked: number, current: number): StatusError {
  const message = `Timeout: Too large resource version: ${asked}, current: ${current}`;
  return new StatusError(
    504,
    "Timeout",
    message,
    [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    { retryAfterSeconds: 1 },
  );
}

const VERSION = "meta.k8s.io/v1";

/** In a token: of no revision in particular. */
const INCONSISTENT = -1;

interface Token {
  readonly revision: number;
  readonly after: string;
}

function writeToken({ revision, after }: Token): string {
  return Buffer.from(JSON.stringify({ v: VERSION, rv: revision, start: after })).toString("base64url");
}

function readToken(token: string): Token {
  const bytes = Buffer.from(token, "base64url");
  const bad = badLetter(token);
  if (bad !== undefined) refuseToken(`: illegal base64 data at input byte ${bad}`);
  const { v, rv, start } = parsedToken(bytes);
  if (v !== VERSION) refuseToken(`: server does not recognize this encoded version ${typeof v === "string" ? v : ""}`);
  if (typeof rv !== "number" || !Number.isSafeInteger(rv) || rv === 0 || rv < INCONSISTENT) {
    return refuseToken(`: incorrect encoded start resourceVersion (version ${VERSION})`);
  }
  if (typeof start !== "string" || start === "") {
    return refuseToken(`: encoded start key empty (version ${VERSION})`);
  }
  return { revision: rv, after: start };
}

function parsedToken(bytes: Buffer): Record<string, unknown> {
  try {
    return (JSON.parse(bytes.toString("utf8")) ?? {}) as Record<string, unknown>;
  } catch {
    const [first] = bytes;
    const why =
      first === undefined
        ? "unexpected end of JSON input"
        : `invalid character ${goQuoteByte(first)} looking for beginning of value`;
    return refuseToken(`: ${why}`);
  }
}

/** Where the token ceases to be base64: at a foreign letter, or at the last, when it is one that says nothing by itself. */
function badLetter(token: string): number | undefined {
  const found = token.search(/[^\w-]/);
  if (found !== -1) return found;
  return token.length % 4 === 1 ? token.length - 1 : undefined;
}

function refuseToken(why: string): never {
  throw badRequest(`invalid continue token: continue key is not valid${why}`);
}

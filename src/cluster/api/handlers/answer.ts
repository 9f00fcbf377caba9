/** Objects in the form that the client asked for, as text. What is stored is sent as it is stored: nothing is written anew. */

import type { Entry } from "../../store/index.ts";
import type { Resource } from "../catalog/resource.ts";
import { type AnswerForm, chooseAnswer } from "../http/media-type.ts";
import { notAcceptable } from "../http/status.ts";
import type { JsonObject } from "../json.ts";
import { groupVersionOf, type Kind } from "../kinds/kind.ts";
import type { Listed } from "../objects/list.ts";
import type { ObjectEvent } from "../objects/watch.ts";
import { partialMetadata, partialMetadataEvent, partialMetadataList } from "../table/partial-metadata.ts";
import type { Printer } from "../table/printer.ts";
import { type IncludeObject, readIncludeObject, tableFor } from "../table/table.ts";
import type { ApiContext, Target } from "./context.ts";
import { inVersion } from "./shape.ts";

/** How a client wants its answer. */
export interface Form {
  readonly kind: Extract<AnswerForm, "object" | "table" | "metadata">;
  readonly includeObject: IncludeObject;
}

export const PLAIN: Form = { kind: "object", includeObject: "Metadata" };

/** Throws 406 when the client takes nothing that is offered. */
export function readForm(accept: string | undefined, query: URLSearchParams): Form {
  const kind = chooseAnswer(accept, ["table", "metadata"]);
  if (kind === undefined || kind === "aggregated-discovery") throw notAcceptable();
  return {
    kind,
    includeObject: kind === "table" ? readIncludeObject(query.get("includeObject") ?? undefined) : "Metadata",
  };
}

/** One object. */
export function objectText(context: ApiContext, printer: Printer, object: JsonObject, form: Form): string {
  switch (form.kind) {
    case "object":
      return context.objects.textOf(object) ?? JSON.stringify(object);
    case "metadata":
      return JSON.stringify(partialMetadata(object));
    case "table":
      return JSON.stringify(
        tableFor(printer, [object], { now: context.clock.now(), includeObject: form.includeObject }),
      );
  }
}

/** JSON; in pieces where it may be long, so that nobody has to hold all of it at once. */
export type Text = string | Iterable<string>;

/** A list; its items do not repeat what they are, except those of custom resources. */
export function listText(context: ApiContext, { resource }: Target, listed: Listed, form: Form): Text {
  if (form.kind === "object") {
    const texts = itemTexts(context, resource, listed.entries);
    return listOfTexts(resource.kind, listMetadata(resource, listed.metadata), texts);
  }
  const metadata: JsonObject = { ...listed.metadata };
  const items = listed.items.map((item) => inVersion(resource, item));
  if (form.kind === "metadata") return JSON.stringify(partialMetadataList({ metadata, items }));
  const { includeObject } = form;
  return JSON.stringify(
    tableFor(resource.printer, items, { now: context.clock.now(), includeObject, listMetadata: metadata }),
  );
}

/** Lists of custom resources say that they do not go on. */
export function listMetadata({ custom }: Resource, metadata: Listed["metadata"]): JsonObject {
  return custom === undefined ? { ...metadata } : { continue: "", ...metadata };
}

/** Pieces have so many characters or a few more; the last has what is left. */
const PIECE_CHARACTERS = 128 * 2 ** 10;

export function* listOfTexts(kind: Kind, metadata: JsonObject, texts: Iterable<string>): Generator<string, void> {
  const head = JSON.stringify({ kind: `${kind.kind}List`, apiVersion: groupVersionOf(kind), metadata });
  let piece = `${head.slice(0, -1)},"items":[`;
  let separator = "";
  for (const text of texts) {
    piece += separator + text;
    separator = ",";
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = "";
  }
  yield `${piece}]}`;
}

/** Taken from what is stored, unless it is stored in another version. */
function* itemTexts({ objects }: ApiContext, resource: Resource, entries: readonly Entry[]): Generator<string, void> {
  const prefix = typePrefix(resource.kind);
  for (const entry of entries) {
    if (!entry.value.startsWith(prefix)) {
      yield JSON.stringify(asItem(resource, inVersion(resource, objects.read(entry))));
    } else yield resource.custom === undefined ? `{${entry.value.slice(prefix.length)}` : entry.value;
  }
}

/** An object as it stands in a list. */
export function asItem({ custom }: Resource, object: JsonObject): JsonObject {
  if (custom !== undefined) return object;
  const { kind: _kind, apiVersion: _version, ...rest } = object;
  return rest;
}

/** How the text of a stored object of this kind and version begins. */
function typePrefix(kind: Kind): string {
  return `{"kind":${JSON.stringify(kind.kind)},"apiVersion":${JSON.stringify(groupVersionOf(kind))},`;
}

/** An event of a watch in the forms in which it is handed on. Each is made for the first who wants it, and is the same for all. */
export interface EventLine {
  /** With the end of the line. */
  readonly bytes: Buffer;
  /** What the line says, for readers in this process. Frozen: they have it in common. */
  readonly value: unknown;
}

/** Writes the events of one watch, line by line. */
export interface EventWriter {
  lineOf(event: ObjectEvent): EventLine;
}

/**
 * Lines of plain objects, the same for all who watch: of the last changes alone, which all of them are being told. Kept for as
 * long as the objects are, they would be a quarter of all memory.
 */
const lines = new Map<JsonObject, Map<string, EventLine>>();
const KEPT_LINES = 256;

export function createEventWriter(context: ApiContext, printer: Printer, form: Form): EventWriter {
  let columnsAlreadySent = false;
  return {
    lineOf(event) {
      if (form.kind === "object") return sharedLine(context, event);
      if (form.kind === "metadata") return eventLine(JSON.stringify(partialMetadataEvent(event)));
      const object = tableFor(printer, [event.object], {
        now: context.clock.now(),
        includeObject: form.includeObject,
        columnsAlreadySent,
      });
      columnsAlreadySent = true;
      return eventLine(JSON.stringify({ type: event.type, object }));
    },
  };
}

function sharedLine({ objects }: ApiContext, { type, object }: ObjectEvent): EventLine {
  const known = lines.get(object) ?? new Map<string, EventLine>();
  const made = known.get(type);
  if (made !== undefined) return made;
  const line = eventLine(`{"type":"${type}","object":${objects.textOf(object) ?? JSON.stringify(object)}}`);
  known.set(type, line);
  lines.set(object, known);
  const [oldest] = lines.keys();
  if (lines.size > KEPT_LINES && oldest !== undefined) lines.delete(oldest);
  return line;
}

/** `text`: JSON. */
export function eventLine(text: string): EventLine {
  let bytes: Buffer | undefined;
  let value: unknown;
  return {
    get bytes() {
      bytes ??= Buffer.from(`${text}\n`);
      return bytes;
    },
    get value() {
      value ??= deepFreeze(JSON.parse(text));
      return value;
    },
  };
}

function deepFreeze(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  for (const each of Object.values(value)) deepFreeze(each);
  return Object.freeze(value);
}

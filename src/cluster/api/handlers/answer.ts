/** Objects in the form that the client asked for, as text. What is stored is sent as it is stored: nothing is written anew. */

import type { Entry } from "../../store/index.ts";
import type { Resource } from "../catalog/resource.ts";
import { writerFor } from "../encode/choose.ts";
import { jsonInPieces, type Text, type Writer } from "../encode/writer.ts";
import { type AnswerForm, chooseAnswer, takesAny } from "../http/media-type.ts";
import { listIsAsked, notAcceptable, oneIsAsked } from "../http/status.ts";
import type { JsonObject } from "../json.ts";
import { groupVersionOf, type Kind } from "../kinds/kind.ts";
import type { Listed } from "../objects/list.ts";
import type { ObjectEvent } from "../objects/watch.ts";
import { protobufEvent, protobufObject } from "../protobuf/answers.ts";
import {
  type MetaVersion,
  partialMetadata,
  partialMetadataEvent,
  partialMetadataList,
} from "../table/partial-metadata.ts";
import type { Printer } from "../table/printer.ts";
import { type IncludeObject, readIncludeObject, tableFor } from "../table/table.ts";
import type { ApiContext, Caller, Target } from "./context.ts";
import { createKeptLines } from "./kept-lines.ts";
import { inVersion } from "./shape.ts";

/** How a client wants its answer. */
export interface Form {
  readonly kind: Exclude<AnswerForm, "aggregated-discovery">;
  readonly includeObject: IncludeObject;
  /** Of tables, and of metadata alone. */
  readonly apiVersion: MetaVersion;
  readonly writer: Writer;
}

/** What a request for a form has to say of it. */
export interface FormRequest {
  readonly accept: string | undefined;
  readonly caller: Pick<Caller, "query" | "userAgent">;
  readonly target: Target;
}

/** Throws 406 when the client takes nothing that is offered. */
export function readForm({ accept, caller: { query, userAgent }, target }: FormRequest): Form {
  const choice = chooseAnswer(accept, ["table", "metadata", "metadata-list"], target.resource.custom === undefined);
  if (choice === undefined || choice.form === "aggregated-discovery") {
    throw notAcceptable(target.name === undefined ? "list" : "object", takesAny(accept ?? ""));
  }
  const { form: kind } = choice;
  return {
    kind,
    includeObject: kind === "table" ? readIncludeObject(query.get("includeObject") ?? undefined) : "Metadata",
    apiVersion: choice.beta === true ? "meta.k8s.io/v1beta1" : "meta.k8s.io/v1",
    writer: writerFor(choice, query, userAgent),
  };
}

/** The same for a watch. Throws 406 where the client would have it in an encoding that has no events. */
export function readWatchForm(request: FormRequest): Form {
  const form = readForm(request);
  if (form.writer.name === "yaml") throw notAcceptable("watch", true);
  return form;
}

/** One object. What was done is told as a Status, whatever form was asked for. Throws 406 where that was a list. */
export function objectText(context: ApiContext, resource: Resource, object: JsonObject, form: Form): string | Buffer {
  const kind = object["kind"] === "Status" ? "object" : form.kind;
  return form.writer.object(jsonOf(context, resource, object, kind, form));
}

function jsonOf(
  context: ApiContext,
  resource: Resource,
  object: JsonObject,
  kind: Form["kind"],
  { includeObject, apiVersion }: Form,
): string {
  switch (kind) {
    case "object":
      return context.objects.textOf(object) ?? JSON.stringify(object);
    case "metadata":
      return JSON.stringify(partialMetadata(object, apiVersion));
    case "metadata-list":
      throw listIsAsked(goTypeOf(resource));
    case "table":
      return JSON.stringify(
        tableFor(resource.printer, [object], { now: context.clock.now(), includeObject, apiVersion }),
      );
  }
}

/** As Kubernetes calls it in its own program, and to those who ask for one thing in the form of another. */
function goTypeOf({ kind: { group, kind }, custom }: Resource): string {
  if (custom !== undefined) return "*unstructured.Unstructured";
  const [name = ""] = group.split(".");
  return `*${name === "" || name === "events" ? "core" : name}.${kind}`;
}

/**
 * A list; its items do not repeat what they are, except those of custom resources. Throws 406 where the form of one object was
 * asked for.
 */
export function listText(context: ApiContext, { resource }: Target, listed: Listed, form: Form): Text {
  if (form.kind === "object") {
    const texts = itemTexts(context, resource, listed.entries);
    return listOfTexts(resource.kind, listMetadata(resource, listed.metadata), texts, form);
  }
  // The others are for people, and for who takes nothing else.
  if (form.writer.name !== "json" || form.kind === "metadata") {
    const items = listed.items.map((item) => inVersion(resource, item));
    return wholeText(context, resource, listed.metadata, items, form);
  }
  const metadata: JsonObject = { ...listed.metadata };
  const { includeObject, apiVersion } = form;
  const options = { now: context.clock.now(), includeObject, apiVersion, listMetadata: metadata };
  if (form.kind === "metadata-list") {
    const texts = textsOf(context, resource, listed.entries, (item) => partialMetadata(item, apiVersion));
    return jsonInPieces(partialMetadataList({ metadata }, apiVersion), "items", texts);
  }
  const rowOf = (item: JsonObject): unknown => tableFor(resource.printer, [item], options).rows[0];
  const rows = textsOf(context, resource, listed.entries, rowOf);
  return jsonInPieces(tableFor(resource.printer, [], options), "rows", rows);
}

/** The same for objects that are at hand, as they are served. */
export function itemsText(
  context: ApiContext,
  { resource }: Target,
  metadata: Listed["metadata"],
  items: readonly JsonObject[],
  form: Form,
): Text {
  if (form.kind !== "object") return wholeText(context, resource, metadata, items, form);
  const texts = items.map((item) => JSON.stringify(asItem(resource, item)));
  return listOfTexts(resource.kind, listMetadata(resource, metadata), texts, form);
}

function wholeText(
  context: ApiContext,
  resource: Resource,
  listed: Listed["metadata"],
  items: readonly JsonObject[],
  { kind, includeObject, apiVersion, writer }: Form,
): Text {
  if (kind === "metadata") throw oneIsAsked(`${goTypeOf(resource)}List`);
  const metadata: JsonObject = { ...listed };
  const options = { now: context.clock.now(), includeObject, apiVersion, listMetadata: metadata };
  const whole =
    kind === "table"
      ? tableFor(resource.printer, items, options)
      : partialMetadataList({ metadata, items: [...items] }, apiVersion);
  return writer.object(JSON.stringify(whole));
}

/** What is made of each object, when it is asked for: of a long list, nobody holds all at once. */
function* textsOf(
  { objects }: ApiContext,
  resource: Resource,
  entries: readonly Entry[],
  make: (object: JsonObject) => unknown,
): Generator<string, void> {
  for (const entry of entries) yield JSON.stringify(make(inVersion(resource, objects.read(entry))));
}

/** Lists of custom resources say that they do not go on. */
function listMetadata({ custom }: Resource, metadata: Listed["metadata"]): JsonObject {
  return custom === undefined ? { ...metadata } : { continue: "", ...metadata };
}

/** Items as JSON. */
function listOfTexts(kind: Kind, metadata: JsonObject, texts: Iterable<string>, { writer }: Form): Text {
  return writer.list({ kind: `${kind.kind}List`, apiVersion: groupVersionOf(kind), metadata }, texts);
}

/** Taken from what is stored, unless it is stored in another form. */
function* itemTexts({ objects }: ApiContext, resource: Resource, entries: readonly Entry[]): Generator<string, void> {
  const prefix = typePrefix(resource.kind);
  for (const entry of entries) {
    if (resource.custom?.fromStored !== undefined || !entry.value.startsWith(prefix)) {
      yield JSON.stringify(asItem(resource, inVersion(resource, objects.read(entry))));
    } else yield resource.custom === undefined ? `{${entry.value.slice(prefix.length)}` : entry.value;
  }
}

/** An object as it stands in a list. */
function asItem({ custom }: Resource, object: JsonObject): JsonObject {
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

/** A line is there up to three times: as text, as bytes, and as what it says. */
const lines = createKeptLines<EventLine>({ objects: 256, characters: 16 * 2 ** 20 });

export function createEventWriter(context: ApiContext, printer: Printer, form: Form): EventWriter {
  if (form.writer.name === "protobuf") return createProtobufEventWriter(form);
  let columnsAlreadySent = false;
  return {
    lineOf(event) {
      if (form.kind === "object") return sharedLine(context, event);
      if (form.kind === "metadata" || form.kind === "metadata-list")
        return eventLine(JSON.stringify(partialMetadataEvent(event, form.apiVersion)));
      const object = tableFor(printer, [event.object], {
        now: context.clock.now(),
        includeObject: form.includeObject,
        apiVersion: form.apiVersion,
        columnsAlreadySent,
      });
      columnsAlreadySent = true;
      return eventLine(JSON.stringify({ type: event.type, object }));
    },
  };
}

/** Events as client-go frames them. Whoever reads in this process reads lines of JSON. */
function createProtobufEventWriter({ kind, apiVersion }: Form): EventWriter {
  return {
    lineOf(event) {
      const { type } = event;
      const object = kind !== "object" ? partialMetadata(event.object, apiVersion) : event.object;
      return { bytes: protobufEvent(type, protobufObject(object)), value: { type, object } };
    },
  };
}

/** The event that tells why a watch ends. */
export function errorLine(status: JsonObject, { writer }: Form): EventLine {
  if (writer.name !== "protobuf") return eventLine(JSON.stringify({ type: "ERROR", object: status }));
  return { bytes: protobufEvent("ERROR", protobufObject(status)), value: { type: "ERROR", object: status } };
}

function sharedLine({ objects }: ApiContext, { type, object }: ObjectEvent): EventLine {
  const known = lines.get(object, type);
  if (known !== undefined) return known;
  const text = `{"type":"${type}","object":${objects.textOf(object) ?? JSON.stringify(object)}}`;
  const line = eventLine(text);
  lines.keep(object, type, line, text.length);
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

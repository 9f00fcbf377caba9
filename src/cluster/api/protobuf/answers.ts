/**
 * Answers of `application/vnd.kubernetes.protobuf`: objects, lists, refusals and the events of a watch, as client-go reads them
 * (apimachinery, runtime/serializer/protobuf). There are messages for built-in kinds and for metadata alone.
 */
import { get, isObject, type JsonObject } from "../json.ts";
import { encodeMessage } from "./encode.ts";
import { kindMessage } from "./table.ts";
import { WireWriter } from "./wire-writer.ts";

/** `k8s` and a zero. */
const PREFIX = Buffer.from("k8s\0");

/** An object of a built-in kind, a Status, or metadata alone. Throws for what has no message: it was not to be asked for. */
export function protobufObject(object: JsonObject): Buffer {
  const [apiVersion, kind] = [textIn(object, "apiVersion"), textIn(object, "kind")];
  const message = messageFor(apiVersion, kind);
  if (message === undefined) throw new Error(`${apiVersion} ${kind} has no message`);
  return enveloped(apiVersion, kind, encodeMessage(message, object));
}

/** A list of a built-in kind; `head` is what stands in front of its items in JSON. */
export function protobufList(head: JsonObject, items: Iterable<JsonObject>): Buffer {
  const [apiVersion, kind] = [textIn(head, "apiVersion"), textIn(head, "kind")];
  const message = messageFor(apiVersion, kind.replace(/List$/, ""));
  if (message === undefined) throw new Error(`${apiVersion} ${kind} has no message`);
  const metadata = get(head, "metadata");
  const list = new WireWriter();
  list.bytesField(1, encodeMessage("meta.v1.ListMeta", isObject(metadata) ? metadata : {}));
  for (const item of items) list.bytesField(2, encodeMessage(message, item));
  return enveloped(apiVersion, kind, list.bytes());
}

const LENGTH_BYTES = 4;

/** One event of a watch, with its length in front. `object`: as `protobufObject` gives it. */
export function protobufEvent(type: string, object: Buffer): Buffer {
  const raw = new WireWriter();
  raw.bytesField(1, object);
  const event = new WireWriter();
  event.textField(1, type);
  event.bytesField(2, raw.bytes());
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(event.bytes().length);
  return Buffer.concat([length, event.bytes()]);
}

/** What is known of kinds that are answered with and never stored. */
const ANSWERED: Readonly<Record<string, string>> = {
  "v1/Status": "meta.v1.Status",
  "meta.k8s.io/v1/PartialObjectMetadata": "meta.v1.PartialObjectMetadata",
  "meta.k8s.io/v1/PartialObjectMetadataList": "meta.v1.PartialObjectMetadataList",
};

function messageFor(apiVersion: string, kind: string): string | undefined {
  const name = `${apiVersion}/${kind}`;
  return Object.hasOwn(ANSWERED, name) ? ANSWERED[name] : kindMessage(apiVersion, kind);
}

function enveloped(apiVersion: string, kind: string, raw: Buffer): Buffer {
  const type = new WireWriter();
  type.textField(1, apiVersion);
  type.textField(2, kind);
  const unknown = new WireWriter();
  unknown.bytesField(1, type.bytes());
  unknown.bytesField(2, raw);
  return Buffer.concat([PREFIX, unknown.bytes()]);
}

function textIn(object: JsonObject, field: string): string {
  const value = get(object, field);
  return typeof value === "string" ? value : "";
}

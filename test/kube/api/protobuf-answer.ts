/** An answer in protobuf as the JSON of the same: objects, lists, refusals, and the events of a watch. */
import { decodeMessage } from "../../../src/cluster/api/protobuf/decode.ts";
import { bytesOf } from "../../../src/cluster/api/protobuf/scalars.ts";
import { kindMessage } from "../../../src/cluster/api/protobuf/table.ts";
import { readFields, toText } from "../../../src/cluster/api/protobuf/wire.ts";

const PREFIX = 4;

/** The fields of a message that are stretches of bytes, by number; of several with one number, all. */
function parts(bytes: Uint8Array): Map<number, Uint8Array[]> {
  const found = new Map<number, Uint8Array[]>();
  for (const field of readFields(bytes)) found.set(field.number, [...(found.get(field.number) ?? []), bytesOf(field)]);
  return found;
}

const first = (of: Map<number, Uint8Array[]>, number: number): Uint8Array => of.get(number)?.[0] ?? new Uint8Array();

export function readProtobuf(bytes: Uint8Array): unknown {
  if (Buffer.from(bytes.subarray(0, PREFIX)).toString("latin1") !== "k8s\0") return "no protobuf of Kubernetes";
  const unknown = parts(bytes.subarray(PREFIX));
  const type = parts(first(unknown, 1));
  const [apiVersion, kind] = [toText(first(type, 1)), toText(first(type, 2))];
  const raw = first(unknown, 2);
  const message = kind === "Status" ? "meta.v1.Status" : kindMessage(apiVersion, kind);
  if (message !== undefined) return { kind, apiVersion, ...decodeMessage(message, raw) };
  const item = kindMessage(apiVersion, kind.replace(/List$/, "")) ?? `meta.v1.${kind}`;
  if (!kind.endsWith("List") || kind.startsWith("Partial")) return { kind, apiVersion, ...decodeMessage(item, raw) };
  const list = parts(raw);
  return {
    kind,
    apiVersion,
    metadata: decodeMessage("meta.v1.ListMeta", first(list, 1)),
    items: (list.get(2) ?? []).map((each) => decodeMessage(item, each)),
  };
}

/** Frames of a watch: how long an event is, and the event. */
export function readProtobufEvents(bytes: Uint8Array): unknown[] {
  const events: unknown[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = Buffer.from(bytes.subarray(at, at + 4)).readUInt32BE();
    const event = parts(bytes.subarray(at + 4, at + 4 + length));
    const object = first(parts(first(event, 2)), 1);
    events.push({ type: toText(first(event, 1)), object: readProtobuf(object) });
    at += 4 + length;
  }
  return events;
}

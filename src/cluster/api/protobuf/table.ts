/**
 * Which fields a Kubernetes message has on the wire, and what becomes of them in JSON. The data is generated from the
 * definitions of the Kubernetes that the tests run on, by scripts/generate-protobuf.ts.
 */
import { kindTable } from "../kinds/kind-table.ts";
import data from "./generated/messages.json" with { type: "json" };

/** What a value looks like on the wire, where it is not a message of the table. */
export type ScalarType =
  | "string"
  | "bool"
  | "bytes"
  | "int32"
  | "int64"
  | "double"
  | "quantity"
  | "time"
  | "microTime"
  | "intOrString"
  /** A message whose only field is a text that is JSON itself. */
  | "json";

/**
 * What JSON shows of a field that is zero or not there, as decided by the Go type:
 * - `omit`: nothing.
 * - `value`: its zero value: `""`, `0`, `false`, null for a list or map, a structure with what it always shows.
 * - `pointer`: zero when zero was sent, nothing when it was not there: `replicas: 0` says something else than no replicas.
 * - `nullable`: zero when zero was sent, null when it was not there.
 * - `inline`: its fields are those of the message around it.
 */
export type Presence = "omit" | "value" | "pointer" | "nullable" | "inline";

export interface Field {
  readonly name: string;
  /** A `ScalarType`, or the name of a message. */
  readonly type: string;
  /** A map has strings as keys. */
  readonly holds: "one" | "list" | "map";
  readonly presence: Presence;
}

/** As it is checked in: number, name, type, holds, presence. */
export type FieldRow = readonly [number, string, string, Field["holds"], Presence];

export interface MessageData {
  /** `apps/v1/StatefulSet` to the name of its message. */
  readonly kinds: Readonly<Record<string, string>>;
  readonly messages: Readonly<Record<string, readonly FieldRow[]>>;
}

/** The fields of one message by their number on the wire. */
export type Message = ReadonlyMap<number, Field>;

const { kinds, messages } = data as unknown as MessageData;

/** Made when they are first asked for: most of a cluster's life sees a few of the messages. */
const MESSAGES = new Map<string, Message>();

const KINDS = kindTable(Object.entries(kinds));

/** The message of a kind, for example of `apps/v1` and `StatefulSet`; undefined for one that is not known. */
export function kindMessage(apiVersion: string, kind: string): string | undefined {
  // Clients send it in the version of what they delete.
  if (kind === "DeleteOptions") return "meta.v1.DeleteOptions";
  return KINDS.get(apiVersion, kind);
}

/** The message of this name. Throws for one that the table does not hold: it refers to nothing else. */
export function messageOf(name: string): Message {
  const known = MESSAGES.get(name);
  if (known !== undefined) return known;
  const rows = messages[name];
  if (rows === undefined) throw new Error(`no message is called ${name}`);
  const message: Message = new Map(
    rows.map(([number, field, type, holds, presence]) => [number, { name: field, type, holds, presence }]),
  );
  MESSAGES.set(name, message);
  return message;
}

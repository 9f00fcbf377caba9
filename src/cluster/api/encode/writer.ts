/**
 * Answers in the encoding that a client asked for. All of them are made of JSON text, which is how objects are stored: as JSON it
 * leaves as it is, and everything else is made of it, a list item by item, so that nobody has to hold all of one at once.
 */
import type { Json, JsonObject } from "../json.ts";
import { protobufList, protobufObject } from "../protobuf/answers.ts";
import { toYaml, yamlItem } from "./yaml.ts";

/** An answer; in pieces where it may be long. */
export type Text = string | Buffer | Iterable<string>;

export interface Writer {
  readonly name: "json" | "pretty" | "yaml" | "protobuf";
  /** Undefined for JSON: it is what answers are unless something else is said. */
  readonly contentType: string | undefined;
  /** `text`: one object as JSON. Ends as Kubernetes ends it: JSON for programs and YAML with a line, JSON for people without. */
  object(text: string): string | Buffer;
  /** A list with this in front of its items, each of them an object as JSON. */
  list(head: JsonObject, items: Iterable<string>): Text;
}

/** Pieces have so many characters or a few more; the last has what is left. */
const PIECE_CHARACTERS = 128 * 2 ** 10;

export const JSON_WRITER: Writer = {
  name: "json",
  contentType: undefined,
  object: (text) => `${text}\n`,
  list: (head, items) => jsonInPieces(head, "items", items),
};

/** An object with these texts as the list in its last field, whatever it has there. */
export function* jsonInPieces(whole: object, field: string, texts: Iterable<string>): Generator<string, void> {
  // One loop, and nothing in between: most of what the server sends is sent by it.
  let piece = `${JSON.stringify({ ...whole, [field]: undefined }).slice(0, -1)},"${field}":[`;
  let separator = "";
  for (const text of texts) {
    piece += separator + text;
    separator = ",";
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = "";
  }
  yield `${piece}]}\n`;
}

/** For people: browsers, curl, and whoever asks for it. */
export const PRETTY_WRITER: Writer = {
  name: "pretty",
  contentType: undefined,
  object: (text) => pretty(JSON.parse(text) as Json),
  *list(head, items) {
    const opening = `${pretty(head).slice(0, -2)},\n  "items": [`;
    let count = 0;
    const indented = (text: string): string => {
      const separator = count++ === 0 ? "" : ",";
      return `${separator}\n    ${pretty(JSON.parse(text) as Json).replaceAll("\n", "\n    ")}`;
    };
    yield* inPieces(opening, mapped(items, indented), () => (count === 0 ? "]\n}" : "\n  ]\n}"));
  },
};

/** Keys are in order: what stands in front of the items is what comes before them in the alphabet. */
export const YAML_WRITER: Writer = {
  name: "yaml",
  contentType: "application/yaml",
  object: (text) => toYaml(JSON.parse(text) as Json),
  *list({ apiVersion = "", ...rest }, items) {
    let count = 0;
    const item = (text: string): string => {
      const first = count++ === 0 ? "items:\n" : "";
      return first + yamlItem(JSON.parse(text) as Json, "");
    };
    const closing = () => `${count === 0 ? "items: []\n" : ""}${toYaml(rest)}`;
    yield* inPieces(toYaml({ apiVersion }), mapped(items, item), closing);
  },
};

/** A list says how long it is before it begins: it is made whole. */
export const PROTOBUF_WRITER: Writer = {
  name: "protobuf",
  contentType: "application/vnd.kubernetes.protobuf",
  object: (text) => protobufObject(JSON.parse(text) as JsonObject),
  list: (head, items) => protobufList(head, parsed(items)),
};

function* parsed(texts: Iterable<string>): Generator<JsonObject, void> {
  for (const text of texts) yield JSON.parse(text) as JsonObject;
}

function pretty(value: Json | object): string {
  return JSON.stringify(value, null, 2);
}

function* inPieces(opening: string, texts: Iterable<string>, closing: () => string): Generator<string, void> {
  let piece = opening;
  for (const text of texts) {
    piece += text;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = "";
  }
  yield piece + closing();
}

function* mapped(texts: Iterable<string>, change: (text: string) => string): Generator<string, void> {
  for (const text of texts) yield change(text);
}

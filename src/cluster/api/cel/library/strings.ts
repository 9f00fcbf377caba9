/** Texts: cel-go's extension at version 2, as Kubernetes has it since 1.29. Places are counted in characters. */
import { GO_ESCAPES } from "../../decode/go-quote.ts";
import { trimSpace } from "../../trim-space.ts";
import { type FunctionDeclaration, member, overload, type Running } from "../check/declarations.ts";
import { DYN, INT, listOf, STRING } from "../check/types.ts";
import { listOfValues, valuesOf } from "../value/collections.ts";
import { shown } from "../value/show.ts";
import { type CelError, error, isError, type List, type Value } from "../value/value.ts";
import { formatted } from "./format-text.ts";

/** Texts do not grow longer than this: steps are counted by what goes in, and `replace` can make a lot of it. */
const MAX_LENGTH = 32 * 1024 * 1024;

export const STRINGS: readonly FunctionDeclaration[] = [
  {
    name: "charAt",
    overloads: [
      member("string_char_at_int", [STRING, INT], STRING, ([text, at]) => charAt(text as string, at as bigint)),
    ],
  },
  {
    name: "indexOf",
    overloads: [
      member("string_index_of_string", [STRING, STRING], INT, ([text, part]) =>
        indexOf(text as string, part as string, 0n),
      ),
      member("string_index_of_string_int", [STRING, STRING, INT], INT, ([text, part, from]) =>
        indexOf(text as string, part as string, from as bigint),
      ),
    ],
  },
  {
    name: "lastIndexOf",
    overloads: [
      member("string_last_index_of_string", [STRING, STRING], INT, ([text, part]) =>
        lastIndexOf(text as string, part as string),
      ),
      member("string_last_index_of_string_int", [STRING, STRING, INT], INT, ([text, part, from]) =>
        lastIndexOf(text as string, part as string, from as bigint),
      ),
    ],
  },
  {
    name: "lowerAscii",
    overloads: [
      member("string_lower_ascii", [STRING], STRING, ([text]) =>
        (text as string).replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()),
      ),
    ],
  },
  {
    name: "upperAscii",
    overloads: [
      member("string_upper_ascii", [STRING], STRING, ([text]) =>
        (text as string).replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase()),
      ),
    ],
  },
  {
    name: "replace",
    overloads: [
      member("string_replace_string_string", [STRING, STRING, STRING], STRING, ([text, old, by]) =>
        replace(text as string, old as string, by as string, -1n),
      ),
      member("string_replace_string_string_int", [STRING, STRING, STRING, INT], STRING, ([text, old, by, count]) =>
        replace(text as string, old as string, by as string, count as bigint),
      ),
    ],
  },
  {
    name: "split",
    overloads: [
      member("string_split_string", [STRING, STRING], listOf(STRING), ([text, by]) =>
        split(text as string, by as string, -1n),
      ),
      member("string_split_string_int", [STRING, STRING, INT], listOf(STRING), ([text, by, count]) =>
        split(text as string, by as string, count as bigint),
      ),
    ],
  },
  {
    name: "substring",
    overloads: [
      member("string_substring_int", [STRING, INT], STRING, ([text, from]) =>
        substring(text as string, from as bigint),
      ),
      member("string_substring_int_int", [STRING, INT, INT], STRING, ([text, from, to]) =>
        substring(text as string, from as bigint, to as bigint),
      ),
    ],
  },
  {
    name: "trim",
    overloads: [member("string_trim", [STRING], STRING, ([text]) => trimSpace(text as string))],
  },
  {
    name: "format",
    overloads: [
      member("string_format", [STRING, listOf(DYN)], STRING, ([text, list], running) =>
        formatted(text as string, list as List, running),
      ),
    ],
  },
  {
    name: "strings.quote",
    overloads: [overload("strings_quote", [STRING], STRING, ([text]) => quote(text as string))],
  },
  {
    name: "join",
    overloads: [
      member("list_join", [listOf(STRING)], STRING, ([list], running) => join(list as List, "", running)),
      member("list_join_string", [listOf(STRING), STRING], STRING, ([list, by], running) =>
        join(list as List, by as string, running),
      ),
    ],
  },
];

const outOfRange = (index: bigint) => error(`index out of range: ${index}`);
const TOO_LONG = error(`text too long: more than ${MAX_LENGTH} characters`);

/** Whether every character is one unit, as nearly always. */
function isPlain(text: string): boolean {
  return !/[\ud800-\udbff]/.test(text);
}

function charactersOf(text: string): string | readonly string[] {
  return isPlain(text) ? text : Array.from(text);
}

function charAt(text: string, at: bigint): Value | CelError {
  const characters = charactersOf(text);
  if (at < 0n || at > BigInt(characters.length)) return outOfRange(at);
  return characters[Number(at)] ?? "";
}

function indexOf(text: string, part: string, from: bigint): Value | CelError {
  if (part === "") return from;
  if (from < 0n) return outOfRange(from);
  const length = charactersOf(text).length;
  if (from >= BigInt(length)) return -1n;
  const start = unitsBefore(text, Number(from));
  const found = text.indexOf(part, start);
  return found < 0 ? -1n : BigInt(charactersOf(text.slice(0, found)).length);
}

function lastIndexOf(text: string, part: string, from?: bigint): Value | CelError {
  const length = charactersOf(text).length;
  if (part === "") return from ?? BigInt(length);
  if (from === undefined && Buffer.byteLength(text) < Buffer.byteLength(part)) return -1n;
  const last = from ?? BigInt(length - 1);
  if (last < 0n) return outOfRange(last);
  if (last >= BigInt(length)) return -1n;
  const found = text.lastIndexOf(part, unitsBefore(text, Number(last)));
  return found < 0 ? -1n : BigInt(charactersOf(text.slice(0, found)).length);
}

/** Where the character with this number begins. */
function unitsBefore(text: string, characters: number): number {
  return isPlain(text) ? characters : Array.from(text).slice(0, characters).join("").length;
}

function replace(text: string, old: string, by: string, count: bigint): Value | CelError {
  if (count === 0n || old === by) return text;
  const most = count < 0n ? Number.POSITIVE_INFINITY : Number(count);
  const pieces = old === "" ? ["", ...Array.from(text), ""] : text.split(old);
  const times = Math.min(pieces.length - 1, most);
  if (text.length + times * by.length > MAX_LENGTH) return TOO_LONG;
  const head = pieces.slice(0, times + 1).join(by);
  const tail = pieces.slice(times + 1);
  return tail.length === 0 ? head : `${head}${old}${tail.join(old)}`;
}

function split(text: string, by: string, count: bigint): Value | CelError {
  if (count === 0n) return listOfValues([]);
  const pieces = by === "" ? Array.from(text) : text.split(by);
  if (count < 0n || BigInt(pieces.length) <= count) return listOfValues(pieces);
  const most = Number(count);
  return listOfValues([...pieces.slice(0, most - 1), pieces.slice(most - 1).join(by)]);
}

function substring(text: string, from: bigint, to?: bigint): Value | CelError {
  const characters = charactersOf(text);
  const length = BigInt(characters.length);
  if (to !== undefined && from > to) return error(`invalid substring range. start: ${from}, end: ${to}`);
  if (from < 0n || from > length) return outOfRange(from);
  if (to !== undefined && (to < 0n || to > length)) return outOfRange(to);
  const piece = characters.slice(Number(from), to === undefined ? undefined : Number(to));
  return typeof piece === "string" ? piece : piece.join("");
}

function join(list: List, by: string, running: Running): Value | CelError {
  running.spend(list.size / 5);
  if (list.size * by.length > MAX_LENGTH) return TOO_LONG;
  const values = valuesOf(list);
  if (isError(values)) return values;
  const texts: string[] = [];
  let length = 0;
  for (const value of values) {
    if (typeof value !== "string") return error(`join: invalid input: ${shown(value)}`);
    length += value.length;
    if (length > MAX_LENGTH) return TOO_LONG;
    texts.push(value);
  }
  return texts.join(by);
}

function quote(text: string): string {
  return `"${Array.from(text, (character) => GO_ESCAPES[character] ?? character).join("")}"`;
}

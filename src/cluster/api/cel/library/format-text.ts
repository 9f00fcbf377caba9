/** `'%s has %d'.format([a, b])`, as cel-go's extension had it at version 2. */

import { PER_ITEM } from "../../crd/schema/linear-pattern.ts";
import { goQuote } from "../../decode/go-quote.ts";
import type { Running } from "../check/declarations.ts";
import { STRING } from "../check/types.ts";
import { MAX_INT } from "../syntax/literals.ts";
import { convert } from "../value/convert.ts";
import { shownDouble } from "../value/show.ts";
import { compareTexts } from "../value/text.ts";
import {
  type CelError,
  type CelMap,
  error,
  isError,
  isKind,
  type List,
  runtimeType,
  type Value,
} from "../value/value.ts";

/** Doubles are written with at most so many digits. */
const MAX_PRECISION = 1_000;
const DEFAULT_PRECISION = 6;

/** What a clause asks for, and how far it reaches. */
export type Clause =
  | { readonly kind: "s" | "d" | "b" | "o" | "x" | "X"; readonly length: number }
  | { readonly kind: "f" | "e"; readonly length: number; readonly precision: number };

/** Texts and clauses in the order of the format; an error where it is none, or has more clauses than there are values. */
export function clausesOf(format: string, count: number): readonly (string | Clause)[] | CelError {
  const found: (string | Clause)[] = [];
  let used = 0;
  let offset = 0;
  while (offset < format.length) {
    const at = format.indexOf("%", offset);
    if (at !== offset) {
      found.push(at < 0 ? format.slice(offset) : format.slice(offset, at));
      offset = at < 0 ? format.length : at;
      continue;
    }
    if (format[offset + 1] === "%") {
      found.push("%");
      offset += 2;
      continue;
    }
    if (offset + 1 === format.length) return error("unexpected end of string");
    if (used >= count) return error(`index ${used} out of range`);
    const clause = clauseAt(format.slice(offset + 1));
    if (isError(clause)) return clause;
    found.push(clause);
    offset += clause.length + 1;
    used++;
  }
  return found;
}

function clauseAt(text: string): Clause | CelError {
  const failed = (why: string) => error(`could not parse formatting clause: ${why}`);
  let rest = text;
  let precision = DEFAULT_PRECISION;
  if (text.startsWith(".")) {
    const [digits = ""] = /^[0-9]*/.exec(text.slice(1)) ?? [];
    rest = text.slice(1 + digits.length);
    if (rest === "") return failed("error while parsing precision: could not find end of precision specifier");
    if (digits === "") return failed(precisionError(digits, "invalid syntax"));
    if (digits.length > 30 || BigInt(digits) > MAX_INT) return failed(precisionError(digits, "value out of range"));
    precision = Math.min(Number(digits), MAX_PRECISION);
  }
  const [letter = ""] = rest;
  const length = text.length - rest.length + 1;
  switch (letter) {
    case "s":
    case "d":
    case "b":
    case "o":
    case "x":
    case "X":
      return { kind: letter, length };
    case "f":
    case "e":
      return { kind: letter, length, precision };
    default:
      // Upstream names the first byte.
      return failed(`unrecognized formatting clause "${String.fromCharCode(Buffer.from(letter)[0] ?? 0)}"`);
  }
}

function precisionError(digits: string, why: string): string {
  return `error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "${digits}": ${why}`;
}

export function formatted(format: string, list: List, running: Running): Value | CelError {
  const clauses = clausesOf(format, list.size);
  if (isError(clauses)) return clauses;
  let used = 0;
  let result = "";
  for (const clause of clauses) {
    if (typeof clause === "string") {
      result += clause;
      continue;
    }
    const value = list.get(used++);
    const text = isError(value) ? value : written(clause, value, running);
    if (typeof text !== "string") return isError(value) ? text : error(`error during formatting: ${text.message}`);
    result += text;
  }
  return result;
}

/** What is said where a value does not fit its clause. */
export const MISFIT: Readonly<Record<Clause["kind"], string>> = {
  s: "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given ",
  d: "decimal clause can only be used on integers, was given ",
  f: "fixed-point clause can only be used on doubles, was given ",
  e: "scientific clause can only be used on doubles, was given ",
  b: "only integers and bools can be formatted as binary, was given ",
  x: "only integers, byte buffers, and strings can be formatted as hex, was given ",
  X: "only integers, byte buffers, and strings can be formatted as hex, was given ",
  o: "octal clause can only be used on integers, was given ",
};

function written(clause: Clause, value: Value, running: Running): string | CelError {
  const misfit = () => error(`${MISFIT[clause.kind]}${runtimeType(value).name}`);
  const whole = typeof value === "bigint" ? value : isKind(value, "uint") ? value.value : undefined;
  switch (clause.kind) {
    case "s":
      return asText(value, running) ?? misfit();
    case "d":
      return whole === undefined ? misfit() : String(whole);
    case "b":
      if (typeof value === "boolean") return value ? "1" : "0";
      return whole === undefined ? misfit() : whole.toString(2);
    case "o":
      return whole === undefined ? misfit() : whole.toString(8);
    case "x":
    case "X": {
      const digits = whole?.toString(16) ?? hexOf(value);
      if (digits === undefined) return misfit();
      return clause.kind === "X" ? digits.toUpperCase() : digits;
    }
    case "f":
    case "e": {
      const number = typeof value === "string" ? SPECIAL[value] : value;
      if (typeof number !== "number") return misfit();
      return clause.kind === "f" ? fixed(number, clause.precision) : scientific(number, clause.precision);
    }
  }
}

const SPECIAL: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  "-Infinity": Number.NEGATIVE_INFINITY,
};

function hexOf(value: Value): string | undefined {
  if (typeof value === "string") return Buffer.from(value).toString("hex");
  return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : undefined;
}

/** In English: thousands are grouped. */
function fixed(value: number, precision: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "-∞";
  const [whole = "", fraction] = plainDigits(value, Math.min(precision, 100)).split(".");
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction.padEnd(precision, "0")}`;
}

/** JavaScript writes large numbers with an exponent; all of them are whole. */
function plainDigits(value: number, digits: number): string {
  if (Math.abs(value) < 1e21) return roundedToEven(value, digits);
  return digits === 0 ? String(BigInt(value)) : `${BigInt(value)}.${"0".repeat(digits)}`;
}

/** Halves go to the even digit, as in Go; JavaScript's go up. */
function roundedToEven(value: number, digits: number): string {
  const up = value.toFixed(digits);
  const exact = value.toFixed(Math.min(100, digits + 30));
  const rest = exact.slice(exact.indexOf(".") + 1 + digits);
  if (!/^50*$/.test(rest) || /[02468]\.?$/.test(up)) return up;
  return exact.slice(0, exact.length - rest.length).replace(/\.$/, "");
}

/** Six digits, whatever was asked for: to this version the number before the `e` is how wide the text is at least. */
function scientific(value: number, width: number): string {
  if (!Number.isFinite(value)) return fixed(value, 0).padStart(width);
  const [digits = "", power = "0"] = value.toExponential(DEFAULT_PRECISION).split("e");
  const raised = Array.from(power.replace(/[+-]/, "").padStart(2, "0"), (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join(
    "",
  );
  return `${digits}×10${power.startsWith("-") ? "⁻" : ""}${raised}`.padStart(width);
}

/** Undefined for what is not written; an error for bytes that are no text. */
function asText(value: Value, running: Running): string | CelError | undefined {
  if (value === null) return "null";
  if (isKind(value, "list")) return listText(value, running);
  if (isKind(value, "map")) return mapText(value, running);
  if (isKind(value, "type")) return value.type.name;
  if (isKind(value, "optional") || isKind(value, "struct") || isKind(value, "opaque")) return undefined;
  const text = convert(value, STRING);
  if (isError(text)) return error(`could not convert argument "${text.message}" to string`);
  return typeof text === "string" ? text : undefined;
}

function listText(list: List, running: Running): string | CelError | undefined {
  const texts: string[] = [];
  for (let index = 0; index < list.size; index++) {
    const item = list.get(index);
    const text = isError(item) ? undefined : nestedText(item, running);
    if (typeof text !== "string") return text;
    texts.push(text);
  }
  return `[${texts.join(", ")}]`;
}

function mapText(map: CelMap, running: Running): string | CelError | undefined {
  const pairs: (readonly [string, string])[] = [];
  for (const key of map.keys()) {
    const value = map.find(key);
    const name = nestedText(key, running);
    const text = value === undefined || isError(value) ? undefined : nestedText(value, running);
    if (typeof name !== "string") return name;
    if (typeof text !== "string") return text;
    pairs.push([name, text]);
  }
  const sorted = pairs.toSorted(([a], [b]) => compareTexts(a, b));
  return `{${sorted.map(([name, text]) => `${name}:${text}`).join(", ")}}`;
}

/** Within a list or a map, values are written as expressions. */
function nestedText(value: Value, running: Running): string | CelError | undefined {
  running.effort.left -= PER_ITEM;
  if (running.effort.left < 0) running.spend(Number.POSITIVE_INFINITY);
  if (typeof value === "string") return goQuote(value);
  if (typeof value === "number")
    return Number.isFinite(value) ? plainDigits(value, DEFAULT_PRECISION) : goQuote(shownDouble(value));
  const text = asText(value, running);
  if (typeof text !== "string") return text;
  if (value instanceof Uint8Array) return `b${goQuote(text)}`;
  if (isKind(value, "timestamp")) return `timestamp(${goQuote(text)})`;
  return isKind(value, "duration") ? `duration(${goQuote(text)})` : text;
}

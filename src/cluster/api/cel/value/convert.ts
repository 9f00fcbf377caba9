/** What `int()`, `string()` and their like make of a value. */
import type { Type } from "../check/types.ts";
import { MAX_INT, MIN_INT } from "../syntax/literals.ts";
import { checkedInt, checkedUint, INT_OVERFLOW, UINT_OVERFLOW } from "./numbers.ts";
import { shownDouble } from "./show.ts";
import { parseDuration, parseTimestamp, secondsOf, shownDuration, shownTimestamp, timestampOfSeconds } from "./time.ts";
import { type CelError, duration, error, isKind, runtimeType, type Value } from "./value.ts";

/** An error, in cel-go's words, for what cannot be converted. */
export function convert(value: Value, to: Type): Value | CelError {
  const converted = convertTo(value, to);
  return converted === undefined ? conversionError(runtimeType(value), to) : converted;
}

function conversionError(from: Type, to: Type): CelError {
  return error(`type conversion error from '${from.name}' to '${to.name}'`);
}

function convertTo(value: Value, to: Type): Value | CelError | undefined {
  switch (to.kind as string) {
    case "int":
      return toInt(value);
    case "uint":
      return toUint(value);
    case "double":
      return toDouble(value);
    case "string":
      return toText(value);
    case "bytes":
      if (value instanceof Uint8Array) return value;
      return typeof value === "string" ? Buffer.from(value) : undefined;
    case "bool":
      if (typeof value === "boolean") return value;
      return typeof value === "string" ? BOOLS[value] : undefined;
    case "duration": {
      if (isKind(value, "duration")) return value;
      const nanos = typeof value === "string" ? parseDuration(value) : undefined;
      return nanos === undefined ? undefined : duration(nanos);
    }
    case "timestamp":
      if (isKind(value, "timestamp")) return value;
      if (typeof value === "bigint") return timestampOfSeconds(value);
      return typeof value === "string" ? parseTimestamp(value) : undefined;
    default:
      return undefined;
  }
}

const BOOLS: Readonly<Record<string, boolean>> = Object.assign(Object.create(null), {
  "1": true,
  t: true,
  T: true,
  true: true,
  TRUE: true,
  True: true,
  "0": false,
  f: false,
  F: false,
  false: false,
  FALSE: false,
  False: false,
});

function toInt(value: Value): Value | CelError | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") {
    const isIn = value > Number(MIN_INT) && value < Number(MAX_INT);
    return isIn ? BigInt(Math.trunc(value)) : INT_OVERFLOW;
  }
  if (typeof value === "string") {
    if (!/^[+-]?[0-9]{1,30}$/.test(value)) return undefined;
    const parsed = checkedInt(BigInt(value.replace("+", "")));
    return typeof parsed === "bigint" ? parsed : undefined;
  }
  if (isKind(value, "uint")) return checkedInt(value.value);
  if (isKind(value, "duration")) return value.nanos;
  return isKind(value, "timestamp") ? secondsOf(value) : undefined;
}

function toUint(value: Value): Value | CelError | undefined {
  if (isKind(value, "uint")) return value;
  if (typeof value === "bigint") return checkedUint(value);
  if (typeof value === "number") {
    const isIn = value >= 0 && value < 2 ** 64;
    return isIn ? checkedUint(BigInt(Math.trunc(value))) : UINT_OVERFLOW;
  }
  if (typeof value !== "string" || !/^[0-9]{1,30}$/.test(value)) return undefined;
  const parsed = checkedUint(BigInt(value));
  return "value" in parsed ? parsed : undefined;
}

function toDouble(value: Value): Value | CelError | undefined {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  if (isKind(value, "uint")) return Number(value.value);
  return typeof value === "string" ? parseDouble(value) : undefined;
}

function parseDouble(text: string): number | undefined {
  if (/^[+-]?(?:inf|infinity)$/i.test(text))
    return text.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (/^nan$/i.test(text)) return Number.NaN;
  if (text.length > 10_000) return undefined;
  const isHexadecimal = /^[+-]?0x/i.test(text);
  const digits = text.replaceAll(isHexadecimal ? /(?<=[0-9a-fx])_(?=[0-9a-f])/gi : /(?<=[0-9])_(?=[0-9])/g, "");
  const isDecimal = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/.test(digits);
  const value = isDecimal ? Number(digits) : parseHexadecimal(digits);
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}

/** `0x1.8p3`: the power is that of two, and must be there. */
function parseHexadecimal(text: string): number | undefined {
  const found = /^([+-]?)0[xX](?=\.?[0-9a-fA-F])([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?[0-9]{1,9})$/.exec(text);
  if (found === null) return undefined;
  const [, sign, whole = "", fraction = "", power] = found;
  const value = Number(BigInt(`0x${whole}${fraction}`)) * 2 ** (Number(power) - 4 * fraction.length);
  return sign === "-" ? -value : value;
}

function toText(value: Value): Value | CelError | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number") return shownDouble(value);
  if (typeof value !== "object") return String(value);
  if (value instanceof Uint8Array) return bytesToText(value);
  if (isKind(value, "uint")) return String(value.value);
  if (isKind(value, "duration")) return shownDuration(value);
  return isKind(value, "timestamp") ? shownTimestamp(value) : undefined;
}

function bytesToText(bytes: Uint8Array): string | CelError {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return error("invalid UTF-8 in bytes, cannot convert to string");
  }
}

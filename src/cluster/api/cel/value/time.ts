/** Durations and timestamps: read and written as Go does, and the parts of a timestamp in a time zone. */
import { MAX_INT, MIN_INT } from "../syntax/literals.ts";
import { checkedInt, INT_OVERFLOW } from "./numbers.ts";
import {
  type CelError,
  type Duration,
  duration,
  error,
  isError,
  isKind,
  NO_SUCH_OVERLOAD,
  type Timestamp,
  type Value,
} from "./value.ts";

const SECOND = 1_000_000_000n;
/** From year 1 to year 9999, in seconds. */
const FIRST = -62_135_596_800n;
const LAST = 253_402_300_799n;
export const FIRST_NANOS = FIRST * SECOND;
export const TIMESTAMP_OVERFLOW = error("timestamp overflow");

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: SECOND,
  m: 60n * SECOND,
  h: 3_600n * SECOND,
};

/** Go's time.ParseDuration; undefined for what is none. */
export function parseDuration(text: string): bigint | undefined {
  const [, sign = "", rest = ""] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  if (rest === "0") return 0n;
  if (!/^(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(rest) || rest.length > 1_000)
    return undefined;
  let nanos = 0n;
  for (const [, whole = "", fraction = "", unit = ""] of rest.matchAll(
    /([0-9]*)(?:\.([0-9]*))?(ns|us|µs|μs|ms|s|m|h)/g,
  )) {
    const size = UNITS[unit] ?? 0n;
    nanos += BigInt(whole || "0") * size;
    if (fraction !== "") nanos += fractionOf(size, fraction);
  }
  const value = sign === "-" ? -nanos : nanos;
  return value < MIN_INT || value > MAX_INT ? undefined : value;
}

/** In floating point, and of the digits those that fit an integer: so does Go, and what is left over is cut off. */
function fractionOf(size: bigint, digits: string): bigint {
  let [value, scale] = [0n, 1];
  for (const digit of digits) {
    const next = value * 10n + BigInt(digit);
    if (value > MAX_INT / 10n || next > MAX_INT + 1n) break;
    value = next;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(value) * (Number(size) / scale)));
}

export function shownDuration({ nanos }: Duration): string {
  return `${plainNumber(Number(nanos / SECOND) + Number(nanos % SECOND) / 1e9)}s`;
}

/** Shortest, and never with an exponent. */
export function plainNumber(value: number): string {
  const text = String(value);
  const [, sign = "", digits = "", fraction = "", power] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(text) ?? [];
  if (power === undefined) return text;
  const all = digits + fraction;
  const point = digits.length + Number(power);
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${all}`;
  return `${sign}${all.padEnd(point, "0").slice(0, point)}${all.length > point ? `.${all.slice(point)}` : ""}`;
}

/** RFC 3339 with or without fractions, the hour also with one digit, as Go has it; undefined for what is none. */
export function parseTimestamp(text: string): Timestamp | CelError | undefined {
  const found = /^(\d{4})-(\d{2})-(\d{2})T(\d{1,2}):(\d{2}):(\d{2})(?:[.,](\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/.exec(
    text,
  );
  if (found === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = "", sign, hours = "0", minutes = "0"] = found;
  const parts = [year, month, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const millis = utcMillis(...parts);
  if (millis === undefined || Number(hours) > 24 || Number(minutes) > 60) return undefined;
  const offset = (sign === "-" ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
  const seconds = BigInt(millis / 1000 - offset);
  if (seconds < FIRST || seconds > LAST) return TIMESTAMP_OVERFLOW;
  return timestamp(seconds * SECOND + BigInt(fraction.slice(0, 9).padEnd(9, "0")), offset);
}

/** A day, at midnight; undefined for what is none. */
export function parseDate(text: string): Timestamp | undefined {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (found === null) return undefined;
  const millis = utcMillis(Number(found[1]), Number(found[2]), Number(found[3]), 0, 0, 0);
  return millis === undefined ? undefined : timestamp(BigInt(millis) * 1_000_000n, 0);
}

/** Undefined for a day or a time that there is not. */
function utcMillis(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  const isReal =
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    hour < 24 &&
    minute < 60 &&
    second < 60 &&
    month >= 1;
  return isReal ? date.getTime() : undefined;
}

export function timestamp(nanos: bigint, offset = 0): Timestamp {
  return { kind: "timestamp", nanos, offset };
}

export function timestampOfSeconds(seconds: bigint): Timestamp | CelError {
  return seconds < FIRST || seconds > LAST ? TIMESTAMP_OVERFLOW : timestamp(seconds * SECOND);
}

export function secondsOf({ nanos }: Timestamp): bigint {
  return floorDivided(nanos, SECOND);
}

export function shownTimestamp({ nanos, offset }: Timestamp): string {
  const seconds = floorDivided(nanos, SECOND);
  const fraction = String(nanos - seconds * SECOND)
    .padStart(9, "0")
    .replace(/0+$/, "");
  const date = new Date(Number(seconds + BigInt(offset)) * 1000);
  const year = String(date.getUTCFullYear()).padStart(4, "0");
  const rest = date
    .toISOString()
    .replace(/^[+-]?\d+-/, "")
    .slice(0, 14);
  return `${year}-${rest}${fraction === "" ? "" : `.${fraction}`}${shownOffset(offset)}`;
}

function shownOffset(offset: number): string {
  if (offset === 0) return "Z";
  const minutes = Math.abs(Math.trunc(offset / 60));
  const two = (value: number) => String(value).padStart(2, "0");
  return `${offset < 0 ? "-" : "+"}${two(Math.trunc(minutes / 60))}:${two(minutes % 60)}`;
}

/** A timestamp or duration, and a duration more. */
export function addTime(a: Duration | Timestamp, b: Value): Value | CelError {
  if (isKind(a, "timestamp")) return isKind(b, "duration") ? moved(a, b.nanos) : NO_SUCH_OVERLOAD;
  if (isKind(b, "timestamp")) return moved(b, a.nanos);
  return isKind(b, "duration") ? checkedDuration(a.nanos + b.nanos) : NO_SUCH_OVERLOAD;
}

export function subtractTime(a: Duration | Timestamp, b: Value): Value | CelError {
  if (isKind(a, "duration")) return isKind(b, "duration") ? checkedDuration(a.nanos - b.nanos) : NO_SUCH_OVERLOAD;
  if (isKind(b, "timestamp")) return checkedDuration(a.nanos - b.nanos);
  return isKind(b, "duration") ? moved(a, -b.nanos) : NO_SUCH_OVERLOAD;
}

export function checkedDuration(nanos: bigint): Duration | CelError {
  return nanos < MIN_INT || nanos > MAX_INT ? INT_OVERFLOW : duration(nanos);
}

function moved({ nanos, offset }: Timestamp, by: bigint): Timestamp | CelError {
  const seconds = floorDivided(nanos + by, SECOND);
  return seconds < FIRST || seconds > LAST ? TIMESTAMP_OVERFLOW : timestamp(nanos + by, offset);
}

function floorDivided(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}

export type TimePart =
  | "getFullYear"
  | "getMonth"
  | "getDayOfYear"
  | "getDayOfMonth"
  | "getDate"
  | "getDayOfWeek"
  | "getHours"
  | "getMinutes"
  | "getSeconds"
  | "getMilliseconds";

/** A part of the timestamp in a time zone: a name, or an offset as `-08:00`. */
export function timePart(part: TimePart, { nanos }: Timestamp, zone: string): bigint | CelError {
  const seconds = floorDivided(nanos, SECOND);
  const offset = offsetOf(zone, Number(seconds));
  if (typeof offset !== "number") return offset;
  const date = new Date((Number(seconds) + offset) * 1000);
  switch (part) {
    case "getFullYear":
      return BigInt(date.getUTCFullYear());
    case "getMonth":
      return BigInt(date.getUTCMonth());
    case "getDayOfYear": {
      const first = new Date(date);
      first.setUTCMonth(0, 1);
      return BigInt(Math.round((date.getTime() - first.getTime()) / 86_400_000));
    }
    case "getDayOfMonth":
      return BigInt(date.getUTCDate() - 1);
    case "getDate":
      return BigInt(date.getUTCDate());
    case "getDayOfWeek":
      return BigInt(date.getUTCDay());
    case "getHours":
      return BigInt(date.getUTCHours());
    case "getMinutes":
      return BigInt(date.getUTCMinutes());
    case "getSeconds":
      return BigInt(date.getUTCSeconds());
    case "getMilliseconds":
      return (nanos - seconds * SECOND) / 1_000_000n;
  }
}

function offsetOf(zone: string, seconds: number): number | CelError {
  if (zone === "" || zone === "UTC") return 0;
  const at = zone.indexOf(":");
  if (at >= 0) {
    const [hours, minutes] = [integerIn(zone.slice(0, at)), integerIn(zone.slice(at + 1))];
    if (isError(hours) || isError(minutes)) return isError(hours) ? hours : (minutes as CelError);
    // Upstream's product wraps.
    const nanos = BigInt.asIntN(64, (hours * 60n + (zone.startsWith("-") ? -minutes : minutes)) * 60n * SECOND);
    return Number(nanos / SECOND);
  }
  if (zone === "Local") return namedOffset(undefined, seconds);
  if (zone.includes("..") || /^[/\\]/.test(zone)) return error("time: invalid location name");
  try {
    // JavaScript takes offsets for names, too.
    if (/^[A-Z]/.test(zone)) return namedOffset(zone, seconds);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
  }
  return error(`unknown time zone ${zone}`);
}

function integerIn(text: string): bigint | CelError {
  const failed = (why: string) => error(`strconv.Atoi: parsing ${JSON.stringify(text)}: ${why}`);
  if (!/^[+-]?\d+$/.test(text)) return failed("invalid syntax");
  const value = text.length > 30 ? INT_OVERFLOW : checkedInt(BigInt(text.replace("+", "")));
  return isError(value) ? failed("value out of range") : value;
}

/** Throws `RangeError` for a name that there is not; also in other letters than it has, which JavaScript does not mind. */
function namedOffset(timeZone: string | undefined, seconds: number): number {
  const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  const known = format.resolvedOptions().timeZone;
  if (timeZone !== undefined && known !== timeZone && known.toLowerCase() === timeZone.toLowerCase())
    throw new RangeError(`no such time zone: ${timeZone}`);
  const name = format.formatToParts(new Date(seconds * 1000)).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign = "+", hours = "0", minutes = "0", rest = "0"] = /GMT([+-])(\d+):?(\d*):?(\d*)/.exec(name) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(rest));
}

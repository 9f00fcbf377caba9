/** Durations and timestamps: read and written as Go does, and the parts of a timestamp in a time zone. */
import { MAX_INT, MIN_INT } from "../syntax/literals.ts";
import { INT_OVERFLOW } from "./numbers.ts";
import {
  type CelError,
  type Duration,
  duration,
  error,
  isKind,
  NO_SUCH_OVERLOAD,
  type Timestamp,
  type Value,
} from "./value.ts";

const SECOND = 1_000_000_000n;
/** From year 1 to year 9999, in seconds. */
const FIRST = -62_135_596_800n;
const LAST = 253_402_300_799n;
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
    if (fraction !== "") nanos += (BigInt(fraction) * size) / 10n ** BigInt(fraction.length);
  }
  const value = sign === "-" ? -nanos : nanos;
  return value < MIN_INT || value > MAX_INT ? undefined : value;
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

/** RFC 3339 with or without fractions; undefined for what is none. */
export function parseTimestamp(text: string): Timestamp | CelError | undefined {
  const found = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:[.,](\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/.exec(text);
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
    const [hours, minutes] = [zone.slice(0, at), zone.slice(at + 1)];
    const wrong = [hours, minutes].find((each) => !/^[+-]?\d{1,9}$/.test(each));
    if (wrong !== undefined) return error(`strconv.Atoi: parsing ${JSON.stringify(wrong)}: invalid syntax`);
    return Number(hours) * 3600 + (zone.startsWith("-") ? -1 : 1) * Number(minutes) * 60;
  }
  try {
    return namedOffset(zone, seconds);
  } catch {
    return error(`unknown time zone ${zone}`);
  }
}

function namedOffset(timeZone: string, seconds: number): number {
  const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  const name = format.formatToParts(new Date(seconds * 1000)).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign = "+", hours = "0", minutes = "0", rest = "0"] = /GMT([+-])(\d+):?(\d*):?(\d*)/.exec(name) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(rest));
}

/** Equality, which asks any two values and compares numbers by what they are worth; and order, which asks only those that have one. */
import { type Effort, PER_ITEM } from "../../crd/schema/linear-pattern.ts";
import { isExactly } from "../check/types.ts";
import { compareNumbers, isNumber } from "./numbers.ts";
import { compareTexts } from "./text.ts";
import {
  type CelError,
  type CelMap,
  error,
  isError,
  isKind,
  type List,
  NO_SUCH_OVERLOAD,
  runtimeType,
  type Value,
} from "./value.ts";

const TOO_MUCH = error("values too large to be compared");

/** `effort` is for whoever compares values that expressions made: lists in lists double with each step. */
export function equal(a: Value, b: Value, effort?: Effort): boolean | CelError {
  if (a === null || b === null) return a === b;
  if (isNumber(a)) return isNumber(b) && compareNumbers(a, b) === 0;
  if (typeof a !== "object") return a === b;
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  switch (a.kind) {
    case "duration":
      return isKind(b, "duration") && a.nanos === b.nanos;
    case "timestamp":
      return isKind(b, "timestamp") && a.nanos === b.nanos;
    case "type":
      return isKind(b, "type") && a.type.name === b.type.name;
    case "optional":
      if (!isKind(b, "optional")) return false;
      if (a.value === undefined || b.value === undefined) return a.value === b.value;
      if (isError(a.value)) return a.value;
      return isError(b.value) ? b.value : equal(a.value, b.value, effort);
    case "list":
      if (!isKind(b, "list")) return a.json === undefined ? false : NO_SUCH_OVERLOAD;
      return a.equals === undefined ? equalLists(a, b, effort) : a.equals(b);
    case "map":
      if (!isKind(b, "map")) return a.equals === undefined ? false : NO_SUCH_OVERLOAD;
      return a.equals === undefined ? equalMaps(a, b, effort) : a.equals(b);
    case "struct":
      if (!isKind(b, "struct") || !isExactly(a.type, b.type)) return false;
      return equalFields(a.fields, b.fields);
    case "opaque":
      return isKind(b, "opaque") && isExactly(a.type, b.type) ? a.equals(b) : NO_SUCH_OVERLOAD;
  }
}

function equalLists(a: List, b: List, effort: Effort | undefined): boolean | CelError {
  if (a.size !== b.size) return false;
  let failed: CelError | undefined;
  for (let index = 0; index < a.size; index++) {
    if (effort !== undefined && (effort.left -= PER_ITEM) < 0) return TOO_MUCH;
    const answer = equalItems(a.get(index), b.get(index), effort);
    if (answer === false) return false;
    if (isError(answer)) failed ??= answer;
  }
  return failed ?? true;
}

export function equalItems(a: Value | CelError, b: Value | CelError, effort?: Effort): boolean | CelError {
  if (isError(a)) return a;
  return isError(b) ? b : equal(a, b, effort);
}

function equalMaps(a: CelMap, b: CelMap, effort: Effort | undefined): boolean | CelError {
  if (a.size !== b.size) return false;
  for (const key of a.keys()) {
    const [left, right] = [a.find(key), b.find(key)];
    if (left === undefined || right === undefined) return false;
    if (effort !== undefined && (effort.left -= PER_ITEM) < 0) return TOO_MUCH;
    const answer = equalItems(left, right, effort);
    if (answer !== true) return answer;
  }
  return true;
}

function equalFields(a: ReadonlyMap<string, Value>, b: ReadonlyMap<string, Value>): boolean | CelError {
  if (a.size !== b.size) return false;
  for (const [name, value] of a) {
    const other = b.get(name);
    const answer = other === undefined ? false : equal(value, other);
    if (answer !== true) return answer;
  }
  return true;
}

/** Negative, zero or positive. */
export function compare(a: Value, b: Value): number | CelError {
  if (isNumber(a)) {
    if (typeof a === "number" && Number.isNaN(a)) return error("NaN values cannot be ordered");
    if (!isNumber(b)) return NO_SUCH_OVERLOAD;
    return compareNumbers(a, b) ?? error("NaN values cannot be ordered");
  }
  if (typeof a === "string") return typeof b === "string" ? compareTexts(a, b) : NO_SUCH_OVERLOAD;
  if (typeof a === "boolean") return typeof b === "boolean" ? Number(a) - Number(b) : NO_SUCH_OVERLOAD;
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? Buffer.compare(a, b) : NO_SUCH_OVERLOAD;
  if ((isKind(a, "duration") && isKind(b, "duration")) || (isKind(a, "timestamp") && isKind(b, "timestamp")))
    return a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0;
  return NO_SUCH_OVERLOAD;
}

/** The types whose values have an order. */
export const COMPARABLE: ReadonlySet<string> = new Set([
  "bool",
  "bytes",
  "double",
  "int",
  "uint",
  "string",
  "google.protobuf.Duration",
  "google.protobuf.Timestamp",
]);

export function isComparable(value: Value): boolean {
  return COMPARABLE.has(runtimeType(value).name);
}

/**
 * Equality as Kubernetes means it when it compares two objects: a map or list that is empty is as good as one that is
 * missing, null is missing, the order of keys says nothing, the order of a list does. Sizes are compared as numbers.
 */
import { Quantity } from "./quantity.ts";
import type { ResourceList } from "./types.ts";

/** Whether two pieces of plain JSON mean the same. Follows apimachinery's `equality.Semantic`; it knows no sizes. */
export function semanticallyEqual(a: unknown, b: unknown): boolean {
  if (isEmpty(a) || isEmpty(b)) return isEmpty(a) && isEmpty(b);
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => semanticallyEqual(item, b[index]))
    );
  }
  if (!isRecord(a) || !isRecord(b)) return a === b;
  return [...keysOf(a, b)].every((key) => semanticallyEqual(a[key], b[key]));
}

/** Whether two sizes as written are the same number: `1Gi` is `1024Mi`. Unreadable ones are compared as they stand. */
export function sizesEqual(a: unknown, b: unknown): boolean {
  const [left, right] = [tryReadSize(a), tryReadSize(b)];
  return left !== undefined && right !== undefined ? left.equals(right) : semanticallyEqual(a, b);
}

/** A size as JSON or YAML has it (`storage: 1073741824` is a number there); undefined when missing or unreadable. */
export function tryReadSize(written: unknown): Quantity | undefined {
  return typeof written === "string" || typeof written === "number" ? Quantity.tryParse(String(written)) : undefined;
}

/** The names whose sizes differ between two resource lists, sorted. */
export function differingSizes(a: ResourceList | undefined, b: ResourceList | undefined): string[] {
  return [...keysOf(a ?? {}, b ?? {})].filter((name) => !sizesEqual(a?.[name], b?.[name])).sort();
}

/** Whether a field says anything: null is as good as missing. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function keysOf(a: object, b: object): Set<string> {
  return new Set([...Object.keys(a), ...Object.keys(b)]);
}

function isEmpty(value: unknown): boolean {
  if (!isGiven(value)) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isRecord(value) && Object.values(value).every(isEmpty);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

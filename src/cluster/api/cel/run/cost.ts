/**
 * What a step costs, as Kubernetes counts it: k8s.io/apiserver/pkg/cel/library/cost.go and cel-go's own defaults. Whoever
 * counts otherwise stops other expressions than the real server does.
 */
import { OPERATORS } from "../syntax/ast.ts";
import { lengthOf } from "../value/text.ts";
import { type CelError, isError, isKind, type Value } from "../value/value.ts";
import { CHEAP, COST, ORDERING, REGEX, TRAVERSAL } from "./prices.ts";

/** How large a value is to those who walk it; 1 for all that has no size. */
export function sizeOf(value: Value | CelError): number {
  if (typeof value === "string") return lengthOf(value);
  if (typeof value !== "object" || value === null || isError(value)) return 1;
  if (value instanceof Uint8Array) return value.length;
  if (value.kind === "list" || value.kind === "map") return value.size;
  if (value.kind === "optional") return value.value === undefined ? 1 : sizeOf(value.value);
  return value.kind === "opaque" ? (value.size ?? 1) : 1;
}

/** What a call costs, or for one whose cost only its result tells, how that does. */
type Price = number | ((result: Value | CelError) => number);

/** `overload` is empty where the types did not tell which it is. */
export function callCost(name: string, overload: string, args: readonly (Value | CelError)[]): Price {
  return listsCost(overload, args) ?? kubernetesCost(name, overload, args) ?? standardCost(overload, args);
}

/** Of `==` and `!=`, which are calls of no function. */
export function equalityCost(name: string, args: readonly (Value | CelError)[]): number {
  return name === OPERATORS["=="] && isKind(args[0], "opaque") ? 1 : standardCost("equals", args);
}

function listsCost(overload: string, args: readonly (Value | CelError)[]): Price | undefined {
  switch (overload) {
    case "list_slice":
    case "lists_range":
    case "list_reverse":
      return (result) => sizeOf(result) + 1 + COST.list;
    case "list_flatten":
    case "list_flatten_int":
      return Math.trunc(size(args, 0) * (typeof args[1] === "bigint" ? Number(args[1]) : 1)) + 1 + COST.list;
    case "list_distinct":
      return selfCompare(args[0]);
    case "list_sets_contains_list":
    case "list_sets_intersects_list":
      return 1 + size(args, 0) * size(args, 1);
    case "list_sets_equivalent_list":
      return 1 + 2 * size(args, 0) * size(args, 1);
    default:
      if (overload.startsWith("list_") && overload.endsWith("_sort")) return selfCompare(args[0]);
      if (overload.endsWith("_sortByAssociatedKeys")) return selfCompare(args[1]);
      return undefined;
  }
}

/** Each item of a list with each: what sorting it may take at worst. */
export function selfCompare(list: Value | CelError | undefined): number {
  if (!isKind(list, "list") || list.size === 0) return 1 + COST.list;
  const first = list.get(0);
  const factor = typeof first === "string" || first instanceof Uint8Array ? 2 + TRAVERSAL : 2;
  return Math.trunc(list.size * list.size * factor) + 1 + COST.list;
}

function kubernetesCost(name: string, overload: string, args: readonly (Value | CelError)[]): Price | undefined {
  if (CHEAP.has(name)) return 1;
  const first = () => size(args, 0);
  switch (name) {
    case "check":
      return COST.authorization;
    case "fieldSelector":
    case "labelSelector":
      return (
        COST.list + Math.ceil(size(args, 1) * TRAVERSAL) + Math.ceil(size(args, 1) * 0.5) * (COST.list + COST.struct)
      );
    case "isSorted":
    case "sum":
    case "max":
    case "min":
    case "indexOf":
    case "lastIndexOf":
      return args[0] === undefined ? 0 : walked(args[0]);
    case "url":
    case "lowerAscii":
    case "upperAscii":
    case "substring":
    case "trim":
    case "jsonpatch.escapeKey":
    case "cidr":
    case "isIP":
    case "isCIDR":
    case "quantity":
    case "isQuantity":
    case "semver":
    case "isSemver":
      return Math.ceil(first() * TRAVERSAL);
    case "ip":
      return overload === "cidr_ip" ? 1 : Math.ceil(first() * TRAVERSAL);
    case "replace":
    case "split":
    case "ip.isCanonical":
      return Math.ceil(first() * 2 * TRAVERSAL);
    case "join":
      return (result) => Math.ceil(sizeOf(result) * 2 * TRAVERSAL);
    case "find":
    case "findAll":
      return patternCost(first(), size(args, 1));
    case "containsIP":
    case "containsCIDR":
      return networkCost(name, overload, args);
    case "validate":
      return isKind(args[0], "opaque")
        ? patternCost(size(args, 1), (args[0].data as { regexSize: number }).regexSize)
        : undefined;
    default:
      return undefined;
  }
}

function networkCost(name: string, overload: string, args: readonly (Value | CelError)[]): number {
  const prefix = size(args, 0);
  const base = Math.ceil(2 * prefix * TRAVERSAL) + (name === "containsCIDR" ? Math.ceil(prefix * TRAVERSAL) + 1 : 0);
  return base + (overload.endsWith("_string") ? Math.ceil(size(args, 1) * TRAVERSAL) : 0);
}

function standardCost(overload: string, args: readonly (Value | CelError)[]): number {
  switch (overload) {
    case "starts_with_string":
    case "ends_with_string":
    case "string_to_bytes":
    case "bytes_to_string":
    case "strings_quote":
    case "string_format":
      return Math.ceil(size(args, 0) * TRAVERSAL);
    case "in_list":
      return size(args, 1);
    case "equals":
    case "not_equals":
      return Math.ceil(Math.min(size(args, 0), size(args, 1)) * TRAVERSAL);
    case "add_string":
    case "add_bytes":
      return Math.ceil((size(args, 0) + size(args, 1)) * TRAVERSAL);
    case "matches_string":
      return patternCost(size(args, 0), size(args, 1));
    case "contains_string":
      return Math.ceil(size(args, 0) * TRAVERSAL) * Math.ceil(size(args, 1) * TRAVERSAL);
    default:
      if (ORDERING.test(overload)) return Math.ceil(Math.min(size(args, 0), size(args, 1)) * TRAVERSAL);
      return 1;
  }
}

export function patternCost(text: number, pattern: number): number {
  return Math.ceil((1 + text) * TRAVERSAL) * Math.ceil(pattern * REGEX);
}

/** The cost of walking all of a value. */
function walked(value: Value | CelError): number {
  if (typeof value === "string") return Math.trunc(Buffer.byteLength(value) * TRAVERSAL);
  if (value instanceof Uint8Array) return Math.trunc(value.length * TRAVERSAL);
  if (isKind(value, "list")) {
    let cost = 0;
    for (let index = 0; index < value.size; index++) cost += walked(value.get(index));
    return cost;
  }
  if (!isKind(value, "map")) return 1;
  return value.keys().reduce((sum: number, key) => sum + walked(key) + walked(value.find(key) ?? null), 0);
}

function size(args: readonly (Value | CelError)[], index: number): number {
  const value = args[index];
  return value === undefined ? 1 : sizeOf(value);
}

/** What a call may cost at worst, its arguments left out: k8s.io/apiserver/pkg/cel/library/cost.go and cel-go's own defaults. */
import type { Type } from "../check/types.ts";
import { CHEAP, COST, ORDERING, REGEX, TRAVERSAL } from "../run/prices.ts";
import type { Expression } from "../syntax/ast.ts";
import { just, MOST, NOTHING, plus, type Range, type SizeAt, scaled, times, UNKNOWN } from "./range.ts";

/** An argument, and what is known of it. */
export interface Node {
  readonly expression: Expression;
  readonly type: Type;
  /** Empty where it is not a part of a variable. */
  readonly path: readonly string[];
  readonly size: Range | undefined;
}

export interface CallEstimate {
  readonly cost: Range;
  /** Of the result, where it can be told. */
  readonly size?: Range;
}

const ONE: CallEstimate = { cost: just(1) };

export function callEstimate(
  name: string,
  overload: string,
  target: Node | undefined,
  args: readonly Node[],
  sizeAt: SizeAt,
): CallEstimate {
  return (
    ofLists(overload, target, args) ??
    ofKubernetes(name, overload, target, args, sizeAt) ??
    ofStandard(overload, target, args)
  );
}

function sizeOf(node: Node | undefined): Range {
  return node?.size ?? UNKNOWN;
}

function ofLists(overload: string, target: Node | undefined, args: readonly Node[]): CallEstimate | undefined {
  const made = (factor: number, size: Range): CallEstimate => ({
    cost: plus(scaled(size, factor), just(1 + COST.list)),
    size,
  });
  const compared = (list: Node | undefined): CallEstimate => {
    const factor = overload.startsWith("list_string") || overload.startsWith("list_bytes") ? 2 + TRAVERSAL : 2;
    return made(factor, times(sizeOf(list), sizeOf(list)));
  };
  const product = (factor: number): CallEstimate => ({
    cost: plus(scaled(times(sizeOf(args[0]), sizeOf(args[1])), factor), just(1)),
  });
  switch (overload) {
    case "list_slice":
      return made(1, just(Math.max(0, literalOf(args[1], sizeOf(target).max) - literalOf(args[0], 0))));
    case "list_flatten":
      return made(1, sizeOf(target));
    case "list_flatten_int":
      return made(literalOf(args[0], MOST), sizeOf(target));
    case "lists_range":
      return made(1, just(literalOf(args[0], MOST)));
    case "list_reverse":
      return made(1, sizeOf(target));
    case "list_distinct":
      return made(2, times(sizeOf(target), sizeOf(target)));
    case "list_sets_contains_list":
    case "list_sets_intersects_list":
      return product(1);
    case "list_sets_equivalent_list":
      return product(2);
    default:
      if (overload.endsWith("_sortByAssociatedKeys")) return compared(args[0]);
      return overload.startsWith("list_") && overload.endsWith("_sort") ? compared(target) : undefined;
  }
}

function literalOf(node: Node | undefined, otherwise: number): number {
  if (node?.expression.kind !== "literal" || node.expression.literal.type !== "int") return otherwise;
  return Math.max(0, Number(node.expression.literal.value));
}

function ofKubernetes(
  name: string,
  overload: string,
  target: Node | undefined,
  args: readonly Node[],
  sizeAt: SizeAt,
): CallEstimate | undefined {
  if (CHEAP.has(name)) return ONE;
  const [first, second] = args;
  const walked = (node: Node | undefined, factor = 1): CallEstimate => ({
    cost: scaled(sizeOf(node), factor * TRAVERSAL),
  });
  switch (name) {
    case "check":
      return { cost: just(COST.authorization) };
    case "isSorted":
    case "sum":
    case "max":
    case "min":
    case "indexOf":
    case "lastIndexOf":
      return target === undefined ? undefined : ofSearch(target, sizeAt);
    case "url":
    case "jsonpatch.escapeKey":
      return { ...walked(first), size: sizeOf(first) };
    case "lowerAscii":
    case "upperAscii":
    case "substring":
    case "trim":
      return { ...walked(target), size: sizeOf(target) };
    case "replace":
      return { ...walked(target, 2), size: replaced(sizeOf(target), sizeOf(first), sizeOf(second)) };
    case "split":
      return { ...walked(target, 2), size: { min: 0, max: literalOf(second, sizeOf(target).max) } };
    case "join":
      return ofJoin(target, first, sizeAt);
    case "find":
    case "findAll":
      return { cost: patternCost(sizeOf(target), sizeOf(first)), size: { min: 0, max: sizeOf(target).max } };
    case "cidr":
    case "isIP":
    case "isCIDR":
    case "quantity":
    case "isQuantity":
    case "semver":
    case "isSemver":
      return walked(first);
    case "ip":
      return overload === "cidr_ip" ? ONE : walked(first);
    case "ip.isCanonical":
      return walked(first, 2);
    case "containsIP":
    case "containsCIDR":
      return ofNetwork(name, overload, first);
    case "validate":
      return { cost: scaled(scaled(sizeOf(first), TRAVERSAL), 128 * REGEX) };
    case "_==_":
      return first?.type.kind === "struct" && first.type.name.startsWith("kubernetes.") ? ONE : undefined;
    default:
      return undefined;
  }
}

function ofSearch(list: Node, sizeAt: SizeAt): CallEstimate {
  const item = itemOf(list, sizeAt);
  if (item === undefined) return { cost: scaled(sizeOf(list), TRAVERSAL) };
  const each = item.isText ? plus(just(1), scaled(item.size, TRAVERSAL)) : just(1);
  return { cost: times(sizeOf(list), each) };
}

/** What a list is made of, by its type. */
function itemOf(list: Node, sizeAt: SizeAt): { readonly size: Range; readonly isText: boolean } | undefined {
  const [type] = list.type.params;
  if (type === undefined) return undefined;
  const size = (list.path.length === 0 ? undefined : sizeAt([...list.path, "@items"])) ?? UNKNOWN;
  return { size, isText: type.kind === "string" || type.kind === "bytes" };
}

function ofJoin(list: Node | undefined, separator: Node | undefined, sizeAt: SizeAt): CallEstimate {
  const count = sizeOf(list);
  const item = list === undefined ? undefined : itemOf(list, sizeAt);
  const between = { min: Math.max(0, count.min - 1), max: Math.max(0, count.max - 1) };
  const size = plus(
    item === undefined ? NOTHING : times(count, item.size),
    separator === undefined ? NOTHING : times(sizeOf(separator), between),
  );
  return { cost: scaled(size, TRAVERSAL), size };
}

function ofNetwork(name: string, overload: string, other: Node | undefined): CallEstimate {
  const address = { min: 4, max: 16 };
  const parsing = overload.endsWith("_string") ? scaled(sizeOf(other), TRAVERSAL) : NOTHING;
  const masking = name === "containsCIDR" ? plus(scaled(address, TRAVERSAL), just(1)) : NOTHING;
  return { cost: plus(scaled(plus(address, address), TRAVERSAL), masking, parsing) };
}

/** How long a text can become when parts of it are replaced. */
function replaced(text: Range, old: Range, by: Range): Range {
  const most =
    old.min === 0
      ? (text.max + 1) * by.max + text.max
      : by.max <= old.min
        ? text.max
        : Math.ceil(text.max / old.min) * by.max;
  return { min: 0, max: Math.min(MOST, most) };
}

function patternCost(text: Range, pattern: Range): Range {
  return times(scaled(plus(text, just(1)), TRAVERSAL), scaled(pattern, REGEX));
}

function ofStandard(overload: string, target: Node | undefined, args: readonly Node[]): CallEstimate {
  const [first, second] = args;
  const [a, b] = [sizeOf(first), sizeOf(second)];
  switch (overload) {
    case "string_format":
      return { cost: scaled(sizeOf(target), TRAVERSAL) };
    case "string_to_bytes":
      return { cost: scaled(a, TRAVERSAL), size: { min: a.min, max: Math.min(MOST, a.max * 4) } };
    case "bytes_to_string":
      return { cost: scaled(a, TRAVERSAL), size: a };
    case "strings_quote":
      return { cost: scaled(a, TRAVERSAL), size: { min: a.min + 2, max: Math.min(MOST, a.max * 2 + 2) } };
    case "starts_with_string":
    case "ends_with_string":
      return { cost: scaled(a, TRAVERSAL) };
    case "in_list":
      return { cost: b };
    case "matches_string":
      return { cost: patternCost(sizeOf(target), a) };
    case "contains_string":
      return { cost: times(scaled(sizeOf(target), TRAVERSAL), scaled(a, TRAVERSAL)) };
    case "add_list":
      return { cost: just(1), size: plus(a, b) };
    case "add_string":
    case "add_bytes":
      return { cost: scaled(plus(a, b), TRAVERSAL), size: plus(a, b) };
    default: {
      if (overload !== "equals" && overload !== "not_equals" && !ORDERING.test(overload)) return ONE;
      const most = Math.min(a.max, b.max);
      return { cost: scaled({ min: most > 0 ? 1 : 0, max: most }, TRAVERSAL) };
    }
  }
}

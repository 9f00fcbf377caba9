/**
 * What an expression may cost at worst, before it has seen any value: cel-go's checker/cost.go. Sizes of values come from whoever
 * knows their schema.
 */
import type { Checked } from "../check/check.ts";
import type { Type } from "../check/types.ts";
import { COST } from "../run/prices.ts";
import { ACCUMULATOR, type Comprehension, type Expression, OPERATORS } from "../syntax/ast.ts";
import { lengthOf } from "../value/text.ts";
import { type CallEstimate, callEstimate, type Node } from "./call-estimate.ts";
import { just, MOST, NOTHING, plus, type Range, type SizeAt, times, UNKNOWN, union } from "./range.ts";

/** Sizes of the items of a list or a map. */
interface Entries {
  readonly kind: "list" | "map";
  readonly key: Range;
  readonly value: Range;
}

interface Local {
  readonly path: readonly string[];
  readonly size: Range | undefined;
  readonly entries: Entries | undefined;
}

/** The most that it may cost. */
export function estimateCost(checked: Checked, sizeAt: SizeAt): number {
  const paths = new Map<number, readonly string[]>();
  const sizes = new Map<number, Range>();
  const entrySizes = new Map<number, Entries>();
  const locals = new Map<string, Local[]>();

  const localOf = (name: string) => locals.get(name)?.at(-1);
  const typeOf = ({ id }: Expression): Type => checked.typeOf(id);

  function within<Result>(name: string, local: Local, run: () => Result): Result {
    const stack = locals.get(name) ?? [];
    locals.set(name, [...stack, local]);
    const result = run();
    locals.set(name, stack);
    return result;
  }

  function pathOf(expression: Expression): readonly string[] {
    const local = expression.kind === "ident" ? localOf(expression.name) : undefined;
    return local?.path ?? paths.get(expression.id) ?? [];
  }

  function sizeOf(expression: Expression): Range | undefined {
    const known = sizes.get(expression.id) ?? writtenSize(expression);
    if (known !== undefined) return known;
    const path = pathOf(expression);
    const declared = path.length === 0 ? undefined : sizeAt(path);
    if (declared !== undefined) {
      sizes.set(expression.id, declared);
      return declared;
    }
    if (isScalar(typeOf(expression))) return just(1);
    return expression.kind === "ident" ? localOf(expression.name)?.size : undefined;
  }

  function entriesOf(expression: Expression): Entries | undefined {
    const known = entrySizes.get(expression.id);
    if (known !== undefined) return known;
    return expression.kind === "ident" ? localOf(expression.name)?.entries : undefined;
  }

  function nodeOf(expression: Expression): Node {
    const path = pathOf(expression);
    return {
      expression,
      type: typeOf(expression),
      path: path[0] === ACCUMULATOR ? [] : path,
      size: sizeOf(expression),
    };
  }

  function costOf(expression: Expression): Range {
    switch (expression.kind) {
      case "literal":
      case "broken":
        return NOTHING;
      case "ident": {
        const reference = checked.references.get(expression.id);
        if (reference?.kind === "type") return just(COST.ident);
        paths.set(expression.id, localOf(expression.name)?.path ?? [expression.name]);
        return just(COST.ident);
      }
      case "select":
        return ofSelect(expression);
      case "call":
        return ofCall(expression);
      case "list":
        return ofList(expression);
      case "map":
        return ofMap(expression);
      case "struct":
        return plus(...expression.fields.map(({ value }) => costOf(value)), just(COST.struct));
      case "comprehension":
        return isBinding(expression) ? ofBinding(expression) : ofLoop(expression);
    }
  }

  function ofSelect(expression: Extract<Expression, { kind: "select" }>): Range {
    const { operand, field, testOnly } = expression;
    const inner = costOf(operand);
    if (testOnly) return inner;
    paths.set(expression.id, [...pathOf(operand), field]);
    const isPaid = ["map", "struct", "param"].includes(typeOf(operand).kind);
    return isPaid ? plus(inner, just(COST.ident)) : inner;
  }

  function ofCall(expression: Extract<Expression, { kind: "call" }>): Range {
    const { id, args } = expression;
    if (expression.function === "dyn" && args[0] !== undefined) {
      const cost = plus(just(1), costOf(args[0]));
      copySizes(expression, args[0]);
      return cost;
    }
    const argCosts = args.map(costOf);
    const nodes = args.map(nodeOf);
    const call = checked.calls.get(id);
    if (call === undefined)
      return expression.function === OPERATORS.optionalSelect ? plus(just(1), ...argCosts) : NOTHING;
    const target = call.hasTarget ? expression.target : undefined;
    const targetCost = target === undefined ? NOTHING : costOf(target);
    const targetNode = target === undefined ? undefined : nodeOf(target);
    let cost: Range | undefined;
    let size: Range | undefined;
    for (const overload of call.overloads) {
      const estimate =
        special(expression, overload.id, nodes, argCosts) ??
        withArguments(callEstimate(call.function.name, overload.id, targetNode, nodes, sizeAt), argCosts);
      cost = cost === undefined ? estimate.cost : union(cost, estimate.cost);
      if (estimate.size !== undefined) size = size === undefined ? estimate.size : union(size, estimate.size);
      const [first] = args;
      if (first !== undefined && (overload.id === "index_list" || overload.id === "index_map")) {
        size = entriesOf(first)?.value;
        paths.set(id, [...pathOf(first), overload.id === "index_list" ? "@items" : "@values"]);
      }
      size ??= sizeOf(expression);
    }
    if (size !== undefined) sizes.set(id, size);
    return plus(targetCost, cost ?? NOTHING);
  }

  /** What depends on more than sizes: which arguments are evaluated at all, and what lists are made of. */
  function special(
    expression: Expression,
    overload: string,
    nodes: readonly Node[],
    costs: readonly Range[],
  ): CallEstimate | undefined {
    const [first, second, third] = nodes;
    switch (overload) {
      case "logical_or":
      case "logical_and":
        return { cost: { min: costs[0]?.min ?? 0, max: plus(...costs).max } };
      case "conditional": {
        if (second === undefined || third === undefined) return undefined;
        const entries = unionEntries(entriesOf(second.expression), entriesOf(third.expression));
        if (entries !== undefined) entrySizes.set(expression.id, entries);
        const branches = union(costs[1] ?? NOTHING, costs[2] ?? NOTHING);
        return {
          cost: plus(costs[0] ?? NOTHING, branches),
          size: union(second.size ?? UNKNOWN, third.size ?? UNKNOWN),
        };
      }
      case "add_string":
      case "add_bytes":
      case "add_list": {
        if (first === undefined || second === undefined) return undefined;
        const entries = unionEntries(entriesOf(first.expression), entriesOf(second.expression));
        if (entries !== undefined) entrySizes.set(expression.id, entries);
        return undefined;
      }
      default:
        return undefined;
    }
  }

  function ofList(expression: Extract<Expression, { kind: "list" }>): Range {
    const { elements } = expression;
    const cost = plus(...elements.map(costOf), just(COST.list));
    const value = elements
      .map((each) => sizeOf(each) ?? UNKNOWN)
      .reduce(union, { min: elements.length === 0 ? 0 : MOST, max: 0 });
    entrySizes.set(expression.id, { kind: "list", key: just(1), value });
    return cost;
  }

  function ofMap(expression: Extract<Expression, { kind: "map" }>): Range {
    const { entries } = expression;
    const cost = plus(...entries.flatMap(({ key, value }) => [costOf(key), costOf(value)]), just(COST.map));
    const start = { min: entries.length === 0 ? 0 : MOST, max: 0 };
    const key = entries.map((each) => sizeOf(each.key) ?? UNKNOWN).reduce(union, start);
    const value = entries.map((each) => sizeOf(each.value) ?? UNKNOWN).reduce(union, start);
    entrySizes.set(expression.id, { kind: "map", key, value });
    return cost;
  }

  function ofLoop(expression: Extract<Expression, { kind: "comprehension" }>): Range {
    const { range, init, accumulator } = expression;
    const before = plus(costOf(range), costOf(init));
    const initial: Local = { path: pathOf(init), size: sizeOf(init), entries: entriesOf(init) };
    const [turns, result] = within(
      accumulator,
      initial,
      () => [ofTurn(expression), costOf(expression.result)] as const,
    );
    const count = sizeOf(range) ?? UNKNOWN;
    if (init.kind === "literal") {
      const size = sizeOf(init);
      if (size !== undefined) sizes.set(expression.id, size);
    } else if (init.kind === "list" || init.kind === "map") {
      sizes.set(expression.id, count);
      const entries = entriesOf(expression.step);
      if (entries !== undefined) entrySizes.set(expression.id, entries);
    }
    return plus(before, result, times(count, turns));
  }

  function ofTurn({ range, variable, variable2, condition, step }: Comprehension): Range {
    const entries = entriesOf(range);
    const isList = (entries?.kind ?? typeOf(range).kind) === "list";
    const local = (part: string, size: Range | undefined): Local => ({
      path: [...pathOf(range), part],
      size,
      entries: undefined,
    });
    const turn = () => plus(costOf(condition), costOf(step));
    if (variable2 === undefined) {
      const only = isList ? local("@items", entries?.value) : local("@keys", entries?.key);
      return within(variable, only, turn);
    }
    const key = local(isList ? "@indices" : "@keys", entries?.key);
    const value = local(isList ? "@items" : "@values", entries?.value);
    return within(variable, key, () => within(variable2, value, turn));
  }

  function ofBinding(expression: Extract<Expression, { kind: "comprehension" }>): Range {
    const { range, init, accumulator, result } = expression;
    const before = plus(costOf(range), costOf(init));
    const local: Local = { path: pathOf(init), size: sizeOf(init), entries: entriesOf(init) };
    const cost = within(accumulator, local, () => {
      const inner = costOf(result);
      copySizes(expression, result);
      return inner;
    });
    return plus(before, cost);
  }

  function copySizes(to: Expression, from: Expression): void {
    const [size, entries] = [sizeOf(from), entriesOf(from)];
    if (size !== undefined) sizes.set(to.id, size);
    if (entries !== undefined) entrySizes.set(to.id, entries);
  }

  return costOf(checked.parsed.expression).max;
}

function withArguments({ cost, size }: CallEstimate, args: readonly Range[]): CallEstimate {
  return { cost: plus(cost, ...args), ...(size === undefined ? {} : { size }) };
}

/** A loop over nothing, for the sake of a name: `optMap`. */
function isBinding({ range, condition }: Comprehension): boolean {
  const isNever = condition.kind === "literal" && condition.literal.type === "bool" && !condition.literal.value;
  return range.kind === "list" && range.elements.length === 0 && isNever;
}

function unionEntries(a: Entries | undefined, b: Entries | undefined): Entries | undefined {
  if (a === undefined || b === undefined) return undefined;
  return { kind: a.kind, key: union(a.key, b.key), value: union(a.value, b.value) };
}

function writtenSize(expression: Expression): Range | undefined {
  if (expression.kind === "list") return just(expression.elements.length);
  if (expression.kind === "map") return just(expression.entries.length);
  if (expression.kind !== "literal") return undefined;
  const { literal } = expression;
  if (literal.type === "string") return just(lengthOf(literal.value));
  return just(literal.type === "bytes" ? literal.value.length : 1);
}

function isScalar({ kind, name, params }: Type): boolean {
  if (["bool", "double", "duration", "int", "timestamp", "uint"].includes(kind)) return true;
  const [inner] = params;
  return name === "optional_type" && inner !== undefined && isScalar(inner);
}

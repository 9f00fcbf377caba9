/** Calls, as they run: who evaluates which arguments, and what they pay. */
import { PER_ITEM } from "../../crd/schema/linear-pattern.ts";
import { patternOf, type Search, searched } from "../library/patterns.ts";
import { ACCUMULATOR, OPERATORS } from "../syntax/ast.ts";
import { containerHas, type GrowingMap, growingList, listOfValues, mapOfEntries } from "../value/collections.ts";
import { equal } from "../value/equal.ts";
import { type CelError, isError, isKind, type List, NO_SUCH_OVERLOAD, type Value } from "../value/value.ts";
import { type Machine, pay } from "./budget.ts";
import { callCost, equalityCost } from "./cost.ts";
import type { dispatch } from "./dispatch.ts";
import { type Evaluate, type Plan, Senseless } from "./part.ts";

/** `&&` and `||`: one term that decides makes up for errors of the others. */
export function logic(terms: readonly Plan[], decides: boolean): Evaluate {
  return (machine) => {
    let failed: CelError | undefined;
    for (const term of terms) {
      const value = term.evaluate(machine);
      if (value === decides) return decides;
      if (typeof value !== "boolean") failed ??= isError(value) ? value : NO_SUCH_OVERLOAD;
    }
    return failed ?? !decides;
  };
}

export function equality(name: string, left: Plan, right: Plan): Evaluate {
  const isNegated = name === OPERATORS["!="];
  return (machine) => {
    const [a, b] = [left.evaluate(machine), right.evaluate(machine)];
    pay(machine, equalityCost(name, [a, b]));
    if (isError(a) || isError(b)) return isError(a) ? a : b;
    const answer = equal(a, b, machine.effort);
    if (machine.effort.left < 0) machine.spend(Number.POSITIVE_INFINITY);
    return isNegated ? answer !== true : answer;
  };
}

/** True for all but false itself: a loop goes on past an error. */
export function counted(argument: Plan): Evaluate {
  return (machine) => {
    const value = argument.evaluate(machine);
    pay(machine, 1);
    return value !== false;
  };
}

export function alternative(optional: Plan, other: Plan, isValue: boolean): Evaluate {
  return (machine) => {
    const value = optional.evaluate(machine);
    if (!isKind(value, "optional")) return value;
    if (value.value === undefined) return other.evaluate(machine);
    return isValue ? value.value : value;
  };
}

/** Whether a value is in a list that is written out: as good as free. A whole number is no double there that is only near to it. */
export function membership(argument: Plan, list: List): Evaluate {
  const items = Array.from({ length: list.size }, (_, index) => list.get(index));
  const doubles = new Set(items.filter((item) => typeof item === "number"));
  const others = listOfValues(items.filter((item): item is Value => typeof item !== "number" && !isError(item)));
  return (machine) => {
    const value = argument.evaluate(machine);
    if (isError(value)) return value;
    const whole = isKind(value, "uint") ? value.value : value;
    if (typeof whole !== "bigint") return containerHas(list, value);
    return (BigInt(Number(whole)) === whole && doubles.has(Number(whole))) || containerHas(others, value);
  };
}

export function strict(
  name: string,
  overload: string,
  args: readonly Plan[],
  run: ReturnType<typeof dispatch>,
  stopsEarly: boolean,
): Evaluate {
  return (machine) => {
    const values: (Value | CelError)[] = [];
    let failed: CelError | undefined;
    for (const each of args) {
      const value = each.evaluate(machine);
      values.push(value);
      // Others are evaluated all the same, as upstream.
      if (isError(value)) failed ??= value;
      if (failed !== undefined && stopsEarly) break;
    }
    walk(machine, name, values[0]);
    const price = values.length < args.length ? 0 : callCost(name, overload, values);
    // What is told beforehand is paid beforehand: what nobody can afford is not begun.
    if (typeof price === "number") pay(machine, price);
    const result = failed ?? run(values as Value[], machine);
    if (typeof price === "function") pay(machine, price(result));
    return result;
  };
}

/** These walk along a list, and short texts in it cost them nothing. */
const WALKING: ReadonlySet<string> = new Set(["isSorted", "sum", "max", "min", "indexOf", "lastIndexOf"]);

function walk(machine: Machine, name: string, list: Value | CelError | undefined): void {
  if (!WALKING.has(name) || !isKind(list, "list")) return;
  machine.effort.left -= list.size * PER_ITEM;
  if (machine.effort.left < 0) machine.spend(Number.POSITIVE_INFINITY);
}

/** A pattern that is written out is compiled before anything runs, and asks for nothing but a text. */
export function withPattern(name: string, pattern: Value | undefined): ReturnType<typeof dispatch> | undefined {
  if (!isSearch(name) || typeof pattern !== "string") return undefined;
  const compiled = patternOf(pattern);
  if (isError(compiled)) throw new Senseless(compiled.message);
  return ([text, , most = -1n], running) => {
    if (typeof text !== "string" || typeof most !== "bigint") return NO_SUCH_OVERLOAD;
    return searched(name, compiled, text, Number(most), running);
  };
}

function isSearch(name: string): name is Search {
  return name === "matches" || name === "find" || name === "findAll";
}

export function isKey(value: Value): boolean {
  return typeof value !== "object" || isKind(value, "uint");
}

export function hasPlainItems(list: List): boolean {
  return Array.from({ length: list.size }, (_, index) => list.get(index)).every(
    (item) => !isError(item) && isKey(item),
  );
}

export function paying(cost: number, evaluate: Evaluate): Evaluate {
  return (machine) => {
    const value = evaluate(machine);
    pay(machine, cost);
    return value;
  };
}

/** The accumulator of a macro that begins empty grows in place: nobody else can name it. */
export function growing(init: Evaluate, accumulator: string): Evaluate {
  if (accumulator !== ACCUMULATOR) return init;
  return (machine) => {
    const value = init(machine);
    if (isKind(value, "list") && value.size === 0) return growingList();
    if (isKind(value, "map") && value.size === 0) return mapOfEntries([]) satisfies GrowingMap;
    return value;
  };
}

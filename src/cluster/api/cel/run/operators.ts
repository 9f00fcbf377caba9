/** Calls, as they run: who evaluates which arguments, and what they pay. */
import { findAll } from "../library/find-all.ts";
import { patternOf } from "../library/patterns.ts";
import { ACCUMULATOR, OPERATORS } from "../syntax/ast.ts";
import { containerHas, type GrowingMap, growingList, listOfValues, mapOfEntries } from "../value/collections.ts";
import { equal } from "../value/equal.ts";
import { type CelError, isError, isKind, type List, NO_SUCH_OVERLOAD, type Value } from "../value/value.ts";
import { pay } from "./budget.ts";
import { callCost } from "./cost.ts";
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
    pay(machine, callCost(name, isNegated ? "not_equals" : "equals", [a, b], true));
    if (isError(a) || isError(b)) return isError(a) ? a : b;
    const answer = equal(a, b);
    return isNegated ? answer !== true : answer;
  };
}

/** True for all but false itself: a loop goes on past an error. */
export function counted(name: string, argument: Plan): Evaluate {
  return (machine) => {
    const value = argument.evaluate(machine);
    pay(machine, callCost(name, "", [], true));
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

/** Whether a value is in a list that is written out: as good as free. */
export function membership(argument: Plan, list: Value): Evaluate {
  return (machine) => {
    const value = argument.evaluate(machine);
    return isError(value) ? value : containerHas(list, value);
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
    const result = failed ?? run(values as Value[], machine);
    if (values.length === args.length) pay(machine, callCost(name, overload, values, result));
    return result;
  };
}

/** A pattern that is written out is compiled before anything runs, and asks for nothing but a text. */
export function withPattern(name: string, pattern: Value | undefined): ReturnType<typeof dispatch> | undefined {
  if (!["matches", "find", "findAll"].includes(name) || typeof pattern !== "string") return undefined;
  const compiled = patternOf(pattern);
  if (isError(compiled)) throw new Senseless(compiled.message);
  return ([text, , most = -1n]) => {
    if (typeof text !== "string" || typeof most !== "bigint") return NO_SUCH_OVERLOAD;
    if (name === "matches") return compiled.test(text);
    const found = findAll(compiled, text, name === "find" ? 1 : Number(most));
    return name === "find" ? (found[0] ?? "") : listOfValues(found);
  };
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

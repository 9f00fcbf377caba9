/** Makes a checked expression into functions that evaluate it. Counts what cel-go counts, where it counts it. */
import { newEffort } from "../../crd/schema/linear-pattern.ts";
import type { Checked } from "../check/check.ts";
import { type Expression, OPERATORS } from "../syntax/ast.ts";
import { listOfValues, mapOfEntries } from "../value/collections.ts";
import { goType, shown } from "../value/show.ts";
import { type CelError, error, isError, isKind, literalValue, NO_SUCH_OVERLOAD, type Value } from "../value/value.ts";
import type { Machine } from "./budget.ts";
import { dispatch } from "./dispatch.ts";
import {
  alternative,
  counted,
  equality,
  growing,
  hasPlainItems,
  isKey,
  logic,
  membership,
  paying,
  strict,
  withPattern,
} from "./operators.ts";
import { type Evaluate, type Plan, Senseless } from "./part.ts";
import { COST } from "./prices.ts";
import { follow, type Qualifier } from "./qualify.ts";
import { readBack } from "./read-back.ts";

export interface Runnable {
  readonly evaluate: Evaluate;
  /** How many variables its loops have. */
  readonly locals: number;
}

const CONVERSIONS: ReadonlySet<string> = new Set(
  "bool bytes double dyn duration int string timestamp type uint".split(" "),
);

/** Throws `Senseless`. */
export function plan(checked: Checked): Runnable {
  /** The numbers of the variables of the loops around, and how an accumulator begins. */
  const scopes: Map<string, { slot: number; init?: Evaluate }>[] = [];
  let locals = 0;

  function planned(expression: Expression): Plan {
    const reference = checked.references.get(expression.id);
    if (expression.kind === "ident" || (expression.kind === "select" && reference !== undefined)) {
      if (reference?.kind === "type") return constant({ kind: "type", type: reference.type });
      return path(variable(reference?.name ?? ""), [], false);
    }
    switch (expression.kind) {
      case "literal":
        return constant(literalValue(expression.literal));
      case "select": {
        const step: Qualifier = { key: () => expression.field, isOptional: false, isTest: expression.testOnly };
        const selected = stepped(planned(expression.operand), step);
        // has() itself is free; its steps are not.
        return expression.testOnly ? tested(selected) : selected;
      }
      case "call":
        return ofCall(expression);
      case "list":
        return ofList(expression);
      case "map":
        return ofMap(expression);
      case "struct":
        return ofStruct(expression);
      case "comprehension":
        return ofComprehension(expression);
      case "broken":
        throw new Senseless("expression is broken");
    }
  }

  function variable(name: string): Evaluate {
    const local = scopes.findLast((scope) => scope.has(name))?.get(name);
    if (local === undefined) {
      return ({ variable: find }) => {
        const found = find(name) as Value | CelError | undefined;
        return found === undefined ? error(`no such attribute(s): ${name}`) : found;
      };
    }
    const { slot, init } = local;
    return (machine) => {
      const held = machine.locals[slot] as Value | CelError | undefined;
      if (held !== undefined || init === undefined) return held as Value;
      const first = init(machine);
      machine.locals[slot] = first;
      return first;
    };
  }

  function ofCall(expression: Extract<Expression, { kind: "call" }>): Plan {
    const { id, function: name, target } = expression;
    if (name === OPERATORS.optionalSelect) {
      const [operand, field] = expression.args.map(planned) as [Plan, Plan];
      return stepped(operand, { key: field.evaluate, isOptional: true, isTest: false });
    }
    const call = checked.calls.get(id);
    if (call === undefined) throw new Senseless(`no such overload: ${name}`);
    const args = (call.hasTarget && target !== undefined ? [target, ...expression.args] : expression.args).map(planned);
    const [first, second, third] = args as [Plan, Plan, Plan];
    switch (call.function.name) {
      case OPERATORS["&&"]:
        return { evaluate: logic(args, false) };
      case OPERATORS["||"]:
        return { evaluate: logic(args, true) };
      case OPERATORS["?"]:
        return choice(first, second, third);
      case OPERATORS["=="]:
      case OPERATORS["!="]:
        return { evaluate: equality(call.function.name, first, second) };
      case OPERATORS.index:
      case OPERATORS.optionalIndex:
        if (second.constant !== undefined && !isKey(second.constant))
          throw new Senseless(`invalid qualifier type: ${goType(second.constant)}`);
        return stepped(first, {
          key: withoutPaying(second),
          isOptional: call.function.name === OPERATORS.optionalIndex,
          isTest: false,
        });
      case OPERATORS.notStrictlyFalse:
        return { evaluate: counted(first) };
      case "or":
      case "orValue":
        return { evaluate: alternative(first, second, call.function.name === "orValue") };
      default:
    }
    const overload = call.overloads.length === 1 ? (call.overloads[0]?.id ?? "") : "";
    if (overload === "in_list" && isKind(second.constant, "list")) {
      if (second.constant.size === 0) return constant(false);
      if (hasPlainItems(second.constant)) return { evaluate: membership(first, second.constant) };
    }
    const searching = withPattern(call.function.name, second?.constant);
    const run = searching ?? dispatch(call);
    const isOpen = call.overloads.length > 1 && call.function.singleton === undefined;
    const stopsEarly = searching !== undefined || isOpen || args.length > 2;
    const evaluate = strict(call.function.name, overload, args, run, stopsEarly);
    if (!CONVERSIONS.has(call.function.name) || args.length !== 1 || first.constant === undefined) return { evaluate };
    const value = run([first.constant], { spend: () => {}, effort: newEffort() });
    if (isError(value)) throw new Senseless(value.message);
    return constant(value);
  }

  function ofList({ elements, optional }: Extract<Expression, { kind: "list" }>): Plan {
    const items = elements.map(planned);
    function build(machine: Machine): Value | CelError {
      const values: Value[] = [];
      for (const [index, item] of items.entries()) {
        const value = item.evaluate(machine);
        if (isError(value)) return value;
        if (!optional.has(index)) values.push(value);
        else if (!isKind(value, "optional"))
          return error(`cannot initialize optional list element from non-optional value ${shown(value)}`);
        else if (isError(value.value)) return value.value;
        else if (value.value !== undefined) values.push(value.value);
      }
      return listOfValues(values);
    }
    if (optional.size === 0 && items.every((item) => item.constant !== undefined))
      return constant(listOfValues(items.map((item) => item.constant as Value)));
    return { evaluate: paying(COST.list, build) };
  }

  function ofMap({ entries }: Extract<Expression, { kind: "map" }>): Plan {
    const plans = entries.map(({ key, value, optional }) => ({ key: planned(key), value: planned(value), optional }));
    function build(machine: Machine): Value | CelError {
      const found: [Value, Value][] = [];
      for (const each of plans) {
        const key = each.key.evaluate(machine);
        if (isError(key)) return key;
        const value = each.value.evaluate(machine);
        if (isError(value)) return value;
        if (!each.optional) found.push([key, value]);
        else if (!isKind(value, "optional"))
          return error(`cannot initialize optional entry '${shown(key)}' from non-optional value ${shown(value)}`);
        else if (isError(value.value)) return value.value;
        else if (value.value !== undefined) found.push([key, value.value]);
      }
      return mapOfEntries(found);
    }
    const known = plans.every(
      ({ key, value, optional }) => !optional && key.constant !== undefined && value.constant !== undefined,
    );
    if (known)
      return constant(mapOfEntries(plans.map(({ key, value }) => [key.constant as Value, value.constant as Value])));
    return { evaluate: paying(COST.map, build) };
  }

  function ofStruct({ id, fields }: Extract<Expression, { kind: "struct" }>): Plan {
    const reference = checked.references.get(id);
    const build = reference?.kind === "type" ? reference.type.build : undefined;
    if (build === undefined) throw new Senseless("no such type");
    const plans = fields.map((field) => ({ ...field, plan: planned(field.value) }));
    return {
      evaluate: paying(COST.struct, (machine) => {
        const found = new Map<string, Value>();
        for (const field of plans) {
          const value = field.plan.evaluate(machine);
          if (isError(value)) return value;
          if (!field.optional) found.set(field.name, value);
          else if (!isKind(value, "optional"))
            return error(`cannot initialize optional entry '${field.name}' from non-optional value ${shown(value)}`);
          else if (isError(value.value)) return value.value;
          else if (value.value !== undefined) found.set(field.name, value.value);
        }
        return build(found);
      }),
    };
  }

  function ofComprehension(loop: Extract<Expression, { kind: "comprehension" }>): Plan {
    const range = planned(loop.range).evaluate;
    const [accumulator, first, second] = [locals++, locals++, locals++];
    const init = growing(planned(loop.init).evaluate, loop.accumulator);
    scopes.push(new Map([[loop.accumulator, { slot: accumulator, init }]]));
    scopes.push(new Map([[loop.variable, { slot: first }]]));
    if (loop.variable2 !== undefined) scopes.at(-1)?.set(loop.variable2, { slot: second });
    const condition = planned(loop.condition).evaluate;
    const step = planned(loop.step).evaluate;
    scopes.pop();
    const result = planned(loop.result).evaluate;
    scopes.pop();
    const isPair = loop.variable2 !== undefined;

    /** False ends the loop. */
    function turn(machine: Machine, item: unknown, item2: unknown): boolean {
      machine.locals[first] = item;
      machine.locals[second] = item2;
      if (condition(machine) === false) return false;
      machine.locals[accumulator] = step(machine);
      return true;
    }

    return {
      evaluate(machine) {
        const over = range(machine);
        if (isError(over)) return over;
        machine.locals[accumulator] = undefined;
        if (isKind(over, "list")) {
          for (let index = 0; index < over.size; index++) {
            const item = over.get(index);
            if (!(isPair ? turn(machine, BigInt(index), item) : turn(machine, item, undefined))) break;
          }
        } else if (isKind(over, "map")) {
          for (const key of over.keys()) if (!turn(machine, key, isPair ? over.find(key) : undefined)) break;
        } else {
          const type = goType(over);
          return error(
            isPair ? `unsupported comprehension range type: ${type}` : `got '${type}', expected iterable type`,
          );
        }
        const value = result(machine);
        if (typeof value === "object" && value !== null && "finish" in value) (value.finish as () => void)();
        machine.locals[accumulator] = undefined;
        return value;
      },
    };
  }

  const { evaluate } = planned(checked.parsed.expression);
  return { evaluate, locals };
}

function constant(value: Value): Plan {
  return { evaluate: () => value, constant: value };
}

function path(start: Evaluate, steps: readonly Qualifier[], isFree: boolean): Plan {
  const resolve = resolved(start, steps, isFree);
  return { evaluate: isFree ? resolve : paying(COST.ident, resolve), path: { start, steps, isFree } };
}

function resolved(start: Evaluate, steps: readonly Qualifier[], isFree: boolean): Evaluate {
  // What a choice gives is read back where it comes from.
  if (steps.length === 0) return isFree ? start : (machine) => readBack(start(machine));
  return (machine) => {
    const from = start(machine);
    return isError(from) ? from : follow(machine, from, steps);
  };
}

function stepped(operand: Plan, step: Qualifier): Plan {
  if (operand.path !== undefined) return path(operand.path.start, [...operand.path.steps, step], operand.path.isFree);
  return path(operand.evaluate, [step], false);
}

function tested({ path: at, evaluate }: Plan): Plan {
  const resolve = at === undefined ? evaluate : resolved(at.start, at.steps, at.isFree);
  return {
    evaluate(machine) {
      const found = resolve(machine);
      return isKind(found, "optional") ? found.value !== undefined : found;
    },
  };
}

/** As a part of a path: what it names is not paid for once more. */
function withoutPaying({ path: at, evaluate }: Plan): Evaluate {
  return at === undefined ? (machine) => readBack(evaluate(machine)) : resolved(at.start, at.steps, at.isFree);
}

function choice(condition: Plan, whenTrue: Plan, whenFalse: Plan): Plan {
  const [yes, no] = [withoutPaying(whenTrue), withoutPaying(whenFalse)];
  return path(
    (machine) => {
      const answer = condition.evaluate(machine);
      if (answer === true) return yes(machine);
      if (answer === false) return no(machine);
      return isError(answer) ? answer : NO_SUCH_OVERLOAD;
    },
    [],
    true,
  );
}

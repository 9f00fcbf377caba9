/** Calls that are written out before anything is checked: loops over lists and maps, `has`, and those over optionals. */
import { ACCUMULATOR, type Expression, OPERATORS } from "./ast.ts";
import type { Builder } from "./builder.ts";

/** A call of a macro whose arguments do not fit; `at` is the part that does not. */
class Misused extends Error {
  readonly at: number;
  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

interface Use {
  readonly build: Builder;
  /** Where the call stands: all that is written out stands there too. */
  readonly at: number;
  readonly target: Expression;
  readonly args: readonly Expression[];
}

type Macro = (use: Use) => Expression;

/** The macros of Kubernetes 1.36, by name and number of arguments. */
const MEMBERS: ReadonlyMap<string, Macro> = new Map<string, Macro>([
  ["all/2", quantifier(allOf)],
  ["all/3", quantifier(allOf)],
  ["exists/2", quantifier(anyOf)],
  ["exists/3", quantifier(anyOf)],
  ["exists_one/2", quantifier(oneOf)],
  ["exists_one/3", quantifier(oneOf)],
  ["existsOne/3", quantifier(oneOf)],
  ["map/2", (use) => mapped(use, undefined, argument(use, 1))],
  ["map/3", (use) => mapped(use, argument(use, 1), argument(use, 2))],
  ["filter/2", (use) => mapped(use, argument(use, 1), argument(use, 0))],
  ["transformList/3", (use) => transformed(use, "list")],
  ["transformList/4", (use) => transformed(use, "list")],
  ["transformMap/3", (use) => transformed(use, "map")],
  ["transformMap/4", (use) => transformed(use, "map")],
  ["transformMapEntry/3", (use) => transformed(use, "entry")],
  ["transformMapEntry/4", (use) => transformed(use, "entry")],
  ["optMap/2", (use) => overOptional(use, "optMap", true)],
  ["optFlatMap/2", (use) => overOptional(use, "optFlatMap", false)],
  ["sortBy/2", sortBy],
]);

/** The call written out, where it is one of a macro; undefined for any other. */
export function expanded(
  build: Builder,
  at: number,
  name: string,
  target: Expression | undefined,
  args: readonly Expression[],
): Expression | undefined {
  const macro = target === undefined ? undefined : MEMBERS.get(`${name}/${args.length}`);
  if (macro === undefined && !(target === undefined && name === "has" && args.length === 1)) return undefined;
  try {
    if (macro !== undefined && target !== undefined) return macro({ build, at, target, args });
    return presence(build, at, args[0] as Expression);
  } catch (error) {
    if (!(error instanceof Misused)) throw error;
    return build.complain(error.at, error.message);
  }
}

function presence(build: Builder, at: number, argument: Expression): Expression {
  if (argument.kind !== "select") throw new Misused(build.offsetOf(argument.id), "invalid argument to has() macro");
  return build.make(at, { kind: "select", operand: argument.operand, field: argument.field, testOnly: true });
}

interface Steps {
  readonly init: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

function quantifier(steps: (use: Use, predicate: Expression) => Steps): Macro {
  return (use) => {
    const isPair = use.args.length === 3;
    const [variable, variable2] = isPair ? twoNames(use) : [oneName(use, "argument must be a simple name"), undefined];
    return loop(use, variable, variable2, steps(use, argument(use, isPair ? 2 : 1)));
  };
}

function allOf({ build, at }: Use, predicate: Expression): Steps {
  return {
    init: build.literal(at, { type: "bool", value: true }),
    condition: build.call(at, OPERATORS.notStrictlyFalse, accumulated(build, at)),
    step: build.call(at, OPERATORS["&&"], accumulated(build, at), predicate),
    result: accumulated(build, at),
  };
}

function anyOf({ build, at }: Use, predicate: Expression): Steps {
  const none = build.call(at, OPERATORS["!"], accumulated(build, at));
  return {
    init: build.literal(at, { type: "bool", value: false }),
    condition: build.call(at, OPERATORS.notStrictlyFalse, none),
    step: build.call(at, OPERATORS["||"], accumulated(build, at), predicate),
    result: accumulated(build, at),
  };
}

function oneOf({ build, at }: Use, predicate: Expression): Steps {
  const one = () => build.literal(at, { type: "int", value: 1n });
  const more = build.call(at, OPERATORS["+"], accumulated(build, at), one());
  return {
    init: build.literal(at, { type: "int", value: 0n }),
    condition: build.literal(at, { type: "bool", value: true }),
    step: build.call(at, OPERATORS["?"], predicate, more, accumulated(build, at)),
    result: build.call(at, OPERATORS["=="], accumulated(build, at), one()),
  };
}

function mapped(use: Use, filter: Expression | undefined, item: Expression): Expression {
  const { build, at } = use;
  const variable = oneName(use, "argument is not an identifier");
  const added = build.call(at, OPERATORS["+"], accumulated(build, at), listOf(build, at, item));
  return loop(use, variable, undefined, collected(build, at, listOf(build, at), filter, added));
}

function transformed(use: Use, into: "list" | "map" | "entry"): Expression {
  const { build, at } = use;
  const [variable, variable2] = twoNames(use);
  const filter = use.args.length === 4 ? argument(use, 2) : undefined;
  const item = argument(use, use.args.length - 1);
  const accumulator = accumulated(build, at);
  const key = build.make(at, { kind: "ident", name: variable });
  const added =
    into === "list"
      ? build.call(at, OPERATORS["+"], accumulator, listOf(build, at, item))
      : build.call(at, "cel.@mapInsert", ...(into === "map" ? [accumulator, key, item] : [accumulator, item]));
  const init = into === "list" ? listOf(build, at) : build.make(at, { kind: "map", entries: [] });
  return loop(use, variable, variable2, collected(build, at, init, filter, added));
}

function collected(
  build: Builder,
  at: number,
  init: Expression,
  filter: Expression | undefined,
  added: Expression,
): Steps {
  return {
    init,
    condition: build.literal(at, { type: "bool", value: true }),
    step: filter === undefined ? added : build.call(at, OPERATORS["?"], filter, added, accumulated(build, at)),
    result: accumulated(build, at),
  };
}

/** `target.optMap(v, e)`: a loop over nothing whose accumulator is the value, so that `e` can name it. */
function overOptional(use: Use, name: string, wraps: boolean): Expression {
  const { build, at, target } = use;
  const [variable] = use.args;
  if (variable?.kind !== "ident")
    throw new Misused(build.offsetOf(variable?.id ?? 0), `${name}() variable name must be a simple identifier`);
  const member = (of: Expression, called: string): Expression =>
    build.make(at, { kind: "call", function: called, target: of, args: [] });
  const bound = bind(build, at, variable.name, member(build.copy(target), "value"), argument(use, 1));
  return build.call(
    at,
    OPERATORS["?"],
    member(target, "hasValue"),
    wraps ? build.call(at, "optional.of", bound) : bound,
    build.call(at, "optional.none"),
  );
}

function sortBy(use: Use): Expression {
  const { build, at, target } = use;
  if (!["list", "select", "ident", "comprehension", "call"].includes(target.kind)) {
    throw new Misused(
      build.offsetOf(target.id),
      "sortBy can only be applied to a list, identifier, comprehension, call or select expression",
    );
  }
  const name = "@__sortBy_input__";
  const input = () => build.make(at, { kind: "ident", name });
  const keys = mapped({ ...use, target: input() }, undefined, argument(use, 1));
  const sorted = build.make(at, { kind: "call", function: "@sortByAssociatedKeys", target: input(), args: [keys] });
  return bind(build, at, name, target, sorted);
}

function bind(build: Builder, at: number, accumulator: string, init: Expression, result: Expression): Expression {
  return build.make(at, {
    kind: "comprehension",
    range: listOf(build, at),
    variable: "#unused",
    variable2: undefined,
    accumulator,
    init,
    condition: build.literal(at, { type: "bool", value: false }),
    step: build.make(at, { kind: "ident", name: accumulator }),
    result,
  });
}

function loop({ build, at, target }: Use, variable: string, variable2: string | undefined, steps: Steps): Expression {
  return build.make(at, {
    kind: "comprehension",
    range: target,
    variable,
    variable2,
    accumulator: ACCUMULATOR,
    ...steps,
  });
}

function oneName(use: Use, complaint: string, index = 0): string {
  const name = argument(use, index);
  const at = use.build.offsetOf(name.id);
  if (name.kind !== "ident") throw new Misused(at, complaint);
  if (name.name === "__result__") throw new Misused(at, "iteration variable overwrites accumulator variable");
  return name.name;
}

function twoNames(use: Use): readonly [string, string] {
  const [first, second] = [argument(use, 0), argument(use, 1)];
  for (const each of [first, second])
    if (each.kind !== "ident") throw new Misused(use.build.offsetOf(each.id), "argument must be a simple name");
  if (first.kind === "ident" && second.kind === "ident" && first.name === second.name)
    throw new Misused(use.build.offsetOf(second.id), `duplicate variable name: ${first.name}`);
  return [oneName(use, ""), oneName(use, "", 1)];
}

function argument({ args }: Use, index: number): Expression {
  return args[index] as Expression;
}

function accumulated(build: Builder, at: number): Expression {
  return build.make(at, { kind: "ident", name: ACCUMULATOR });
}

function listOf(build: Builder, at: number, ...elements: Expression[]): Expression {
  return build.make(at, { kind: "list", elements, optional: new Set() });
}

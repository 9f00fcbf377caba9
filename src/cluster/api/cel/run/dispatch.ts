/** Runs a call: picks the overload by the types that the arguments have when it comes to it. */
import type { Call } from "../check/check.ts";
import type { Overload, Running } from "../check/declarations.ts";
import type { Type } from "../check/types.ts";
import { type CelError, error, isError, isKind, NO_SUCH_OVERLOAD, runtimeType, type Value } from "../value/value.ts";

/** Types that answer to any name, if only to say that they do not know it. */
const RECEIVERS: ReadonlySet<string> = new Set(["string", "google.protobuf.Duration", "google.protobuf.Timestamp"]);

export function dispatch(call: Call): (args: readonly Value[], running: Running) => Value | CelError {
  const { function: declaration, overloads } = call;
  const { name, singleton, accepts, isUnguarded = false } = declaration;
  if (singleton !== undefined) {
    return (args, running) => {
      const type = args[0] === undefined ? "" : runtimeType(args[0]).name;
      if (accepts === undefined || accepts.has(type)) return singleton(args, running);
      return RECEIVERS.has(type) ? NO_SUCH_OVERLOAD : error(`no such overload: ${name}`);
    };
  }
  const candidates = overloads.length === 1 ? overloads : declaration.overloads;
  return (args, running) => {
    const fitting = candidates.find(
      (each) => each.run !== undefined && each.args.length === args.length && (isUnguarded || takes(each, args)),
    );
    if (fitting?.run !== undefined) return fitting.run(args, running);
    return error(`no such overload: ${name}(${args.map((each) => runtimeType(each).name).join(", ")})`);
  };
}

function takes(overload: Overload, args: readonly Value[]): boolean {
  return (
    overload.args.length === args.length && overload.args.every((type, index) => mayBe(args[index] as Value, type))
  );
}

/** Whether a value may be of a type, as far as a look at its first item tells. */
function mayBe(value: Value, type: Type): boolean {
  if (type.kind === "dyn" || type.kind === "param") return true;
  if (runtimeType(value).name !== type.name) return false;
  if (isKind(value, "list") && value.size > 0) {
    const first = value.get(0);
    return !isError(first) && mayBe(first, type.params[0] as Type);
  }
  if (isKind(value, "map") && value.size > 0) {
    const [key] = value.keys();
    const item = key === undefined ? undefined : value.find(key);
    if (key === undefined || item === undefined || isError(item)) return true;
    return mayBe(key, type.params[0] as Type) && mayBe(item, type.params[1] as Type);
  }
  return true;
}

/** Formats that are written out are compared with the types of what they are given, before anything runs. */
import type { Checked } from "../check/check.ts";
import { shownType, type Type } from "../check/types.ts";
import type { Expression } from "../syntax/ast.ts";
import { isError } from "../value/value.ts";
import { type Clause, clausesOf, MISFIT } from "./format-text.ts";

const WRITABLE: ReadonlySet<string> = new Set(
  "list map int uint double bool string timestamp bytes duration type null dyn".split(" "),
);
const FITTING: Readonly<Record<Exclude<Clause["kind"], "s">, readonly string[]>> = {
  d: ["int", "uint"],
  f: ["double", "string"],
  e: ["double", "string"],
  b: ["int", "uint", "bool"],
  x: ["int", "uint", "string", "bytes"],
  X: ["int", "uint", "string", "bytes"],
  o: ["int", "uint"],
};

export function checkFormatCall(
  call: Extract<Expression, { kind: "call" }>,
  checked: Checked,
  complain: (id: number, message: string) => void,
): void {
  const { target } = call;
  const [list, more] = call.args;
  if (target?.kind !== "literal" || target.literal.type !== "string" || list?.kind !== "list" || more !== undefined)
    return;
  const { elements } = list;
  const clauses = clausesOf(target.literal.value, elements.length);
  if (isError(clauses)) return complain(call.id, clauses.message);
  const asked = clauses.filter((clause) => typeof clause !== "string");
  for (const [index, clause] of asked.entries()) {
    const argument = elements[index];
    const misfit = argument === undefined ? undefined : misfitting(clause, argument, checked);
    if (misfit === undefined) continue;
    const { name } = checked.typeOf(misfit.id);
    return complain(misfit.id, `error during formatting: ${MISFIT[clause.kind]}${name}`);
  }
  if (elements.length > asked.length)
    complain(
      call.id,
      `too many arguments supplied to string.format (expected ${asked.length}, got ${elements.length})`,
    );
}

/** The part that does not fit: the argument, or something in it. */
function misfitting(clause: Clause, argument: Expression, checked: Checked): Expression | undefined {
  const type: Type = checked.typeOf(argument.id);
  if (clause.kind !== "s")
    return type.kind === "dyn" || FITTING[clause.kind].includes(type.kind) ? undefined : argument;
  if (!WRITABLE.has(type.kind) || shownType(type) === "!error!") return argument;
  const inner =
    argument.kind === "list"
      ? argument.elements
      : argument.kind === "map"
        ? argument.entries.flatMap(({ key, value }) => [key, value])
        : [];
  for (const each of inner) {
    const found = misfitting(clause, each, checked);
    if (found !== undefined) return found;
  }
  return undefined;
}

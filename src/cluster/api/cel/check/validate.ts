/** What is looked at once the types are known: durations, timestamps and patterns that are written out, and lists of mixed types. */

import { checkFormatCall } from "../library/format-check.ts";
import { patternOf } from "../library/patterns.ts";
import { childrenOf, type Expression } from "../syntax/ast.ts";
import type { Complaint } from "../syntax/source.ts";
import { convert } from "../value/convert.ts";
import { isError, literalValue } from "../value/value.ts";
import type { Checked } from "./check.ts";
import { DURATION, isEquivalent, shownType, TIMESTAMP, type Type, unwrapped } from "./types.ts";

export function validate(checked: Checked): readonly Complaint[] {
  const complaints: Complaint[] = [];
  const complain = (id: number, message: string) => complaints.push({ place: checked.parsed.placeOf(id), message });
  const mismatch = (id: number, expected: Type, actual: Type) =>
    complain(id, `expected type '${shownType(expected)}' but found '${shownType(actual)}'`);

  function walk(expression: Expression, inFormat: boolean): void {
    if (expression.kind === "call") {
      checkLiteral(expression);
      if (expression.function === "format") checkFormatCall(expression, checked, complain);
    }
    if (expression.kind === "list" && !inFormat) {
      const types = expression.elements.map((each, index) =>
        expression.optional.has(index) ? unwrapped(checked.typeOf(each.id)) : checked.typeOf(each.id),
      );
      const odd = types.findIndex((type) => !isEquivalent(types[0] as Type, type));
      if (odd > 0) mismatch(expression.elements[odd]?.id ?? 0, types[0] as Type, types[odd] as Type);
    }
    if (expression.kind === "map" && !inFormat) checkEntries(expression);
    const isFormat = inFormat || (expression.kind === "call" && expression.function === "format");
    for (const each of childrenOf(expression)) walk(each, isFormat);
  }

  function checkEntries({ entries }: Extract<Expression, { kind: "map" }>): void {
    const valueType = (entry: (typeof entries)[number]) => {
      const type = checked.typeOf(entry.value.id);
      return entry.optional ? unwrapped(type) : type;
    };
    const [first] = entries;
    if (first === undefined) return;
    for (const entry of entries.slice(1)) {
      const [key, value] = [checked.typeOf(first.key.id), valueType(first)];
      if (!isEquivalent(key, checked.typeOf(entry.key.id))) mismatch(entry.key.id, key, checked.typeOf(entry.key.id));
      if (!isEquivalent(value, valueType(entry))) mismatch(entry.value.id, value, valueType(entry));
    }
  }

  function checkLiteral(call: Extract<Expression, { kind: "call" }>): void {
    const [argument] = call.args;
    if (argument?.kind !== "literal") return;
    const value = literalValue(argument.literal);
    const isWrong =
      (call.function === "duration" && isError(convert(value, DURATION))) ||
      (call.function === "timestamp" && isError(convert(value, TIMESTAMP))) ||
      (call.function === "matches" && typeof value === "string" && isError(patternOf(value)));
    if (isWrong) complain(argument.id, `invalid ${call.function} argument`);
  }

  walk(checked.parsed.expression, false);
  return complaints;
}

/** What a pattern finds in a text. */
import { type FunctionDeclaration, member, type Running } from "../check/declarations.ts";
import { INT, listOf, STRING } from "../check/types.ts";
import { type CelError, error, isError, type Value } from "../value/value.ts";
import { patternOf, searched } from "./patterns.ts";

export const REGEX: readonly FunctionDeclaration[] = [
  {
    name: "find",
    overloads: [
      member("string_find_string", [STRING, STRING], STRING, (args, running) => found("find", args, running)),
    ],
  },
  {
    name: "findAll",
    overloads: [
      member("string_find_all_string", [STRING, STRING], listOf(STRING), (args, running) =>
        found("findAll", args, running),
      ),
      member("string_find_all_string_int", [STRING, STRING, INT], listOf(STRING), (args, running) =>
        found("findAll", args, running),
      ),
    ],
  },
];

function found(
  search: "find" | "findAll",
  [text, pattern, most = -1n]: readonly Value[],
  running: Running,
): Value | CelError {
  const compiled = patternOf(pattern as string);
  if (isError(compiled)) return error(`Illegal regex: ${compiled.message}`);
  return searched(search, compiled, text as string, Number(most), running);
}

/** What a pattern finds in a text. */
import { type FunctionDeclaration, member } from "../check/declarations.ts";
import { INT, listOf, STRING } from "../check/types.ts";
import { listOfValues } from "../value/collections.ts";
import { type CelError, error, isError, type Value } from "../value/value.ts";
import { findAll } from "./find-all.ts";
import { patternOf } from "./patterns.ts";

export const REGEX: readonly FunctionDeclaration[] = [
  {
    name: "find",
    overloads: [
      member("string_find_string", [STRING, STRING], STRING, ([text, pattern]) => {
        const found = search(text as string, pattern as string, 1);
        return isError(found) ? found : (found[0] ?? "");
      }),
    ],
  },
  {
    name: "findAll",
    overloads: [
      member("string_find_all_string", [STRING, STRING], listOf(STRING), ([text, pattern]) =>
        listed(search(text as string, pattern as string, -1)),
      ),
      member("string_find_all_string_int", [STRING, STRING, INT], listOf(STRING), ([text, pattern, most]) =>
        listed(search(text as string, pattern as string, Number(most))),
      ),
    ],
  },
];

function listed(found: readonly string[] | CelError): Value | CelError {
  return isError(found) ? found : listOfValues(found);
}

function search(text: string, pattern: string, most: number): readonly string[] | CelError {
  const compiled = patternOf(pattern);
  return isError(compiled) ? error(`Illegal regex: ${compiled.message}`) : findAll(compiled, text, most);
}

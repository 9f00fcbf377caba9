/** Go's regular expressions (RE2), which are what patterns of schemas and expressions are. */
import { messageOf } from "../../../../core/errors.ts";
import { linearPattern, type Pattern } from "./linear-pattern.ts";
import { parsePattern } from "./pattern-tree.ts";

/** Throws `SyntaxError` for a text that is no pattern; its message is Go's. */
export function goPattern(text: string): Pattern {
  try {
    return linearPattern(parsePattern(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new SyntaxError(`error parsing regexp: ${messageOf(error)}`, { cause: error });
  }
}

/** Go's regular expressions (RE2), which are what patterns of schemas and expressions are. */
import { messageOf } from "../../../../core/errors.ts";
import { createRecent } from "../../objects/recent.ts";
import { linearPattern, type Pattern } from "./linear-pattern.ts";
import { parsePattern } from "./pattern-tree.ts";

/** Throws `SyntaxError` for a text that is no pattern; its message is Go's. */
export function goPattern(text: string): Pattern {
  return explained(() => linearPattern(parsePattern(text)));
}

function explained<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new SyntaxError(`error parsing regexp: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * The pattern, compiled when it is used: of the thousands that definitions have most never are, and each takes many times the memory of its
 * text. Those that were used last stay compiled. Throws like `goPattern`; for a pattern that is merely too large, when it is used.
 */
export function laterPattern(text: string): Pattern {
  explained(() => parsePattern(text));
  const known = (): Pattern => {
    const used = USED.get(text);
    if (used !== undefined) return used;
    const made = goPattern(text);
    USED.set(text, made);
    return made;
  };
  return {
    get size() {
      return known().size;
    },
    test: (candidate, effort) => known().test(candidate, effort),
    find: (candidate, from, effort) => known().find(candidate, from, effort),
  };
}

const USED = createRecent<string, Pattern>(200_000, (_, { size }) => size);

/** Patterns of Go: compiled once and kept for a while, since a loop asks for the same one again and again; and what they find. */
import { messageOf } from "../../../../core/errors.ts";
import { goPattern } from "../../crd/schema/go-pattern.ts";
import type { Effort, Pattern } from "../../crd/schema/linear-pattern.ts";
import type { Running } from "../check/declarations.ts";
import { listOfValues } from "../value/collections.ts";
import { type CelError, error, type Value } from "../value/value.ts";

/** So many are kept; texts longer than this are not. */
const MAX_KEPT = 200;
const MAX_LENGTH = 1_000;
const kept = new Map<string, Pattern>();

/** An error, in Go's words, for a text that is no pattern. */
export function patternOf(text: string): Pattern | CelError {
  const before = kept.get(text);
  if (before !== undefined) return before;
  try {
    const pattern = goPattern(text);
    if (text.length > MAX_LENGTH) return pattern;
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(text, pattern);
    return pattern;
  } catch (cause) {
    return error(messageOf(cause));
  }
}

export type Search = "matches" | "find" | "findAll";

/** What a function finds; negative `most`: as many as there are. Ends the evaluation when it takes too long. */
export function searched(search: Search, pattern: Pattern, text: string, most: number, running: Running): Value {
  const { effort } = running;
  const found =
    search === "matches" ? pattern.test(text, effort) : findAll(pattern, text, search === "find" ? 1 : most, effort);
  if (effort.left < 0) running.spend(Number.POSITIVE_INFINITY);
  if (typeof found === "boolean") return found;
  return search === "find" ? (found[0] ?? "") : listOfValues(found);
}

/** From left to right, none over another. */
function findAll(pattern: Pattern, text: string, most: number, effort: Effort): readonly string[] {
  const found: string[] = [];
  let from = 0;
  let lastEnd = -1;
  const limit = most < 0 ? Number.POSITIVE_INFINITY : most;
  while (from <= text.length && found.length < limit) {
    const match = pattern.find(text, from, effort);
    if (match === undefined) break;
    const [start, end] = match;
    // Nothing, right behind what was found, is not found once more.
    if (end > start || start !== lastEnd) found.push(text.slice(start, end));
    lastEnd = end;
    from = end > from ? end : from + ((text.codePointAt(from) ?? 0) > 0xffff ? 2 : 1);
  }
  return found;
}

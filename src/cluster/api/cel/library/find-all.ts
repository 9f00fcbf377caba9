/** All that a pattern finds in a text, from left to right, none over another. */
import type { Pattern } from "../../crd/schema/linear-pattern.ts";

/** Negative `most`: as many as there are. */
export function findAll(pattern: Pattern, text: string, most: number): readonly string[] {
  const found: string[] = [];
  let from = 0;
  let lastEnd = -1;
  const limit = most < 0 ? Number.POSITIVE_INFINITY : most;
  while (from <= text.length && found.length < limit) {
    const match = pattern.find(text, from);
    if (match === undefined) break;
    const [start, end] = match;
    // Nothing, right behind what was found, is not found once more.
    if (end > start || start !== lastEnd) found.push(text.slice(start, end));
    lastEnd = end;
    from = end > from ? end : from + ((text.codePointAt(from) ?? 0) > 0xffff ? 2 : 1);
  }
  return found;
}

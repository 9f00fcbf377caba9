/** Patterns of Go, compiled once and kept for a while: a loop asks for the same one again and again. */
import { messageOf } from "../../../../core/errors.ts";
import { goPattern } from "../../crd/schema/go-pattern.ts";
import type { Pattern } from "../../crd/schema/linear-pattern.ts";
import { type CelError, error } from "../value/value.ts";

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

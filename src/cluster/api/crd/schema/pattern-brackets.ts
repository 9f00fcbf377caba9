/** Classes of characters in a pattern of Go: in brackets, or by a name behind a backslash. */
import { letterClass, namedClass, propertyClass, rangeOf, type SetPart } from "./pattern-set.ts";
import { match, type PatternText, skip, take, takeEscaped, wrong } from "./pattern-text.ts";

export interface Brackets {
  readonly parts: readonly SetPart[];
  readonly negated: boolean;
}

/** The bracket that opens comes next. Throws `SyntaxError`. */
export function takeBrackets(source: PatternText): Brackets {
  const begin = source.at;
  const lastName = source.text.lastIndexOf(":]");
  source.at++;
  const negated = skip(source, "^");
  const parts: SetPart[] = [];
  // A bracket that closes is a member where it comes first.
  for (let isFirst = true; isFirst || source.text[source.at] !== "]"; isFirst = false) {
    const part =
      (source.at < lastName ? takeNamed(source) : undefined) ?? takeClass(source) ?? takeRange(source, begin);
    parts.push(part);
  }
  source.at++;
  return { parts, negated };
}

/** `[:alpha:]` */
function takeNamed(source: PatternText): SetPart | undefined {
  if (!source.text.startsWith("[:", source.at)) return undefined;
  const end = source.text.indexOf(":]", source.at + 2);
  if (end < 0) return undefined;
  const part = namedClass(source.text.slice(source.at + 2, end));
  if (part === undefined) throw wrong("invalid character class range", source.text.slice(source.at, end + 2));
  source.at = end + 2;
  return part;
}

/** `\d`, `\pL`, `\p{Greek}`; undefined where something else comes next. Throws `SyntaxError`. */
export function takeClass(source: PatternText): SetPart | undefined {
  if (source.text[source.at] !== "\\") return undefined;
  const found = match(source, /\\([dDsSwW])/y);
  if (found !== undefined) return letterClass(found[1] ?? "");
  const property = match(source, /\\([pP])(?:\{(\^?)([^}]*)\}|([^{]))/uy);
  if (property === undefined) {
    if (!/[pP]/.test(source.text[source.at + 1] ?? "")) return undefined;
    throw wrong("invalid character class range", source.text.slice(source.at));
  }
  const [whole, letter, caret = "", long, short = ""] = property;
  const part = propertyClass(long ?? short);
  if (part === undefined) throw wrong("invalid character class range", whole);
  return { ...part, negated: part.negated !== ((letter === "P") !== (caret === "^")) };
}

/** One character, or from one to another. A dash at the end is a character. */
function takeRange(source: PatternText, begin: number): SetPart {
  const start = source.at;
  const from = takeMember(source, begin);
  if (match(source, /-(?=[^\]])/y) === undefined) return rangeOf(from, from);
  const to = takeMember(source, begin);
  if (to < from) throw wrong("invalid character class range", source.text.slice(start, source.at));
  return rangeOf(from, to);
}

function takeMember(source: PatternText, begin: number): number {
  if (source.text[source.at] === "\\") return takeEscaped(source);
  const point = take(source);
  if (point === undefined) throw wrong("missing closing ]", source.text.slice(begin));
  return point;
}

/** A regular expression of Go as a tree (regexp/syntax, with the flags that `regexp.Compile` gives). */
import { takeBrackets, takeClass } from "./pattern-brackets.ts";
import { type Holds, literalSet, setOf } from "./pattern-set.ts";
import { match, type PatternText, skip, take, takeEscaped, wrong } from "./pattern-text.ts";

export type PatternTree =
  | { readonly kind: "character"; readonly is: Holds }
  /** Holds between two characters; undefined is the beginning or the end of the text. */
  | { readonly kind: "place"; readonly holds: Place }
  | { readonly kind: "sequence"; readonly parts: readonly PatternTree[] }
  | { readonly kind: "choice"; readonly options: readonly PatternTree[] }
  /** `most` undefined: without end. Lazy: as few as possible come first, which matters to who asks where a match ends. */
  | {
      readonly kind: "repeat";
      readonly part: PatternTree;
      readonly least: number;
      readonly most: number | undefined;
      readonly isLazy: boolean;
    };

type Place = (before: number | undefined, after: number | undefined) => boolean;

/** Go nests no deeper, and repeats nothing more often, repetitions of repetitions included. */
const MAX_DEPTH = 1000;
const MAX_REPEAT = 1000;

const NEWLINE = 0x0a;
const atBeginning: Place = (before) => before === undefined;
const atEnd: Place = (_, after) => after === undefined;
const atLineBeginning: Place = (before) => before === undefined || before === NEWLINE;
const atLineEnd: Place = (_, after) => after === undefined || after === NEWLINE;
const betweenWords: Place = (before, after) => isWord(before) !== isWord(after);
const withinWords: Place = (before, after) => isWord(before) === isWord(after);

/** Places that are written with a letter. */
const LETTER_PLACES: ReadonlyMap<string, Place> = new Map([
  ["\\A", atBeginning],
  ["\\z", atEnd],
  ["\\b", betweenWords],
  ["\\B", withinWords],
]);

/** Throws `SyntaxError` for a text that is no pattern, in Go's words. */
export function parsePattern(text: string): PatternTree {
  const source: PatternText = { text, at: 0 };
  /** Letters of those that are set: `i`, `m`, `s`, `U`. They hold until the group ends in which they were set. */
  let flags: ReadonlySet<string> = new Set();

  /** Up to the end, or to the parenthesis that closes the group. */
  function takeChoice(depth: number): PatternTree {
    if (depth > MAX_DEPTH) throw wrong("expression nests too deeply", text);
    const options: PatternTree[] = [];
    let parts: PatternTree[] = [];
    /** Where the sign began that repeats the last part. */
    let lastRepeat: number | undefined;
    for (let next = text[source.at]; next !== undefined && next !== ")"; next = text[source.at]) {
      const begin = source.at;
      const repeat = takeRepeat(source);
      if (repeat === undefined) {
        lastRepeat = undefined;
        if (skip(source, "|")) {
          options.push(sequenceOf(parts));
          parts = [];
        } else takeParts(parts, depth);
        continue;
      }
      const isLazy = skip(source, "?") !== flags.has("U");
      if (lastRepeat !== undefined)
        throw wrong("invalid nested repetition operator", text.slice(lastRepeat, source.at));
      const part = parts.pop();
      if (part === undefined) throw wrong("missing argument to repetition operator", text.slice(begin, source.at));
      const repeated: PatternTree = { kind: "repeat", part, ...repeat, isLazy };
      if (Math.max(repeat.least, repeat.most ?? 0) > 1 && !isWithin(repeated, MAX_REPEAT))
        throw wrong("invalid repeat count", text.slice(begin, source.at));
      parts.push(repeated);
      lastRepeat = begin;
    }
    options.push(sequenceOf(parts));
    return options.length === 1 ? (options[0] as PatternTree) : { kind: "choice", options };
  }

  /** What comes next, which may be several parts (`\Q…\E`) or none (`(?i)`). */
  function takeParts(parts: PatternTree[], depth: number): void {
    const ignoresCase = flags.has("i");
    const literal = (point: number): void => {
      parts.push({ kind: "character", is: literalSet(point, ignoresCase) });
    };
    const holds = takePlace();
    if (holds !== undefined) return void parts.push({ kind: "place", holds });
    if (skip(source, "\\Q")) {
      const end = text.indexOf("\\E", source.at);
      const quoted = end < 0 ? text.slice(source.at) : text.slice(source.at, end);
      source.at = end < 0 ? text.length : end + 2;
      for (const character of quoted) literal(character.codePointAt(0) ?? 0);
      return;
    }
    const named = takeClass(source);
    if (named !== undefined) return void parts.push({ kind: "character", is: setOf([named], ignoresCase) });
    switch (text.charAt(source.at)) {
      case "(": {
        const outer = flags;
        if (!takeOpening()) return;
        parts.push(takeChoice(depth + 1));
        if (!skip(source, ")")) throw wrong("missing closing )", text);
        flags = outer;
        return;
      }
      case "[": {
        const { parts: members, negated } = takeBrackets(source);
        parts.push({ kind: "character", is: setOf(members, ignoresCase, negated) });
        return;
      }
      case ".":
        source.at++;
        parts.push({ kind: "character", is: flags.has("s") ? () => true : (point) => point !== NEWLINE });
        return;
      case "\\":
        return literal(takeEscaped(source));
      default:
        literal(take(source) ?? 0);
    }
  }

  function takePlace(): Place | undefined {
    if (skip(source, "^")) return flags.has("m") ? atLineBeginning : atBeginning;
    if (skip(source, "$")) return flags.has("m") ? atLineEnd : atEnd;
    const place = LETTER_PLACES.get(text.slice(source.at, source.at + 2));
    if (place !== undefined) source.at += 2;
    return place;
  }

  /** False where it opens no group, and only sets flags. */
  function takeOpening(): boolean {
    const begin = source.at;
    if (!text.startsWith("(?", begin)) return skip(source, "(");
    if (match(source, /\(\?P?<\w+>/y) !== undefined) return true;
    if (/^\(\?P?<[^]/.test(text.slice(begin, begin + 5))) {
      const end = text.indexOf(">", begin);
      throw wrong("invalid named capture", end < 0 ? text.slice(begin) : text.slice(begin, end + 1));
    }
    const [, on = "", minus, off = "", end] = match(source, /\(\?([imsU]*)(?:(-)([imsU]*))?([:)]?)/y) ?? [];
    if (end === "" || (minus !== undefined && off === "")) {
      if (end === "") take(source);
      throw wrong("invalid or unsupported Perl syntax", text.slice(begin, source.at));
    }
    flags = new Set([...flags, ...Array.from(on)].filter((flag) => !off.includes(flag)));
    return end === ":";
  }

  const tree = takeChoice(0);
  if (source.at < text.length) throw wrong("unexpected )", text);
  return tree;
}

/** `*`, `+`, `?`, `{2,3}`; braces that count nothing are plain characters. Throws `SyntaxError`. */
function takeRepeat(source: PatternText): { readonly least: number; readonly most: number | undefined } | undefined {
  if (skip(source, "*")) return { least: 0, most: undefined };
  if (skip(source, "+")) return { least: 1, most: undefined };
  if (skip(source, "?")) return { least: 0, most: 1 };
  const braces = match(source, /\{(0|[1-9]\d*)(?:(,)(0|[1-9]\d*)?)?\}/y);
  if (braces === undefined) return undefined;
  const least = Number(braces[1]);
  const most = braces[2] === undefined ? least : braces[3] === undefined ? undefined : Number(braces[3]);
  if (Math.max(least, most ?? 0) > MAX_REPEAT || (most !== undefined && least > most))
    throw wrong("invalid repeat count", braces[0]);
  return { least, most };
}

function sequenceOf(parts: readonly PatternTree[]): PatternTree {
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: "sequence", parts };
}

/** Whether the innermost part is written out so many times at most, where repetitions are repeated. */
function isWithin(tree: PatternTree, times: number): boolean {
  switch (tree.kind) {
    case "character":
    case "place":
      return true;
    case "sequence":
      return tree.parts.every((part) => isWithin(part, times));
    case "choice":
      return tree.options.every((option) => isWithin(option, times));
    case "repeat": {
      if (tree.most === 0) return true;
      const most = tree.most ?? tree.least;
      return most <= times && isWithin(tree.part, most > 0 ? Math.trunc(times / most) : times);
    }
  }
}

function isWord(codePoint: number | undefined): boolean {
  return codePoint !== undefined && codePoint < 128 && /\w/.test(String.fromCharCode(codePoint));
}

/**
 * Go's regular expressions (RE2) as JavaScript's. Both agree on most of what schemas use; where they write the same thing
 * differently, it is written anew here. What only one of them has is refused, as what is no pattern at all.
 */
import { messageOf } from "../../../../core/errors.ts";
import { createRecent } from "../../objects/recent.ts";
import { linearPattern, type Pattern } from "./linear-pattern.ts";

/** Classes that Go knows by name in brackets, `[[:alpha:]]`, as the characters that they hold: from, to, from, to. */
const CLASSES: ReadonlyMap<string, string> = new Map([
  ["alnum", "09AZaz"],
  ["alpha", "AZaz"],
  ["ascii", "\0\x7f"],
  ["blank", "\t\t  "],
  ["cntrl", "\0\x1f\x7f\x7f"],
  ["digit", "09"],
  ["graph", "!~"],
  ["lower", "az"],
  ["print", " ~"],
  ["punct", "!/:@[`{~"],
  ["space", "\t\r  "],
  ["upper", "AZ"],
  ["word", "09AZ__az"],
  ["xdigit", "09AFaf"],
]);
/** Go's `\s` is narrower than JavaScript's. */
const SPACE = "\t\n\f\r  ";

/** The members of a class for brackets of JavaScript; or, negated, all other characters. */
function members(ranges: string, negated: boolean): string {
  const points = Array.from(ranges, (character) => character.charCodeAt(0));
  const bounds = negated ? [0, ...points.map((point, index) => point + (index % 2 === 0 ? -1 : 1)), 0x10ffff] : points;
  const pairs = bounds.flatMap((from, index) => (index % 2 === 0 ? [[from, bounds[index + 1] ?? from] as const] : []));
  return pairs
    .filter(([from, to]) => from <= to)
    .map(([from, to]) => `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`)
    .join("");
}

/** Go repeats nothing more often than this. */
const MAX_REPEAT = 1000;

/** What may stand behind a backslash as one thing: a property, a number, or any character. */
const ESCAPED = String.raw`[pP]\{\^?\w+\}|[pP][A-Za-z]|x\{[0-9a-fA-F]+\}|x[0-9a-fA-F]{2}|.`;
const NAMED_CLASS = String.raw`\[:\^?\w+:\]`;
/** What is written differently, or needs a look, outside of brackets; the rest stands as it is. */
const TOKEN = new RegExp(
  [
    String.raw`\\Q(?<quoted>.*?)(?:\\E|$)`,
    String.raw`\\(?<escaped>${ESCAPED})`,
    String.raw`\[(?<negated>\^?)(?<set>\]?(?:${NAMED_CLASS}|\\(?:${ESCAPED})|[^\]\\])*)(?:\]|(?<unclosed>\\?$))`,
    String.raw`(?<group>\(\?)(?<kind>P?<\w+>|[ims]*(?:-[ims]+)?:|[^:)]*\)?)`,
    String.raw`\{(?<repeat>\d+(?:,\d*)?)\}`,
    String.raw`[.{}\]\\]`,
  ].join("|"),
  "gsu",
);
const IN_BRACKETS = new RegExp(String.raw`\[:(\^?)(\w+):\]|\\(${ESCAPED})|[[\]]`, "gsu");

/** Throws `SyntaxError` for a text that is no pattern; its message is Go's where it is a common mistake. */
export function goPattern(text: string): Pattern {
  return explained(text, () => {
    const { written, flags } = inJavaScript(text);
    return linearPattern(written, flags);
  });
}

function explained<T>(text: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new SyntaxError(`error parsing regexp: ${complaint(messageOf(error), text)}`, { cause: error });
  }
}

/**
 * The pattern, compiled when it is used: of the thousands that definitions have most never are, and each takes many times the memory of its
 * text. Those that were used last stay compiled. Throws like `goPattern`; for a pattern that is merely too large, when it is used.
 */
export function laterPattern(text: string): Pattern {
  explained(text, () => inJavaScript(text));
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
    test: (candidate) => known().test(candidate),
    find: (candidate, from) => known().find(candidate, from),
  };
}

const USED = createRecent<string, Pattern>(200_000, (_, { size }) => size);

function complaint(message: string, text: string): string {
  if (message.includes("Unterminated group")) return `missing closing ): \`${text}\``;
  if (message.includes("Unmatched ')'")) return `unexpected ): \`${text}\``;
  if (!message.includes("Nothing to repeat")) return message;
  return `missing argument to repetition operator: \`${/[*+?]/.exec(text)?.[0] ?? text}\``;
}

/** The same pattern as JavaScript writes it. */
function inJavaScript(text: string): { readonly written: string; readonly flags: string } {
  const [, flags = "", rest = text] = /^\(\?([ims]+)\)(.*)$/su.exec(text) ?? [];
  const dot = flags.includes("s") ? "." : "[^\\n]";
  const written = rest.replace(TOKEN, (found, ...given: unknown[]) =>
    rewritten(found, given.at(-1) as Parts, dot, rest.slice(given.at(-3) as number)),
  );
  const distinct = [...new Set(flags)].join("");
  // Whether it is a pattern at all is for JavaScript to say; matching is not left to it.
  void new RegExp(written, `u${distinct}`);
  return { written, flags: distinct };
}

type Parts = Readonly<Record<string, string | undefined>>;

/** `rest` is the pattern from here on. */
function rewritten(found: string, parts: Parts, dot: string, rest: string): string {
  const { quoted, escaped, negated = "", set, unclosed, group, kind = "", repeat } = parts;
  if (quoted !== undefined) return quoted.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  if (escaped !== undefined) return escape(escaped, false);
  if (unclosed !== undefined) throw new SyntaxError(`missing closing ]: \`${rest}\``);
  if (set !== undefined) return `[${negated}${brackets(set)}]`;
  if (group !== undefined) return groupOf(kind, rest);
  if (repeat !== undefined) {
    if (repeat.split(",").some((count) => Number(count) > MAX_REPEAT))
      throw new SyntaxError(`invalid repeat count: \`${found}\``);
    return found;
  }
  if (found === ".") return dot;
  // To Go, braces that count nothing and a bracket that closes nothing are plain characters.
  if (found === "{" || found === "}" || found === "]") return `\\${found}`;
  throw new SyntaxError("trailing backslash at end of expression: ``");
}

function groupOf(kind: string, rest: string): string {
  if (/^P?<\w+>$/.test(kind)) return `(?${kind.replace("P", "")}`;
  if (/^[ims]*(?:-[ims]+)?:$/.test(kind)) return `(?${kind}`;
  if (/^P?</.test(kind)) throw new SyntaxError(`invalid named capture: \`${rest}\``);
  throw new SyntaxError(`invalid or unsupported Perl syntax: \`(?${kind.slice(0, 1)}\``);
}

/** What stands behind a backslash. */
function escape(escaped: string, inBrackets: boolean): string {
  const [letter = "", rest] = [escaped[0], escaped.slice(1)];
  if (letter === "p" || letter === "P") return property(letter, rest.replaceAll(/[{}]/g, ""));
  if (letter === "x") return rest.startsWith("{") ? `\\u${rest}` : `\\x${rest}`;
  if ("dDwWtnrfv".includes(letter)) return `\\${letter}`;
  if (letter === "s" || letter === "S") {
    return inBrackets ? members(SPACE, letter === "S") : `[${members(SPACE, letter === "S")}]`;
  }
  if (letter === "a") return "\\x07";
  if (!inBrackets && (letter === "b" || letter === "B")) return `\\${letter}`;
  if (!inBrackets && letter === "A") return "(?<![^])";
  if (!inBrackets && letter === "z") return "(?![^])";
  if (/[\w\s]/.test(letter) || letter.charCodeAt(0) > 127)
    throw new SyntaxError(`invalid escape sequence: \`\\${letter}\``);
  return /[\\^$.*+?()[\]{}|/-]/.test(letter) && (inBrackets || letter !== "-") ? `\\${letter}` : letter;
}

/** Go names scripts and categories alike; `^` in front negates. */
function property(letter: string, name: string): string {
  const negated = (letter === "P") !== name.startsWith("^");
  const plain = name.replace("^", "");
  return `\\${negated ? "P" : "p"}{${plain.length > 2 ? "Script=" : ""}${plain}}`;
}

function brackets(set: string): string {
  return set.replaceAll(IN_BRACKETS, (found, negated?: string, name?: string, escaped?: string) => {
    if (escaped !== undefined) return escape(escaped, true);
    if (name === undefined) return `\\${found}`;
    const ranges = CLASSES.get(name);
    if (ranges === undefined) throw new SyntaxError(`invalid character class range: \`${found}\``);
    return members(ranges, negated === "^");
  });
}

/**
 * Go's regular expressions (RE2) as JavaScript's. Both agree on most of what schemas use; where they write the same thing
 * differently, it is written anew here. What only one of them has is refused, as what is no pattern at all.
 */

/** Classes that Go knows by name in brackets: `[[:alpha:]]`. */
const CLASSES: ReadonlyMap<string, string> = new Map([
  ["alnum", "0-9A-Za-z"],
  ["alpha", "A-Za-z"],
  ["ascii", "\\x00-\\x7F"],
  ["blank", "\\t "],
  ["cntrl", "\\x00-\\x1F\\x7F"],
  ["digit", "0-9"],
  ["graph", "!-~"],
  ["lower", "a-z"],
  ["print", " -~"],
  ["punct", "!-\\/:-@\\[-`\\{-~"],
  ["space", "\\t\\n\\v\\f\\r "],
  ["upper", "A-Z"],
  ["word", "0-9A-Za-z_"],
  ["xdigit", "0-9A-Fa-f"],
]);

/** Go repeats nothing more often than this. */
const MAX_REPEAT = 1000;

/** What is written differently, or needs a look, outside of brackets; the rest stands as it is. */
const TOKEN =
  /\\Q(?<quoted>.*?)(?:\\E|$)|\\(?<escaped>p\{\^?\w+\}|p[A-Z]|P\{\^?\w+\}|P[A-Z]|x\{[0-9a-f]+\}|x[0-9a-f]{2}|.)|\[(?<negated>\^?)(?<set>\]?(?:\[:\^?\w+:\]|\\p\{\^?\w+\}|\\.|[^\]\\])*)\]|(?<group>\(\?)(?<kind>P?<\w+>|[ims]*(?:-[ims]+)?:|[^:)]*\)?)|\{(?<repeat>\d+(?:,\d*)?)\}|(?<other>[.{}\]\\[])/gisu;

/** Throws `SyntaxError` for a text that is no pattern. */
export function goPattern(text: string): RegExp {
  const [, flags = "", rest = text] = /^\(\?([ims]+)\)(.*)$/su.exec(text) ?? [];
  const dot = flags.includes("s") ? "." : "[^\\n]";
  const written = rest.replace(TOKEN, (found, ...given: unknown[]) =>
    rewritten(found, given.at(-1) as Readonly<Record<string, string | undefined>>, dot),
  );
  return new RegExp(written, `u${[...new Set(flags)].join("")}`);
}

function rewritten(found: string, parts: Readonly<Record<string, string | undefined>>, dot: string): string {
  const { quoted, escaped, negated = "", set, group, kind = "", repeat } = parts;
  if (quoted !== undefined) return quoted.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  if (escaped !== undefined) return escape(escaped, false);
  if (set !== undefined) return `[${negated}${brackets(set)}]`;
  if (group !== undefined) return groupOf(kind);
  if (repeat !== undefined) {
    if (repeat.split(",").some((count) => Number(count) > MAX_REPEAT)) throw new SyntaxError("invalid repeat count");
    return found;
  }
  if (found === ".") return dot;
  // To Go, braces that count nothing and a bracket that closes nothing are plain characters.
  if (found === "{" || found === "}" || found === "]") return `\\${found}`;
  throw new SyntaxError(found === "[" ? "missing closing ]" : "trailing backslash at end of expression");
}

function groupOf(kind: string): string {
  if (/^P?<\w+>$/.test(kind)) return `(?${kind.replace("P", "")}`;
  if (/^[ims]*(?:-[ims]+)?:$/.test(kind)) return `(?${kind}`;
  throw new SyntaxError("invalid or unsupported Perl syntax");
}

/** What stands behind a backslash. */
function escape(escaped: string, inBrackets: boolean): string {
  const [letter = "", rest] = [escaped[0], escaped.slice(1)];
  if (letter === "p" || letter === "P") return property(letter, rest.replaceAll(/[{}]/g, ""));
  if (letter === "x") return rest.startsWith("{") ? `\\u${rest}` : `\\x${rest}`;
  if ("dDwWtnrfv".includes(letter)) return `\\${letter}`;
  if (letter === "s") return inBrackets ? "\\t\\n\\f\\r " : "[\\t\\n\\f\\r ]";
  if (letter === "S" && !inBrackets) return "[^\\t\\n\\f\\r ]";
  if (letter === "a") return "\\x07";
  if (!inBrackets && (letter === "b" || letter === "B")) return `\\${letter}`;
  if (!inBrackets && letter === "A") return "(?<![^])";
  if (!inBrackets && letter === "z") return "(?![^])";
  if (/[\w\s]/.test(letter) || letter.charCodeAt(0) > 127)
    throw new SyntaxError(`invalid escape sequence: \\${letter}`);
  return /[\\^$.*+?()[\]{}|/-]/.test(letter) && (inBrackets || letter !== "-") ? `\\${letter}` : letter;
}

/** Go names scripts and categories alike; `^` in front negates. */
function property(letter: string, name: string): string {
  const negated = (letter === "P") !== name.startsWith("^");
  const plain = name.replace("^", "");
  return `\\${negated ? "P" : "p"}{${plain.length > 2 ? "Script=" : ""}${plain}}`;
}

function brackets(set: string): string {
  return set.replaceAll(
    /\[:(\^?)(\w+):\]|\\(p\{\^?\w+\}|p[A-Z]|P\{\^?\w+\}|P[A-Z]|x\{[0-9a-f]+\}|x[0-9a-f]{2}|.)|[[\]]/gisu,
    (found, negated?: string, name?: string, escaped?: string) => {
      if (escaped !== undefined) return escape(escaped, true);
      if (name === undefined) return `\\${found}`;
      const members = CLASSES.get(name);
      if (members === undefined || negated === "^") throw new SyntaxError(`invalid character class range: ${found}`);
      return members;
    },
  );
}

/** Sets of characters in a pattern of Go: what stands in brackets, behind a backslash, or for itself. */

export type Holds = (codePoint: number) => boolean;

/** Negated: all but these. */
export interface SetPart {
  /** Code points, the last ones included; or what JavaScript knows by a name, as it is written in its brackets. */
  readonly members: readonly (readonly [number, number])[] | string;
  readonly negated: boolean;
}

/** Classes that Go knows by name in brackets, `[[:alpha:]]`, as the characters that they hold: from, to, from, to. */
const NAMED: ReadonlyMap<string, string> = new Map([
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

/** `\d` and its like: ASCII only, and `\s` is narrower than JavaScript's. */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ["d", "09"],
  ["s", "\t\n\f\r  "],
  ["w", "09AZ__az"],
]);

/** Undefined for a name that Go does not know. */
export function namedClass(name: string): SetPart | undefined {
  const ranges = NAMED.get(name.replace("^", ""));
  return ranges === undefined ? undefined : { members: membersOf(ranges), negated: name.startsWith("^") };
}

/** Of the letter behind a backslash; undefined where it names no class. */
export function letterClass(letter: string): SetPart | undefined {
  const ranges = LETTERS.get(letter.toLowerCase());
  return ranges === undefined ? undefined : { members: membersOf(ranges), negated: letter < "a" };
}

function membersOf(ranges: string): readonly (readonly [number, number])[] {
  return Array.from(ranges.matchAll(/(.)(.)/gs), ([pair]) => [pair.charCodeAt(0), pair.charCodeAt(1)] as const);
}

export function rangeOf(from: number, to: number): SetPart {
  return { members: [[from, to]], negated: false };
}

const LONG_CATEGORIES: ReadonlyMap<string, string> = new Map(
  [
    "Other Control Format Unassigned Private_Use Surrogate Letter Cased_Letter Lowercase_Letter Modifier_Letter",
    "Other_Letter Titlecase_Letter Uppercase_Letter Mark Combining_Mark Spacing_Mark Enclosing_Mark Nonspacing_Mark",
    "Number Decimal_Number Letter_Number Other_Number Punctuation Connector_Punctuation Dash_Punctuation",
    "Close_Punctuation Final_Punctuation Initial_Punctuation Other_Punctuation Open_Punctuation Symbol",
    "Currency_Symbol Modifier_Symbol Math_Symbol Other_Symbol Separator Line_Separator Paragraph_Separator",
    "Space_Separator cntrl digit punct",
  ]
    .flatMap((names) => names.split(" "))
    .map((name) => [canonicalName(name), name]),
);
/** Scripts whose whole name has four letters; the other names of four letters are short ones, which Go does not know. */
const SHORT_SCRIPTS: ReadonlySet<string> = new Set(["Cham", "Kawi", "Lisu", "Thai", "Toto"]);

/** What `\p{…}` names: a category or a script. Undefined for a name that Go does not know. */
export function propertyClass(written: string): SetPart | undefined {
  const name = canonicalName(written);
  switch (name) {
    case "Any":
      return rangeOf(0, 0x10ffff);
    case "Ascii":
      return rangeOf(0, 0x7f);
    case "Assigned":
      return { members: "\\p{Cn}", negated: true };
    case "Lc":
      return { members: "\\p{LC}", negated: false };
  }
  const property =
    name.length <= 2 && name !== "Yi"
      ? `gc=${name}`
      : LONG_CATEGORIES.has(name)
        ? `gc=${LONG_CATEGORIES.get(name)}`
        : `sc=${name}`;
  const isAlias = name.length === 4 && property.startsWith("sc=") && !SHORT_SCRIPTS.has(name);
  const members = `\\p{${property}}`;
  return !isAlias && isMembers(members) ? { members, negated: false } : undefined;
}

/** Case, spaces, dashes and underscores do not count. */
function canonicalName(name: string): string {
  const letters = name.replaceAll(/[-_ ]/g, "");
  return letters.slice(0, 1).toUpperCase() + letters.slice(1).toLowerCase();
}

function isMembers(text: string): boolean {
  try {
    return new RegExp(`[${text}]`, "u").unicode;
  } catch {
    return false;
  }
}

/** A single character, or where case does not count, all that fold to the same. */
export function literalSet(point: number, ignoresCase: boolean): Holds {
  return ignoresCase ? setOf([rangeOf(point, point)], true) : (codePoint) => codePoint === point;
}

/**
 * Whether a character is in one of the parts; negated: in none. Where case does not count, a part holds whatever folds to one of
 * its members, and is negated after that. Membership is left to a regular expression of a single character, which cannot go astray.
 */
export function setOf(parts: readonly SetPart[], ignoresCase: boolean, negated = false): Holds {
  const expressionOf = (members: string): RegExp => new RegExp(`^[${members}]$`, ignoresCase ? "iu" : "u");
  const known: boolean[] = [];
  let expressions: { readonly some: RegExp; readonly others: readonly RegExp[] } | undefined;
  return (codePoint) => {
    const before = known[codePoint];
    if (before !== undefined) return before;
    expressions ??= {
      some: expressionOf(
        parts
          .filter((part) => !part.negated)
          .map(writtenMembers)
          .join(""),
      ),
      others: parts.filter((part) => part.negated).map((part) => expressionOf(writtenMembers(part))),
    };
    const { some, others } = expressions;
    const character = String.fromCodePoint(codePoint);
    const answer = (some.test(character) || others.some((each) => !each.test(character))) !== negated;
    if (codePoint < 128) known[codePoint] = answer;
    return answer;
  };
}

function writtenMembers({ members }: SetPart): string {
  if (typeof members === "string") return members;
  return members.map(([from, to]) => `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`).join("");
}

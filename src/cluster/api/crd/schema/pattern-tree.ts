/** A regular expression of JavaScript as a tree, as far as the patterns of schemas need: no references back, no looking around. */

export type PatternTree =
  | { readonly kind: "character"; readonly is: (codePoint: number) => boolean }
  /** Holds between two characters; undefined is the beginning or the end of the text. */
  | { readonly kind: "place"; readonly holds: (before: number | undefined, after: number | undefined) => boolean }
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

/** Go nests no deeper, and repeats no repetition more often. */
const MAX_DEPTH = 1000;
const MAX_REPEAT = 1000;

const TOKEN =
  /\(\?<?!\[\^\]\)|\((?:\?(?:<\w+>|[ims]*(?:-[ims]+)?:))?|\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\x..|\\.|\{\d+(?:,\d*)?\}|./gsu;

const NEWLINE = 0x0a;
const atBeginning: Place = (before) => before === undefined;
const atEnd: Place = (_, after) => after === undefined;
const betweenWords: Place = (before, after) => isWord(before) !== isWord(after);
type Place = Extract<PatternTree, { kind: "place" }>["holds"];

/** Of a text that `RegExp` has accepted, with its flags. Throws `SyntaxError` for one that is too much of a good thing. */
export function parsePattern(text: string, flags: string): PatternTree {
  const tokens = text.match(TOKEN) ?? [];
  let next = 0;

  function choice(flags: string, depth: number): PatternTree {
    if (depth > MAX_DEPTH) throw new SyntaxError(`expression nests too deeply: \`${text.slice(0, 100)}\``);
    const options = [sequence(flags, depth)];
    while (tokens[next] === "|") {
      next++;
      options.push(sequence(flags, depth));
    }
    return options.length === 1 && options[0] !== undefined ? options[0] : { kind: "choice", options };
  }

  function sequence(flags: string, depth: number): PatternTree {
    const parts: PatternTree[] = [];
    for (let token = tokens[next]; token !== undefined && token !== "|" && token !== ")"; token = tokens[next]) {
      next++;
      parts.push(repeated(one(token, flags, depth)));
    }
    return { kind: "sequence", parts };
  }

  function one(token: string, flags: string, depth: number): PatternTree {
    if (token.startsWith("(") && !token.endsWith(")")) {
      const group = choice(flagsIn(token, flags), depth + 1);
      next++; // the parenthesis that closes it
      return group;
    }
    const holds = placeOf(token, flags);
    return holds === undefined ? { kind: "character", is: characterOf(token, flags) } : { kind: "place", holds };
  }

  function repeated(part: PatternTree): PatternTree {
    const found = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})$/.exec(tokens[next] ?? "");
    if (found === null) return part;
    next++;
    const isLazy = tokens[next] === "?";
    if (isLazy) next++;
    const [, sign, least = "", comma, most = ""] = found;
    if (sign !== undefined)
      return { kind: "repeat", part, least: sign === "+" ? 1 : 0, most: sign === "?" ? 1 : undefined, isLazy };
    const limit = comma === "" ? Number(least) : most === "" ? undefined : Number(most);
    return { kind: "repeat", part, least: Number(least), most: limit, isLazy };
  }

  const tree = choice(flags, 0);
  if (repetitions(tree) > MAX_REPEAT) throw new SyntaxError(`invalid repeat count: \`${text.slice(0, 100)}\``);
  return tree;
}

/** How often the innermost part is written out, where repetitions are repeated. */
function repetitions(tree: PatternTree): number {
  switch (tree.kind) {
    case "character":
    case "place":
      return 1;
    case "sequence":
      return tree.parts.reduce((most, part) => Math.max(most, repetitions(part)), 1);
    case "choice":
      return tree.options.reduce((most, part) => Math.max(most, repetitions(part)), 1);
    case "repeat":
      return Math.max(1, tree.most ?? 0, tree.least) * repetitions(tree.part);
  }
}

function flagsIn(group: string, flags: string): string {
  const [, on = "", off = ""] = /^\(\?([ims]*)(?:-([ims]+))?:$/.exec(group) ?? [];
  return [...new Set(flags + on)].filter((flag) => !off.includes(flag)).join("");
}

function placeOf(token: string, flags: string): Place | undefined {
  const byLine = flags.includes("m");
  switch (token) {
    case "^":
      return byLine ? (before) => before === undefined || before === NEWLINE : atBeginning;
    case "$":
      return byLine ? (_, after) => after === undefined || after === NEWLINE : atEnd;
    case "\\b":
      return betweenWords;
    case "\\B":
      return (before, after) => !betweenWords(before, after);
    case "(?<![^])":
      return atBeginning;
    case "(?![^])":
      return atEnd;
    default:
      return undefined;
  }
}

/** Anything but a plain character is left to a regular expression of its own, which sees a single character and cannot go astray. */
function characterOf(token: string, flags: string): (codePoint: number) => boolean {
  const plain = token.codePointAt(0);
  const isPlain = plain !== undefined && token.length === String.fromCodePoint(plain).length && token !== ".";
  if (isPlain && !flags.includes("i")) return (codePoint) => codePoint === plain;
  const expression = new RegExp(`^${token}$`, `u${flags.replace("m", "")}`);
  const known: boolean[] = [];
  return (codePoint) => {
    const answer = known[codePoint] ?? expression.test(String.fromCodePoint(codePoint));
    if (codePoint < 128) known[codePoint] = answer;
    return answer;
  };
}

function isWord(codePoint: number | undefined): boolean {
  return codePoint !== undefined && codePoint < 128 && /\w/.test(String.fromCharCode(codePoint));
}

/** The words and signs of an expression. What is none is kept beside the next one. */
import type { Source } from "./source.ts";

/** As ANTLR names them in complaints, and in its order: signs in quotes, kinds in capitals. */
export const TOKEN_KINDS = [
  "<EOF>",
  "'=='",
  "'!='",
  "'in'",
  "'<'",
  "'<='",
  "'>='",
  "'>'",
  "'&&'",
  "'||'",
  "'['",
  "']'",
  "'{'",
  "'}'",
  "'('",
  "')'",
  "'.'",
  "','",
  "'-'",
  "'!'",
  "'?'",
  "':'",
  "'+'",
  "'*'",
  "'/'",
  "'%'",
  "'true'",
  "'false'",
  "'null'",
  "NUM_FLOAT",
  "NUM_INT",
  "NUM_UINT",
  "STRING",
  "BYTES",
  "IDENTIFIER",
  "ESC_IDENTIFIER",
] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** The number of its first character. */
  readonly at: number;
  /** White space and comments before it. */
  readonly space: string;
  /** What before it is no token. */
  readonly unknown: readonly Unknown[];
}

export interface Unknown {
  readonly text: string;
  readonly at: number;
}

const ESCAPE = String.raw`\\(?:[abfnrtv"'\\?${"`"}]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})`;
const QUOTED = [
  String.raw`"""(?:${ESCAPE}|[^\\])*?"""`,
  String.raw`'''(?:${ESCAPE}|[^\\])*?'''`,
  String.raw`"(?:${ESCAPE}|[^\\"\n\r])*"`,
  String.raw`'(?:${ESCAPE}|[^\\'\n\r])*'`,
  String.raw`[rR]"""[^]*?"""`,
  String.raw`[rR]'''[^]*?'''`,
  String.raw`[rR]"[^"\n\r]*"`,
  String.raw`[rR]'[^'\n\r]*'`,
].join("|");

/** What a token is, how it is written, and the characters that it can begin with: no other rule is asked. */
type Rule = readonly [kind: TokenKind | "hidden", written: RegExp, start: RegExp];

/** The longest wins; of equally long ones the first. */
const RULES: readonly Rule[] = [
  ["hidden", /[\t \r\n\f]+|\/\/[^\n]*/uy, /[\t \r\n\f/]/],
  ["NUM_FLOAT", /[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?/uy, /[0-9.]/],
  ["NUM_UINT", /(?:0x[0-9a-fA-F]+|[0-9]+)[uU]/uy, /[0-9]/],
  ["NUM_INT", /0x[0-9a-fA-F]+|[0-9]+/uy, /[0-9]/],
  ["STRING", new RegExp(QUOTED, "uy"), /["'rR]/],
  ["BYTES", new RegExp(`[bB](?:${QUOTED})`, "uy"), /[bB]/],
  ["IDENTIFIER", /[A-Za-z_][A-Za-z0-9_]*/uy, /[A-Za-z_]/],
  ["ESC_IDENTIFIER", /`[A-Za-z0-9_./ -]+`/uy, /`/],
];

/** By the code of the first character; nothing begins with one that is not ASCII. */
const BY_START: readonly (readonly Rule[])[] = Array.from({ length: 128 }, (_, code) =>
  RULES.filter(([, , start]) => start.test(String.fromCharCode(code))),
);

const SIGNS = ["==", "!=", "<=", ">=", "&&", "||", ..."< > [ ] { } ( ) . , - ! ? : + * / %".split(" ")];
const WORDS: ReadonlySet<string> = new Set(["in", "true", "false", "null"]);
/** Where a text in quotes goes wrong, all of it up to there is no token. */
const BROKEN_QUOTE = new RegExp(
  String.raw`[bB]?(?:"(?:${ESCAPE}|[^\\"\n\r])*|'(?:${ESCAPE}|[^\\'\n\r])*|[rR]"[^"\n\r]*|[rR]'[^'\n\r]*)`,
  "uy",
);
const BROKEN_NAME = /`[A-Za-z0-9_./ -]*[^]?/uy;

export function tokensOf(source: Source): readonly Token[] {
  const text = source.characters.join("");
  const tokens: Token[] = [];
  let space = "";
  let unknown: Unknown[] = [];
  // Places count characters, matching counts UTF-16 units.
  let offset = 0;
  let at = 0;
  const add = (kind: TokenKind, piece: string): void => {
    tokens.push({ kind, text: piece, at, space, unknown });
    space = "";
    unknown = [];
  };
  while (offset < text.length) {
    const found = longestAt(text, offset);
    const length = found?.text.length ?? brokenLength(text, offset);
    const piece = text.slice(offset, offset + length);
    if (found === undefined) unknown.push({ text: piece, at });
    else if (found.kind === "hidden") space += piece;
    else add(found.kind, piece);
    offset += length;
    at += lengthOf(piece);
  }
  add("<EOF>", "<EOF>");
  return tokens;
}

/** In characters. */
function lengthOf(text: string): number {
  return ASCII.test(text) ? text.length : Array.from(text).length;
}

const ASCII = /^[\0-\x7f]*$/;

function longestAt(text: string, offset: number): { kind: TokenKind | "hidden"; text: string } | undefined {
  let best: { kind: TokenKind | "hidden"; text: string } | undefined;
  for (const [kind, rule] of BY_START[text.charCodeAt(offset)] ?? []) {
    rule.lastIndex = offset;
    const [found] = rule.exec(text) ?? [];
    if (found !== undefined && found.length > (best?.text.length ?? 0)) best = { kind, text: found };
  }
  if (best?.kind === "IDENTIFIER" && WORDS.has(best.text))
    return { kind: `'${best.text}'` as TokenKind, text: best.text };
  if (best !== undefined) return best;
  const sign = SIGNS.find((each) => text.startsWith(each, offset));
  return sign === undefined ? undefined : { kind: `'${sign}'` as TokenKind, text: sign };
}

/** How much is skipped where no token begins. */
function brokenLength(text: string, offset: number): number {
  BROKEN_NAME.lastIndex = offset;
  const [name] = BROKEN_NAME.exec(text) ?? [];
  if (name !== undefined) return name.length;
  BROKEN_QUOTE.lastIndex = offset;
  const [quote] = BROKEN_QUOTE.exec(text) ?? [];
  if (quote !== undefined && quote !== "") {
    // The character that broke it belongs to it: an escape that is none, or the end of the line.
    const rest = text.slice(offset + quote.length);
    const [broken = ""] =
      /^\\(?:[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7}|[0-3][0-7]?)?[^]?|^[^]?/u.exec(rest) ?? [];
    return quote.length + broken.length;
  }
  const [character = ""] = text.slice(offset, offset + 2);
  // A sign that could have been longer takes what disappointed it along.
  return "|&=".includes(character)
    ? Math.min(2, text.length - offset)
    : String.fromCodePoint(text.codePointAt(offset) ?? 0).length;
}

/** The tokens one after the other, and what is said where the one that is there is not the one that was expected, in ANTLR's words. */
import type { Complaint, Source } from "./source.ts";
import type { Token, TokenKind } from "./tokens.ts";

/** Thrown where parsing cannot go on; the complaint is made already. */
export class Stopped extends Error {}

/** The order in which expected tokens are listed. */
const ORDER: readonly TokenKind[] = [
  ..."== != in < <= >= > && || [ ] { } ( ) . , - ! ? : + * / % true false null"
    .split(" ")
    .map((sign) => `'${sign}'` as TokenKind),
  "NUM_FLOAT",
  "NUM_INT",
  "NUM_UINT",
  "STRING",
  "BYTES",
  "IDENTIFIER",
  "ESC_IDENTIFIER",
  "<EOF>",
];

const BINARY: readonly TokenKind[] = ORDER.slice(0, 9).concat("'+'", "'-'", "'*'", "'/'", "'%'", "'?'");
/** What may stand behind a whole expression, wherever it is. */
const AFTER_EXPRESSION: ReadonlySet<TokenKind> = new Set([
  ...BINARY,
  "'.'",
  "'['",
  "']'",
  "'}'",
  "')'",
  "':'",
  "<EOF>",
]);

export const EXPRESSION_START: readonly TokenKind[] = [
  ...["[", "{", "(", ".", "-", "!", "true", "false", "null"].map((sign) => `'${sign}'` as TokenKind),
  "NUM_FLOAT",
  "NUM_INT",
  "NUM_UINT",
  "STRING",
  "BYTES",
  "IDENTIFIER",
];

export class TokenStream {
  readonly #tokens: readonly Token[];
  readonly #source: Source;
  readonly #complaints: Complaint[];
  #next = 0;

  constructor(tokens: readonly Token[], source: Source, complaints: Complaint[]) {
    this.#tokens = tokens;
    this.#source = source;
    this.#complaints = complaints;
  }

  get token(): Token {
    return this.ahead(0);
  }

  ahead(count: number): Token {
    return (this.#tokens[this.#next + count] ?? this.#tokens.at(-1)) as Token;
  }

  take(): Token {
    const { token } = this;
    if (this.#next < this.#tokens.length - 1) this.#next++;
    return token;
  }

  is(kind: TokenKind): boolean {
    return this.token.kind === kind;
  }

  takeIf(kind: TokenKind): Token | undefined {
    return this.is(kind) ? this.take() : undefined;
  }

  /** The token of this kind; where it is not there but could be guessed, the guess is complained about and made. */
  expect(kind: TokenKind): Token {
    if (this.is(kind)) return this.take();
    if (this.ahead(1).kind === kind) {
      this.#complain(`extraneous input ${this.#quoted()} expecting ${kind}`);
      this.take();
      return this.take();
    }
    const closes = kind === "')'" || kind === "']'" || kind === "'}'";
    if (closes && AFTER_EXPRESSION.has(this.token.kind)) {
      this.#complain(`missing ${kind} at ${this.#quoted()}`);
      return { ...this.token, kind };
    }
    return this.stop(`mismatched input ${this.#quoted()} expecting ${kind}`);
  }

  /** Sees to it that one of these is next: what is in the way is left out where one of them follows. */
  expectOneOf(kinds: readonly TokenKind[]): void {
    if (kinds.includes(this.token.kind)) return;
    const expected = `{${ORDER.filter((kind) => kinds.includes(kind)).join(", ")}}`;
    if (!kinds.includes(this.ahead(1).kind)) this.stop(`mismatched input ${this.#quoted()} expecting ${expected}`);
    this.#complain(`extraneous input ${this.#quoted()} expecting ${expected}`);
    this.take();
  }

  /** There is nothing that could begin with what was read since that token. */
  noWayOn(since: Token): never {
    const { token } = this;
    const to = token.kind === "<EOF>" ? token.at : token.at + Array.from(token.text).length;
    const text = this.#source.characters.slice(since.at, to).join("");
    const reserved = /^\.(true|false|null)$/.exec(text);
    this.stop(
      reserved === null
        ? `no viable alternative at input '${text.replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t")}'`
        : `mismatched input '${reserved[1]}' expecting IDENTIFIER`,
    );
  }

  stop(message: string): never {
    this.#complain(message);
    throw new Stopped(message);
  }

  #quoted(): string {
    return `'${this.token.text.replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t")}'`;
  }

  #complain(message: string): void {
    this.#complaints.push({ place: this.#source.placeOf(this.token.at), message: `Syntax error: ${message}` });
  }
}

/** YAML text into the nodes of its first document, within bounds: no text of a few bytes may cost more than it weighs. */
import { Composer, type Document, Lexer, LineCounter, type ParsedNode, Parser, type YAMLParseError } from "yaml";
import { MAX_DEPTH } from "./json-scanner.ts";
import { YamlError } from "./yaml-error.ts";

export interface YamlDocument {
  /** Null for a document in which nothing is. */
  readonly contents: ParsedNode | null;
  /** The line in which something begins, from 1. */
  lineOf(offset: number): number;
}

/** Pieces of text in one document; each costs some hundred bytes while it is read. */
const MAX_TOKENS = 250_000;

/** What the parser calls a problem, and what go-yaml does. */
const WORDS: Readonly<Record<string, string>> = {
  BLOCK_AS_IMPLICIT_KEY: "mapping values are not allowed in this context",
  BAD_SCALAR_START: "found character that cannot start any token",
  BAD_DQ_ESCAPE: "found unknown escape character",
  TAB_AS_INDENT: "found character that cannot start any token",
  RESOURCE_EXHAUSTION: `exceeded max depth of ${MAX_DEPTH}`,
  UNEXPECTED_TOKEN: "did not find expected node content",
};

/** Throws `YamlError`. Further documents are not looked at, as upstream does not. */
export function parseYaml(bytes: Uint8Array): YamlDocument {
  const text = decodeUtf8(bytes);
  const lines = new LineCounter();
  lines.addNewLine(0);
  const document = firstDocument(text, lines);
  const lineOf = (offset: number) => lines.linePos(offset).line;
  const [error] = document?.errors ?? [];
  if (error !== undefined) throw new YamlError(messageOf(error, lineOf, text));
  if (document?.directives.yaml.version === "1.2") throw new YamlError("found incompatible YAML document");
  return { contents: document?.contents ?? null, lineOf };
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (/(?![\t\n\r\u0085])\p{Cc}/u.test(text)) throw new YamlError("control characters are not allowed");
    return text;
  } catch (error) {
    throw error instanceof TypeError ? new YamlError("invalid leading UTF-8 octet") : error;
  }
}

function firstDocument(text: string, lines: LineCounter): Document.Parsed | undefined {
  const composer = new Composer({ schema: "failsafe", version: "1.1", uniqueKeys: false, merge: false });
  try {
    for (const document of composer.compose(tokens(text, lines), true, text.length)) return document;
    return undefined;
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep();
    throw error;
  }
}

function* tokens(text: string, lines: LineCounter) {
  const parser = new Parser(lines.addNewLine);
  const bounds = new Bounds();
  for (const lexeme of new Lexer().lex(text)) {
    bounds.pass(lexeme);
    yield* parser.next(lexeme);
  }
  yield* parser.end();
}

/** Counts as the text is cut to pieces, before anything is made of them. */
class Bounds {
  #tokens = 0;
  #flow = 0;
  #compact = 0;

  pass(lexeme: string): void {
    if (++this.#tokens > MAX_TOKENS) throw new YamlError(`document has more than ${MAX_TOKENS} tokens`);
    if (lexeme === "[" || lexeme === "{") this.#flow++;
    else if (lexeme === "]" || lexeme === "}") this.#flow--;
    // Lists of lists in one line: `- - - x`.
    else if (lexeme === "-" || lexeme === "?" || lexeme === ":") this.#compact++;
    else if (lexeme !== " ") this.#compact = 0;
    if (this.#flow > MAX_DEPTH || this.#compact > MAX_DEPTH) throw tooDeep();
  }
}

function tooDeep(): YamlError {
  return new YamlError(`exceeded max depth of ${MAX_DEPTH}`);
}

/** With its line, except for the first: go-yaml numbers that as none. */
function messageOf(error: YAMLParseError, lineOf: (offset: number) => number, text: string): string {
  const line = lineOf(error.pos[0]);
  const words = WORDS[error.code] ?? wordsOf(error, text);
  return line <= 1 ? words : `line ${line}: ${words}`;
}

function wordsOf({ code, message, pos }: YAMLParseError, text: string): string {
  const closing = /end with a ([\]}])/.exec(message)?.[1];
  if (closing !== undefined) return `did not find expected ',' or '${closing}'`;
  if (code === "MISSING_CHAR" && pos[0] >= text.trimEnd().length) return "found unexpected end of stream";
  return message.split("\n")[0]?.replace(/ at line \d+, column \d+:?$/, "") ?? message;
}

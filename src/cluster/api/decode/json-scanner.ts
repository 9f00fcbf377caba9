/**
 * JSON text, token by token, refused in the words of Go's scanner where it is not JSON. Values are left to whoever reads:
 * `JSON.parse` would lose duplicate keys and the digits of numbers.
 */
import { goQuoteByte } from "./go-quote.ts";

/** The text is not JSON. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
}

/** How deep lists and objects may nest. Go goes to 10000, which no object of the API comes near. */
export const MAX_DEPTH = 1000;

/**
 * How many values there may be. Go has no such limit; here one thread serves everybody, and three megabytes of `{},` would keep it for seconds. No
 * object of the API comes near this one either: a definition of half a megabyte has some fifty thousand.
 */
export const MAX_VALUES = 250_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;

const HEX = /^[0-9a-fA-F]$/;

/** What a value is, by its first character. */
export type ValueKind = "object" | "array" | "string" | "number" | "bool" | "null";

export class JsonScanner {
  readonly text: string;
  #at = 0;
  #depth = 0;
  #values = 1;

  constructor(text: string) {
    this.text = text;
  }

  /** Where the next character is; in front of a value right after `next`. */
  get at(): number {
    return this.#at;
  }

  /** What comes next, without taking it. Throws where no value begins. */
  next(): ValueKind {
    switch (this.#peek()) {
      case OPEN_OBJECT:
        return "object";
      case OPEN_LIST:
        return "array";
      case QUOTE:
        return "string";
      case 0x74:
      case 0x66:
        return "bool";
      case 0x6e:
        return "null";
      default: {
        const code = this.text.charCodeAt(this.#at);
        if (code === MINUS || isDigit(code)) return "number";
        throw this.#unexpected("looking for beginning of value");
      }
    }
  }

  /** Takes the opening brace; false when the closing one follows at once, which it takes too. */
  openObject(): boolean {
    this.#enter();
    const code = this.#peek();
    if (code === QUOTE) return true;
    if (code !== CLOSE_OBJECT) throw this.#unexpected("looking for beginning of object key string");
    this.#leave();
    return false;
  }

  /** Takes a key and its colon. */
  key(): string {
    if (this.#peek() !== QUOTE) throw this.#unexpected("looking for beginning of object key string");
    const key = this.string();
    if (this.#peek() !== COLON) throw this.#unexpected("after object key");
    this.#at++;
    return key;
  }

  /** Takes what follows a value in an object: whether there is another one. */
  moreOfObject(): boolean {
    const code = this.#peek();
    if (code === COMMA) return this.#another();
    if (code !== CLOSE_OBJECT) throw this.#unexpected("after object key:value pair");
    this.#leave();
    return false;
  }

  /** Takes the opening bracket; false when the closing one follows at once, which it takes too. */
  openList(): boolean {
    this.#enter();
    if (this.#peek() !== CLOSE_LIST) return true;
    this.#leave();
    return false;
  }

  /** Takes what follows a value in a list: whether there is another one. */
  moreOfList(): boolean {
    const code = this.#peek();
    if (code === COMMA) return this.#another();
    if (code !== CLOSE_LIST) throw this.#unexpected("after array element");
    this.#leave();
    return false;
  }

  /** Takes a string, its opening quote being next. Half a surrogate pair becomes the replacement character, as in Go. */
  string(): string {
    const { text } = this;
    const start = this.#at;
    for (let at = start + 1; ; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.#at = at + 1;
        return text.slice(start + 1, at);
      }
      if (code === BACKSLASH) return this.#escapedString(start, at);
      this.#inString(code, at);
    }
  }

  /** Takes a number, as it is written. */
  number(): string {
    const start = this.#at;
    if (this.#code() === MINUS) this.#at++;
    if (this.#code() === ZERO) this.#at++;
    else this.#digits("in numeric literal");
    if (this.#code() === DOT) {
      this.#at++;
      this.#digits("after decimal point in numeric literal");
    }
    if (this.#code() === 0x65 || this.#code() === 0x45) {
      this.#at++;
      if (this.#code() === PLUS || this.#code() === MINUS) this.#at++;
      this.#digits("in exponent of numeric literal");
    }
    return this.text.slice(start, this.#at);
  }

  bool(): boolean {
    const value = this.#code() === 0x74;
    this.#literal(value ? "true" : "false");
    return value;
  }

  null(): null {
    this.#literal("null");
    return null;
  }

  /** Takes a whole value, whatever it is. */
  skip(): void {
    switch (this.next()) {
      case "object":
        for (let more = this.openObject(); more; more = this.moreOfObject()) {
          this.key();
          this.skip();
        }
        break;
      case "array":
        for (let more = this.openList(); more; more = this.moreOfList()) this.skip();
        break;
      case "string":
        this.string();
        break;
      case "number":
        this.number();
        break;
      case "bool":
        this.bool();
        break;
      case "null":
        this.null();
    }
  }

  /** Nothing but space may follow the value. */
  end(): void {
    if (!Number.isNaN(this.#peek(true))) throw this.#unexpected("after top-level value");
  }

  /** Takes the comma in front of another value. */
  #another(): true {
    if (++this.#values > MAX_VALUES) throw new JsonSyntaxError(`exceeded max number of ${MAX_VALUES} values`);
    this.#at++;
    return true;
  }

  #enter(): void {
    if (++this.#depth > MAX_DEPTH) throw this.#unexpected("exceeded max depth");
    this.#at++;
  }

  #leave(): void {
    this.#depth--;
    this.#at++;
  }

  /** The next character that is no space; NaN at the end, where there may be one. */
  #peek(mayEnd = false): number {
    const { text } = this;
    let at = this.#at;
    let code = text.charCodeAt(at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = text.charCodeAt(++at);
    this.#at = at;
    if (Number.isNaN(code) && !mayEnd) throw endOfInput();
    return code;
  }

  #code(): number {
    return this.text.charCodeAt(this.#at);
  }

  #digits(where: string): void {
    if (!isDigit(this.#code())) throw this.#broken(where);
    while (isDigit(this.#code())) this.#at++;
  }

  #literal(word: string): void {
    for (let index = 0; index < word.length; index++, this.#at++) {
      if (this.#code() === word.charCodeAt(index)) continue;
      throw this.#broken(`in literal ${word} (expecting ${goQuoteByte(word.charCodeAt(index))})`);
    }
  }

  #inString(code: number, at: number): void {
    if (code >= 0x20) return;
    this.#at = at;
    throw this.#unexpected("in string literal");
  }

  #escapedString(start: number, firstEscape: number): string {
    const { text } = this;
    let at = firstEscape;
    for (let code = BACKSLASH; code !== QUOTE; code = text.charCodeAt(at)) {
      this.#inString(code, at);
      at = code === BACKSLASH ? this.#escape(at + 1) : at + 1;
      if (at >= text.length) throw endOfInput();
    }
    this.#at = at + 1;
    return (JSON.parse(text.slice(start, this.#at)) as string).toWellFormed();
  }

  /** Checks what follows a backslash, and gives where that ends. */
  #escape(at: number): number {
    this.#at = at;
    const escape = this.text[at];
    if (escape === undefined || !'"\\/bfnrtu'.includes(escape)) throw this.#broken("in string escape code");
    if (escape !== "u") return at + 1;
    for (let digit = 0; digit < 4; digit++) {
      this.#at++;
      if (!HEX.test(this.text[this.#at] ?? "")) throw this.#broken("in \\u hexadecimal character escape");
    }
    return at + 5;
  }

  /** Inside of a word or a number: there, Go takes the end for a space. */
  #broken(where: string): JsonSyntaxError {
    if (this.#at < this.text.length) return this.#unexpected(where);
    return new JsonSyntaxError(`invalid character ' ' ${where}`);
  }

  /** Go looks at bytes: of a character that is more than one, it names the first. */
  #unexpected(where: string): JsonSyntaxError {
    const character = this.text.codePointAt(this.#at);
    if (character === undefined) return endOfInput();
    const byte = Buffer.from(String.fromCodePoint(character))[0] ?? 0;
    return new JsonSyntaxError(`invalid character ${goQuoteByte(byte)} ${where}`);
  }
}

function endOfInput(): JsonSyntaxError {
  return new JsonSyntaxError("unexpected end of JSON input");
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** A pattern of Go while it is read, and the single characters in it. */

export interface PatternText {
  readonly text: string;
  /** What is read next. */
  at: number;
}

/** What is wrong with a pattern, in Go's words, and the part of it that is. */
export function wrong(why: string, part: string): SyntaxError {
  return new SyntaxError(`${why}: \`${part}\``);
}

/** The next character, as a code point; undefined at the end. */
export function take(source: PatternText): number | undefined {
  const point = source.text.codePointAt(source.at);
  if (point !== undefined) source.at += point > 0xffff ? 2 : 1;
  return point;
}

/** Goes on behind this text where it comes next. */
export function skip(source: PatternText, expected: string): boolean {
  if (!source.text.startsWith(expected, source.at)) return false;
  source.at += expected.length;
  return true;
}

/** What this expression, which is sticky, finds next. */
export function match(source: PatternText, expression: RegExp): RegExpExecArray | undefined {
  expression.lastIndex = source.at;
  const found = expression.exec(source.text);
  if (found === null) return undefined;
  source.at += found[0].length;
  return found;
}

const CONTROL: ReadonlyMap<string, number> = new Map([
  ["a", 0x07],
  ["f", 0x0c],
  ["n", 0x0a],
  ["r", 0x0d],
  ["t", 0x09],
  ["v", 0x0b],
]);
/** A single digit that is not zero would refer to what a group has found, which Go does not have. */
const OCTAL = /0[0-7]{0,2}|[1-7][0-7]{1,2}/y;
const HEXADECIMAL = /x(?:([0-9a-fA-F]{2})|\{([0-9a-fA-F]+)\})/y;

/** The character that an escape stands for; the backslash comes next. Throws `SyntaxError`. */
export function takeEscaped(source: PatternText): number {
  const begin = source.at;
  source.at++;
  const octal = match(source, OCTAL);
  if (octal !== undefined) return Number.parseInt(octal[0], 8);
  const hexadecimal = match(source, HEXADECIMAL);
  if (hexadecimal !== undefined) {
    const point = Number.parseInt(hexadecimal[1] ?? hexadecimal[2] ?? "", 16);
    if (point <= 0x10ffff) return point;
    source.at = begin + 1;
  }
  const point = take(source);
  if (point === undefined) throw wrong("trailing backslash at end of expression", "");
  const character = String.fromCodePoint(point);
  const control = CONTROL.get(character);
  if (control !== undefined) return control;
  if (point < 128 && !/[0-9A-Za-z]/.test(character)) return point;
  // Go has read on, up to the digit that it could not make sense of, or that makes the number too large.
  if (character === "x") match(source, /\{0*(?:10[0-9a-f]{5}|(?!10)[0-9a-f]{6})|\{[0-9a-f]*[^]?|[^]{0,2}/iuy);
  throw wrong("invalid escape sequence", source.text.slice(begin, source.at));
}

/** Text as Go's `strconv.Quote` shows it in messages. */

/** Characters that have an escape with a letter of its own. */
export const GO_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
};

/** What Go does not print as it is: quotes, backslashes, and everything that leaves no mark of its own. */
const ESCAPED = /["\\]|(?! )[\p{C}\p{Z}]/gu;

/** Nothing but what can be seen: JSON escapes the same in it, at a hundredth of the cost. Refusals show bodies of megabytes. */
const PLAIN = /^[ -~]*$/;

/** In double quotes. */
export function goQuote(text: string): string {
  return PLAIN.test(text) ? JSON.stringify(text) : `"${text.replace(ESCAPED, escaped)}"`;
}

/** One byte in single quotes, as Go's JSON scanner names a character that it did not expect. */
export function goQuoteByte(byte: number): string {
  if (byte === 0x27) return "'\\''";
  if (byte === 0x22) return "'\"'";
  return `'${goQuote(String.fromCharCode(byte)).slice(1, -1)}'`;
}

function escaped(character: string): string {
  const named = GO_ESCAPES[character];
  if (named !== undefined) return named;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${hex(code, 2)}`;
  return code < 0x1_0000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}

/**
 * Fields to header blocks, without a table: what the static table has by its index, and all else as plain text that nobody is asked
 * to remember. So a block is the same whenever it is made, on every connection, and may be kept and sent again.
 */
import type { Field } from "./field.ts";
import { HpackError } from "./hpack-error.ts";
import { STATIC_FIELDS } from "./static-table.ts";

/** How a field begins: RFC 7541, section 6. */
const INDEXED = 0x80;
const LITERAL = 0x00;
const LITERAL_NEVER_INDEXED = 0x10;

/** What is nobody's business: whoever passes it on must not put it into a table either (RFC 7541, section 7.1.3). */
const SECRETS = new Set(["authorization", "cookie", "proxy-authorization", "set-cookie"]);

/** Three integers, none longer than five octets and a prefix. */
const MAX_FRAMING = 18;

interface Known {
  /** The first field of that name. */
  readonly index: number;
  readonly byValue: Map<string, number>;
}

const KNOWN = new Map<string, Known>();
for (const [position, [name, value]] of STATIC_FIELDS.entries()) {
  const known = KNOWN.get(name) ?? { index: position + 1, byValue: new Map<string, number>() };
  known.byValue.set(value, position + 1);
  KNOWN.set(name, known);
}

/**
 * A header block. Names are taken as they are: in lower case, with the pseudo-header fields first, is the caller's part. Throws
 * `HpackError` for a character that is no octet.
 */
export function encodeFields(fields: Iterable<Field>): Buffer {
  const list = Array.isArray(fields) ? (fields as readonly Field[]) : [...fields];
  let most = 0;
  for (const [name, value] of list) most += name.length + value.length + MAX_FRAMING;
  const block = Buffer.allocUnsafe(most);
  let end = 0;
  for (const field of list) end = writeField(block, end, field);
  return block.subarray(0, end);
}

function writeField(block: Buffer, start: number, [name, value]: Field): number {
  const known = KNOWN.get(name);
  const whole = known?.byValue.get(value);
  if (whole !== undefined) return writeInteger(block, start, INDEXED, 0x7f, whole);
  const kind = SECRETS.has(name) ? LITERAL_NEVER_INDEXED : LITERAL;
  let end = writeInteger(block, start, kind, 0x0f, known?.index ?? 0);
  if (known === undefined) end = writeText(block, end, name);
  return writeText(block, end, value);
}

/** Its first bits below the kind of what it is, in the place that `mask` has for them. */
function writeInteger(block: Buffer, start: number, kind: number, mask: number, value: number): number {
  let end = start;
  if (value < mask) {
    block[end++] = kind | value;
    return end;
  }
  block[end++] = kind | mask;
  let rest = value - mask;
  for (; rest >= 0x80; rest >>>= 7) block[end++] = (rest & 0x7f) | 0x80;
  block[end++] = rest;
  return end;
}

function writeText(block: Buffer, start: number, text: string): number {
  let end = writeInteger(block, start, 0, 0x7f, text.length);
  // Most are short: a loop is quicker than a call out of JavaScript. And what is no octet must not become another one.
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 0xff)
      throw new HpackError(`a header field has U+${code.toString(16).padStart(4, "0")} in it, which is no octet`);
    block[end++] = code;
  }
  return end;
}

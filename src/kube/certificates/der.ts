/** As much of DER (ITU-T X.690) as a certificate is made of: a tag, a length, and content. */
import { Buffer } from "node:buffer";

const TAGS = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  printable: 0x13,
  utcTime: 0x17,
  time: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** One element. `tag` as it stands in the first byte. */
export function element(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(body.length)]), body]);
}

/** `[number]`: a field that is known by its place. `constructed` where it has elements inside. */
export function tagged(number: number, constructed: boolean, ...content: readonly Uint8Array[]): Buffer {
  return element(0x80 | (constructed ? 0x20 : 0) | number, ...content);
}

export function sequence(...elements: readonly Uint8Array[]): Buffer {
  return element(TAGS.sequence, ...elements);
}

export function set(...elements: readonly Uint8Array[]): Buffer {
  return element(TAGS.set, ...elements);
}

export function yes(): Buffer {
  return element(TAGS.boolean, Buffer.from([0xff]));
}

/** A whole number that is not negative, its bytes in order. */
export function integer(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first < 0 ? Buffer.from([0]) : bytes.subarray(first);
  // A first bit that is set would make it negative.
  return element(TAGS.integer, (digits[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.from([0]), digits]) : digits);
}

/** Bits; `unused` at the end do not count. */
export function bits(bytes: Uint8Array, unused = 0): Buffer {
  return element(TAGS.bits, Buffer.from([unused]), bytes);
}

export function octets(bytes: Uint8Array): Buffer {
  return element(TAGS.octets, bytes);
}

/** Text, in the plainest type that can hold it: names are compared byte by byte, with the type. */
export function text(value: string): Buffer {
  return element(/^[A-Za-z0-9 '()+,\-./:=?]*$/.test(value) ? TAGS.printable : TAGS.utf8, Buffer.from(value));
}

/** An object identifier, in its dotted form: `2.5.29.17`. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return element(TAGS.oid, Buffer.from([first * 40 + second, ...rest].flatMap(base128)));
}

/** A moment, to the second. Certificates write years until 2049 with two digits (RFC 5280, 4.1.2.5). */
export function moment(date: Date): Buffer {
  const digits = `${date.toISOString().slice(0, 19).replaceAll(/[-:T]/g, "")}Z`;
  return date.getUTCFullYear() < 2050
    ? element(TAGS.utcTime, Buffer.from(digits.slice(2)))
    : element(TAGS.time, Buffer.from(digits));
}

/** The elements that stand one after the other in these bytes, each whole. Throws a `RangeError` where they are cut off. */
export function elementsIn(bytes: Uint8Array): readonly Uint8Array[] {
  const found: Uint8Array[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const { start, end } = extent(rest);
    if (start > rest.length || end > rest.length) throw new RangeError("a DER element is cut off");
    found.push(rest.subarray(0, end));
    rest = rest.subarray(end);
  }
  return found;
}

/** What stands inside one element. */
export function contentOf(whole: Uint8Array): Uint8Array {
  const { start, end } = extent(whole);
  return whole.subarray(start, end);
}

function extent(bytes: Uint8Array): { readonly start: number; readonly end: number } {
  const length = bytes[1] ?? 0;
  if (length < 0x80) return { start: 2, end: 2 + length };
  const start = 2 + (length & 0x7f);
  return { start, end: start + bytes.subarray(2, start).reduce((sum, byte) => sum * 256 + byte, 0) };
}

function lengthOf(length: number): readonly number[] {
  if (length < 0x80) return [length];
  const digits: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256);
  return [0x80 | digits.length, ...digits];
}

/** Seven bits a byte; all but the last say that more come. */
function base128(value: number): readonly number[] {
  const digits = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) digits.unshift(0x80 | (rest % 128));
  return digits;
}

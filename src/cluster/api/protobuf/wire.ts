/**
 * The protobuf wire format: a stretch of bytes as a sequence of fields. It trusts no length and no number that it reads:
 * what does not fit is a `WireError`, and nothing is copied or allocated before it was seen to be there.
 */

/** The bytes are no message, or not the one that was expected. */
export class WireError extends Error {
  override readonly name = "WireError";
}

export const VARINT = 0;
export const FIXED64 = 1;
export const LENGTH_DELIMITED = 2;
const FIXED32 = 5;

const TWO_TO_32 = 2 ** 32;
const UTF8 = new TextDecoder();

/** A number as it was sent, in two unsigned halves: up to 64 bits, which a JavaScript number cannot hold. */
export interface Varint {
  readonly low: number;
  readonly high: number;
}

/** One field of a message. Which of the values it has goes by the wire type; other wire types than these are skipped. */
export type WireField =
  | { readonly number: number; readonly wireType: typeof VARINT; readonly value: Varint }
  | {
      readonly number: number;
      readonly wireType: typeof FIXED64 | typeof LENGTH_DELIMITED;
      readonly value: Uint8Array;
    };

/** Every field of a message, in the order sent. Throws `WireError` where the bytes make no sense. */
export function* readFields(bytes: Uint8Array): Generator<WireField> {
  const reader = new Reader(bytes);
  while (!reader.atEnd()) {
    const tag = reader.unsigned();
    const [number, wireType] = [Math.floor(tag / 8), tag % 8];
    if (number === 0 || number >= 2 ** 29) throw new WireError(`illegal tag ${number} (wire type ${wireType})`);
    switch (wireType) {
      case VARINT:
        yield { number, wireType, value: reader.varint() };
        break;
      case FIXED64:
        yield { number, wireType, value: reader.take(8) };
        break;
      case LENGTH_DELIMITED:
        yield { number, wireType, value: reader.take(reader.unsigned()) };
        break;
      case FIXED32:
        reader.take(4);
        break;
      default:
        throw new WireError(`illegal wireType ${wireType}`);
    }
  }
}

/** The numbers of a packed list, one by one: each is a byte on the wire, and much more in memory. */
export function* readPacked(bytes: Uint8Array): Generator<Varint> {
  const reader = new Reader(bytes);
  while (!reader.atEnd()) yield reader.varint();
}

/** As `int32`: the low half, signed. */
export function toInt32({ low }: Varint): number {
  return low | 0;
}

/** As `int64`; beyond 2^53 as near as a JSON number comes. */
export function toInt64({ low, high }: Varint): number {
  return (high | 0) * TWO_TO_32 + low;
}

export function toBool({ low, high }: Varint): boolean {
  return low !== 0 || high !== 0;
}

/** What is no UTF-8 becomes the replacement character, as in Go's JSON. */
export function toText(bytes: Uint8Array): string {
  return UTF8.decode(bytes);
}

class Reader {
  #at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  atEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  varint(): Varint {
    let [low, high] = [0, 0];
    for (let shift = 0; shift < 64; shift += 7) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new WireError("unexpected EOF");
      const bits = byte & 0x7f;
      if (shift < 32) low |= bits << shift;
      if (shift === 28) high |= bits >>> 4;
      else if (shift > 28) high |= bits << (shift - 32);
      if (byte < 0x80) return { low: low >>> 0, high: high >>> 0 };
    }
    throw new WireError("integer overflow");
  }

  /** A tag or a length: nothing that fits in memory is longer than 32 bits say. */
  unsigned(): number {
    const { low, high } = this.varint();
    if (high !== 0) throw new WireError("invalid length");
    return low;
  }

  /** A view of the next bytes; they are not copied. */
  take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new WireError("unexpected EOF");
    const view = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return view;
  }
}

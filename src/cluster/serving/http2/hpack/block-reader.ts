/** Reads what header blocks are made of: RFC 7541, section 5. */
import { HpackError } from "./hpack-error.ts";
import { decodeHuffman } from "./huffman.ts";

const MAX_INTEGER = 2 ** 32 - 1;
/** Of an integer, after its prefix; that many carry 35 bits, and more would be zeros without end. */
const MAX_CONTINUATION = 5;
const HUFFMAN = 0x80;

export class BlockReader {
  readonly #block: Buffer;
  #position = 0;

  constructor(block: Buffer) {
    this.#block = block;
  }

  get atEnd(): boolean {
    return this.#position >= this.#block.length;
  }

  /** The next octet, which stays; its highest bits say what follows. */
  peek(): number {
    const octet = this.#block[this.#position];
    if (octet === undefined) throw new HpackError("a header block ends in the middle of a field");
    return octet;
  }

  /** An integer of up to 32 bits whose first bits are the lowest of the next octet: those that `mask` has. */
  integer(mask: number): number {
    const first = this.peek() & mask;
    this.#position++;
    return first < mask ? first : this.#continued(mask);
  }

  #continued(prefix: number): number {
    let value = prefix;
    let factor = 1;
    for (let count = 0; count < MAX_CONTINUATION; count++) {
      const octet = this.peek();
      this.#position++;
      // Not shifted: numbers of 32 bits and more would come out negative.
      value += (octet & 0x7f) * factor;
      factor *= 128;
      if (value > MAX_INTEGER) break;
      if (octet < 0x80) return value;
    }
    throw new HpackError("a header block has an integer of more than 32 bits");
  }

  /** A text, Huffman-coded or plain. */
  text(): string {
    const coded = (this.peek() & HUFFMAN) !== 0;
    const length = this.integer(0x7f);
    const start = this.#position;
    const end = start + length;
    if (end > this.#block.length) throw new HpackError("a header block ends in the middle of a text");
    this.#position = end;
    return coded ? decodeHuffman(this.#block, start, end) : this.#block.toString("latin1", start, end);
  }
}

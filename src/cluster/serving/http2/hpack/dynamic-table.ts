/**
 * The fields that a peer has had us remember, the newest first: RFC 7541, sections 2.3.2 and 4. It is a ring, so that one more field
 * moves no other, and a field is found by arithmetic.
 */
import { FIELD_OVERHEAD, type Field, sizeOf } from "./field.ts";

/** In place of a field that is gone, so that its texts are not kept. */
const NOTHING: Field = ["", ""];

export class DynamicTable {
  readonly #slots: Field[] = [];
  readonly #mask: number;
  #maxBytes: number;
  #bytes = 0;
  #count = 0;
  /** How many there have been; the slot of the next one, but for the mask. */
  #next = 0;

  /** It may have `maxBytes` now, and `mostBytes` at any time. */
  constructor(maxBytes: number, mostBytes: number) {
    this.#maxBytes = maxBytes;
    // A slot for each of the smallest fields; a power of two, and no more of it is made than is used.
    this.#mask = 2 ** Math.ceil(Math.log2(mostBytes / FIELD_OVERHEAD + 1)) - 1;
  }

  /** The newest is 0. */
  at(index: number): Field | undefined {
    return index < this.#count ? this.#slots[(this.#next - 1 - index) & this.#mask] : undefined;
  }

  /** Makes room by giving up the oldest. A field that is larger than the table empties it, and is not in it: no error. */
  add(field: Field): void {
    const bytes = sizeOf(field);
    this.#shrinkTo(this.#maxBytes - bytes);
    if (bytes > this.#maxBytes) return;
    this.#slots[this.#next & this.#mask] = field;
    this.#next = (this.#next + 1) & this.#mask;
    this.#bytes += bytes;
    this.#count++;
  }

  resize(maxBytes: number): void {
    this.#maxBytes = maxBytes;
    this.#shrinkTo(maxBytes);
  }

  #shrinkTo(bytes: number): void {
    while (this.#count > 0 && this.#bytes > bytes) {
      const oldest = (this.#next - this.#count) & this.#mask;
      this.#bytes -= sizeOf(this.#slots[oldest] ?? NOTHING);
      this.#slots[oldest] = NOTHING;
      this.#count--;
    }
  }
}

/** Writes the protobuf wire format: fields one after the other, into memory that grows as it is needed. */
import { FIXED64, LENGTH_DELIMITED, VARINT } from "./wire.ts";

const FIRST_BYTES = 256;
/** No number that JSON has exactly takes more. */
const VARINT_BYTES = 10;

export class WireWriter {
  #buffer = Buffer.allocUnsafe(FIRST_BYTES);
  #at = 0;

  /** All that was written. The memory is the writer's until it is given up. */
  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#at);
  }

  textField(number: number, text: string): void {
    const length = Buffer.byteLength(text);
    this.#begin(number, LENGTH_DELIMITED, length + VARINT_BYTES);
    this.#varint(length);
    this.#at += this.#buffer.write(text, this.#at);
  }

  bytesField(number: number, bytes: Uint8Array): void {
    this.#begin(number, LENGTH_DELIMITED, bytes.length + VARINT_BYTES);
    this.#varint(bytes.length);
    this.#buffer.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /** A whole number; one below zero takes ten bytes. */
  numberField(number: number, value: number): void {
    this.#begin(number, VARINT, VARINT_BYTES);
    this.#varint(value);
  }

  doubleField(number: number, value: number): void {
    this.#begin(number, FIXED64, 8);
    this.#at = this.#buffer.writeDoubleLE(value, this.#at);
  }

  #begin(number: number, wireType: number, bytes: number): void {
    const needed = this.#at + VARINT_BYTES + bytes;
    if (needed > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#buffer.length));
      this.#buffer.copy(larger, 0, 0, this.#at);
      this.#buffer = larger;
    }
    this.#varint(number * 8 + wireType);
  }

  #varint(value: number): void {
    if (value >= 0 && value < 0x80) {
      this.#buffer[this.#at++] = value;
      return;
    }
    let rest = BigInt.asUintN(64, BigInt(Math.trunc(value)));
    for (; rest >= 0x80n; rest >>= 7n) this.#buffer[this.#at++] = Number(rest & 0x7fn) | 0x80;
    this.#buffer[this.#at++] = Number(rest);
  }
}

/**
 * The header blocks of a connection's requests. As client-go does, it tells the server once what is the same in all of them, and by an
 * index from then on: otherwise a request would cost a server mostly the same texts, again and again. Nothing is ever forgotten, so
 * that this is for a few fields.
 */
import { encodeFields, type Field } from "../../../src/cluster/serving/http2/hpack/index.ts";
import type { Method } from "../client.ts";
import { headersFor } from "../requests.ts";

/** What every server remembers, unless it says otherwise. */
export const TABLE_BYTES = 4096;
/** The fields of the static table come before. */
const FIRST_INDEX = 62;
const INDEXED = 0x80;
const LITERAL_TO_REMEMBER = 0x40;

export class RequestFields {
  readonly #authority: string;
  readonly #token: string;
  /** By name and value: how many were told before. */
  readonly #told = new Map<string, number>();
  #toldBytes = 0;
  /** All but the path and the length, for as long as nothing more is told. */
  readonly #same = new Map<Method, Buffer>();

  constructor(authority: string, token: string) {
    this.#authority = authority;
    this.#token = token;
  }

  /** A header block. They have to be sent in the order in which they are made. */
  encode(method: Method, path: string, length: number | undefined): Buffer {
    // Those with a colon come before all others, in any order.
    const parts = [encodeFields([[":path", path]]), this.#same.get(method) ?? this.#tellSame(method)];
    if (length !== undefined) parts.push(encodeFields([["content-length", String(length)]]));
    return Buffer.concat(parts);
  }

  #tellSame(method: Method): Buffer {
    const fields: Field[] = [
      [":method", method],
      [":scheme", "https"],
      [":authority", this.#authority],
    ];
    fields.push(...Object.entries(headersFor(method, this.#token)));
    const before = this.#told.size;
    const block = Buffer.concat(fields.map((field) => this.#tell(field)));
    // One that tells something new is for once, and moves what was told before.
    if (this.#told.size === before) this.#same.set(method, block);
    else this.#same.clear();
    return block;
  }

  #tell(field: Field): Buffer {
    const key = field.join("\n");
    const before = this.#told.get(key);
    if (before !== undefined) return Buffer.from([INDEXED | (FIRST_INDEX + this.#told.size - 1 - before)]);
    const [name, value] = field;
    this.#toldBytes += name.length + value.length + 32;
    if (this.#toldBytes > TABLE_BYTES) throw new Error("there is more in the headers than a server remembers");
    this.#told.set(key, this.#told.size);
    return Buffer.concat([Buffer.from([LITERAL_TO_REMEMBER]), text(name), text(value)]);
  }
}

/** With its length before it: what a field with an empty name, which is in no table, has after its first two octets. */
function text(octets: string): Buffer {
  return encodeFields([["", octets]]).subarray(2);
}

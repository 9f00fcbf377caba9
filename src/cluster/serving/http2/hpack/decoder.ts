/** Header blocks to fields: RFC 7541, section 6. */
import { BlockReader } from "./block-reader.ts";
import { DynamicTable } from "./dynamic-table.ts";
import { type Field, sizeOf } from "./field.ts";
import { HpackError } from "./hpack-error.ts";
import { STATIC_FIELDS } from "./static-table.ts";

export interface HpackDecoderOptions {
  /** What was announced as SETTINGS_HEADER_TABLE_SIZE. */
  readonly tableBytes: number;
  /** How much of a list of fields is kept, each with its name, its value and 32 octets (RFC 9113, section 6.5.2). */
  readonly maxListBytes: number;
}

export interface Decoded {
  /** In their order. A field that was sent before, and is in the table, is the same object each time. */
  readonly fields: readonly Field[];
  /** There was more than `maxListBytes`, and what was beyond is not here. The table is in step nevertheless. */
  readonly tooLarge: boolean;
}

/** For one connection, whose blocks have to come in their order. */
export interface HpackDecoder {
  /**
   * A whole header block, whose fragments are joined. Throws `HpackError` for what cannot be decoded; the decoder is of no use from
   * then on.
   */
  readonly decode: (block: Buffer) => Decoded;
}

/** Until the peer says otherwise, whatever was announced (RFC 9113, section 6.5.2). */
const INITIAL_TABLE_BYTES = 4096;

/** By the highest bits of a field's first octet. */
const INDEXED = 0x80;
const LITERAL_TO_REMEMBER = 0x40;
const SIZE_UPDATE = 0x20;

export function createHpackDecoder({ tableBytes, maxListBytes }: HpackDecoderOptions): HpackDecoder {
  const table = new DynamicTable(INITIAL_TABLE_BYTES, Math.max(INITIAL_TABLE_BYTES, tableBytes));
  return {
    decode(block) {
      const reader = new BlockReader(block);
      const fields: Field[] = [];
      let bytes = 0;
      readSizeUpdates(reader, table, tableBytes);
      while (!reader.atEnd) {
        const field = readField(reader, table);
        bytes += sizeOf(field);
        if (bytes <= maxListBytes) fields.push(field);
      }
      return { fields, tooLarge: bytes > maxListBytes };
    },
  };
}

/** They come first in a block, if they come. */
function readSizeUpdates(reader: BlockReader, table: DynamicTable, tableBytes: number): void {
  while (!reader.atEnd && reader.peek() >> 5 === SIZE_UPDATE >> 5) {
    const bytes = reader.integer(0x1f);
    if (bytes > tableBytes)
      throw new HpackError(`a table of ${bytes} octets is asked for, and ${tableBytes} were announced`);
    table.resize(bytes);
  }
}

function readField(reader: BlockReader, table: DynamicTable): Field {
  const octet = reader.peek();
  if (octet >= INDEXED) return fieldAt(reader.integer(0x7f), table);
  if (octet >= LITERAL_TO_REMEMBER) {
    const field = readLiteral(reader.integer(0x3f), reader, table);
    table.add(field);
    return field;
  }
  if (octet >= SIZE_UPDATE) throw new HpackError("the size of the table changes in the middle of a header block");
  // Not to be remembered, or never by anybody: the same to whom the fields are for.
  return readLiteral(reader.integer(0x0f), reader, table);
}

function readLiteral(index: number, reader: BlockReader, table: DynamicTable): Field {
  const name = index === 0 ? reader.text() : fieldAt(index, table)[0];
  return [name, reader.text()];
}

function fieldAt(index: number, table: DynamicTable): Field {
  const field = index <= STATIC_FIELDS.length ? STATIC_FIELDS[index - 1] : table.at(index - STATIC_FIELDS.length - 1);
  if (field === undefined) throw new HpackError(`there is no field ${index} in the tables`);
  return field;
}

/** Checksums of what a store file holds. SQLite checks how its pages hang together, not what is written in them. */
import { crc32 } from "node:zlib";

/** A row of `log`, without its checksum. */
export interface LogRow {
  readonly revision: number;
  readonly key: string;
  /** 0: the key was not there. */
  readonly previous: number;
  /** null: deleted. */
  readonly value: string | null;
  readonly written: number;
}

/** Over every column, and over whether there is a value: an empty one is not the same as none. */
export function rowChecksum({ revision, key, previous, value, written }: LogRow): number {
  const head = crc32(`${revision} ${previous} ${written} ${value === null ? "deleted" : "value"} ${key}\0`);
  return value === null ? head : crc32(value, head);
}

export function horizonChecksum(compacted: number): number {
  return crc32(`compacted ${compacted}`);
}

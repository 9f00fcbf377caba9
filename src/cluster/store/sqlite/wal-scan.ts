/**
 * Looks for writes that SQLite would drop without a word.
 *
 * The write-ahead log (`FILE-wal`) is a chain of frames, each with a checksum over itself and all before it. On opening, SQLite
 * takes the chain up to the first frame that does not fit, and forgets the rest: right after a power cut, when that frame
 * belongs to the one transaction that was being written; wrong when the file was damaged, since every transaction behind the
 * spot was acknowledged. The two are told apart by counting: of a torn transaction there is one last frame at most, so
 * two or more behind the spot mean that acknowledged writes would be lost.
 *
 * What cannot be told: damage in the very last transaction looks like a torn one, and a log that was cut off looks like one that was
 * never longer. The format is described at https://www.sqlite.org/fileformat2.html#walformat.
 */
import { readFileSync } from "node:fs";

const HEADER_SIZE = 32;
const FRAME_HEADER_SIZE = 24;
const MAGIC_LITTLE_ENDIAN = 0x377f0682;
const MAGIC_BIG_ENDIAN = 0x377f0683;

/** Why the log would be taken over with a loss, in words that follow "the file"; undefined when it would not. */
export function lossInWal(file: string): string | undefined {
  const wal = readIfThere(`${file}-wal`);
  // A log that is only begun holds no frame; a header of zeros was never brought to disk, and so nothing behind it was.
  if (wal.length <= HEADER_SIZE || wal.subarray(0, HEADER_SIZE).every((byte) => byte === 0)) return undefined;

  const magic = wal.readUInt32BE(0);
  const checksum = createChecksum(magic === MAGIC_LITTLE_ENDIAN);
  checksum.add(wal.subarray(0, 24));
  if ((magic !== MAGIC_LITTLE_ENDIAN && magic !== MAGIC_BIG_ENDIAN) || !checksum.isStoredAt(wal, 24)) {
    return "has a write-ahead log with a damaged header";
  }

  const frameSize = FRAME_HEADER_SIZE + wal.readUInt32BE(8);
  const salts = wal.subarray(16, 24);
  let intact = true;
  let commitsBehind = 0;
  for (let at = HEADER_SIZE; at + frameSize <= wal.length; at += frameSize) {
    if (intact) {
      checksum.add(wal.subarray(at, at + 8));
      checksum.add(wal.subarray(at + FRAME_HEADER_SIZE, at + frameSize));
    }
    const fits: boolean = intact && checksum.isStoredAt(wal, at + 16);
    const hasSalts = salts.equals(wal.subarray(at + 8, at + 16));
    intact = fits && hasSalts;
    // One with neither is left over from before the log was last begun anew; the checksum does not cover the salts.
    const isOfThisLog = fits || hasSalts;
    const endsTransaction = wal.readUInt32BE(at + 4) !== 0;
    if (!intact && isOfThisLog && endsTransaction) commitsBehind++;
  }
  return commitsBehind > 1
    ? `has a damaged spot in its write-ahead log, with ${commitsBehind} transactions behind it`
    : undefined;
}

/** The running checksum over pairs of 32-bit words. Where it is stored it is big-endian, whatever the words are. */
function createChecksum(littleEndian: boolean) {
  let first = 0;
  let second = 0;
  return {
    add(bytes: Buffer): void {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      for (let at = 0; at + 8 <= view.byteLength; at += 8) {
        first = (first + view.getUint32(at, littleEndian) + second) >>> 0;
        second = (second + view.getUint32(at + 4, littleEndian) + first) >>> 0;
      }
    },
    isStoredAt: (bytes: Buffer, at: number): boolean =>
      bytes.readUInt32BE(at) === first && bytes.readUInt32BE(at + 4) === second,
  };
}

function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return Buffer.alloc(0);
    throw error;
  }
}

/**
 * A header block that cannot be decoded, or a field that cannot be encoded. After the former the tables of both sides may differ, so
 * that the whole connection has to end (COMPRESSION_ERROR, RFC 9113 section 4.3).
 */
export class HpackError extends Error {
  override readonly name = "HpackError";
}

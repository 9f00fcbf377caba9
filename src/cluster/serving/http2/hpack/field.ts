/** A header field. Both are octets: one character each, as latin1 has them. */
export type Field = readonly [name: string, value: string];

/** What a field counts for, in a table (RFC 7541 section 4.1) as in a list (RFC 9113 section 6.5.2). */
export function sizeOf([name, value]: Field): number {
  return name.length + value.length + FIELD_OVERHEAD;
}

export const FIELD_OVERHEAD = 32;

/** Sizes and costs that are not known: a least and a most, which stop at what a machine word of Go holds. */

export interface Range {
  readonly min: number;
  readonly max: number;
}

/**
 * The size of what stands at a path from a variable on: names of fields, `@items`, `@keys`, `@values`. Undefined where the schema
 * does not tell.
 */
export type SizeAt = (path: readonly string[]) => Range | undefined;

/** Go's largest number of 64 bits, as near as a double comes to it. */
export const MOST = 2 ** 64;
export const UNKNOWN: Range = { min: 0, max: MOST };
export const NOTHING: Range = { min: 0, max: 0 };

export function just(value: number): Range {
  return { min: value, max: value };
}

export function plus(...ranges: readonly Range[]): Range {
  return {
    min: capped(ranges.reduce((sum, { min }) => sum + min, 0)),
    max: capped(ranges.reduce((sum, { max }) => sum + max, 0)),
  };
}

export function times(a: Range, b: Range): Range {
  return { min: capped(a.min * b.min), max: capped(a.max * b.max) };
}

/** Rounded up, as costs are. */
export function scaled({ min, max }: Range, by: number): Range {
  return { min: capped(Math.ceil(min * by)), max: capped(Math.ceil(max * by)) };
}

export function union(a: Range, b: Range): Range {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

function capped(value: number): number {
  return value > MOST ? MOST : value;
}

/** Numbers of two contenders that were measured in turn: what is a moment's is in both of a pair, and not in their ratio. */

/** As many of each; those at the same place were measured one after the other. */
export interface Pairs {
  readonly ours: number[];
  readonly theirs: number[];
}

export interface Column {
  readonly title: string;
  readonly unit: string;
  /** What of all values counts; undefined: the one in the middle, and of the ratios of all pairs the one in the middle as well. */
  readonly counts?: (values: readonly number[]) => number;
}

export const least = (values: readonly number[]): number => Math.min(...values);
export const most = (values: readonly number[]): number => Math.max(...values);

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error("there must be a value at least");
  return middle;
}

export function shown({ unit, counts = median }: Column, values: readonly number[]): string {
  return `${counts(values).toFixed(0)} ${unit}`;
}

export function ratioOf({ counts }: Column, { ours, theirs }: Pairs): number {
  if (counts !== undefined) return counts(ours) / counts(theirs);
  return median(ours.map((value, at) => value / (theirs[at] ?? Number.NaN)));
}

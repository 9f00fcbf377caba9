/** Which items of a list are there already, in the time that one walk takes: a body may have a hundred thousand of them. */

/** The places of items whose key an item before them has. Those without a key (`undefined`) are like no other. */
export function repeated<T>(list: readonly T[], keyOf: (item: T) => string | number | undefined): ReadonlySet<number> {
  const seen = new Set<string | number>();
  const again = new Set<number>();
  for (const [index, item] of list.entries()) {
    const key = keyOf(item);
    if (key === undefined) continue;
    if (seen.has(key)) again.add(index);
    seen.add(key);
  }
  return again;
}

/** One key of several parts; no two others are like it. */
export function keyOfParts(...parts: readonly unknown[]): string {
  return JSON.stringify(parts);
}

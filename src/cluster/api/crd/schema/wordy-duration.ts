/** Durations in words, which the format `duration` takes besides Go's own: kube-openapi pkg/validation/strfmt/duration.go. */

const WORDS = /(?<!\d)(\d+)[\t\n\f\r ]*([A-Za-zµ]+)/g;
const MICROSECOND = 1_000n;
const SECOND = 1_000_000n * MICROSECOND;
const DAY = 86_400n * SECOND;

/** In nanoseconds. The last name of each unit may be the beginning of a word: `3 seconds`. */
const UNITS: readonly (readonly [bigint, readonly string[]])[] = [
  [1n, ["ns", "nano"]],
  [MICROSECOND, ["us", "µs", "micro"]],
  [1_000n * MICROSECOND, ["ms", "milli"]],
  [SECOND, ["s", "sec"]],
  [60n * SECOND, ["m", "min"]],
  [3_600n * SECOND, ["h", "hr", "hour"]],
  [DAY, ["d", "day"]],
  [7n * DAY, ["w", "wk", "week"]],
];

/**
 * Nanoseconds: the sum of all numbers that have a unit behind them, whatever else is in the text, and it wraps. Undefined where
 * there is none, or a number that fits no machine word.
 */
export function wordyDuration(text: string): bigint | undefined {
  let sum: bigint | undefined;
  for (const [, digits = "", unit = ""] of text.matchAll(WORDS)) {
    if (digits.length > 30 || BigInt.asIntN(64, BigInt(digits)) !== BigInt(digits)) return undefined;
    const word = unit.toLowerCase();
    const [nanos] = UNITS.find(([, names]) => names.includes(word) || word.startsWith(names.at(-1) ?? word)) ?? [];
    if (nanos !== undefined) sum = (sum ?? 0n) + BigInt(digits) * nanos;
  }
  return sum === undefined ? undefined : BigInt.asIntN(64, sum);
}

/**
 * Kubernetes quantities, exact.
 *
 * A quantity is a number and the notation it was written in. The number is held in billionths (`nanos`), the finest
 * step that Kubernetes keeps, so no arithmetic here ever rounds. The notation decides how it prints: `1.5Gi` prints as
 * `1536Mi`, `0.1` as `100m`, `1e3` as `1e3`.
 *
 * Follows k8s.io/apimachinery/pkg/api/resource: what it refuses is refused, what it accepts is accepted and prints the
 * same. `quantity-kubernetes.test.ts` compares the two over thousands of texts; where they differ, it is on purpose:
 * - a text without a digit (`Gi`, `-`), zero to Kubernetes, is refused: it is always a slip;
 * - so is one of more than a thousand digits, or with an exponent of more than a thousand;
 * - decimal numbers of a thousand exa and more keep their suffix, which Kubernetes loses;
 * - a binary sum past the cap prints in decimal, because its binary form would be capped when it is read again;
 * - Kubernetes may print a text back as it was written (`1.500`, `+1`); here it always prints in canonical form.
 */
import { OutgrowError } from "./errors.ts";

export type Notation = "binary" | "decimal" | "exponent";

const NANOS = 1_000_000_000n;
/** The largest number Kubernetes keeps in binary notation; a larger one is capped to it. */
const MAX_BINARY = ((1n << 63n) - 1n) * NANOS;
/** Most digits, and largest exponent, of a text: far above any size there is, and past it a text only costs time. */
const MAX_DIGITS = 1_000;

const BINARY_SUFFIXES = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"] as const;
/** Decimal suffixes by power of a thousand, from nano. */
const DECIMAL_SUFFIXES = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"] as const;

/** Sign, whole part, fraction, suffix. Neighbours share no character, so that matching takes linear time. */
const SHAPE = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]+[+-]?\d*)?$/;

export class Quantity {
  readonly nanos: bigint;
  readonly notation: Notation;

  private constructor(nanos: bigint, notation: Notation) {
    this.nanos = nanos;
    this.notation = notation;
  }

  static readonly zero = new Quantity(0n, "decimal");

  /** Reads a quantity as Kubernetes does. Throws `QUANTITY_INVALID`, showing the text and a right example. */
  static parse(text: string): Quantity {
    const parsed = Quantity.tryParse(text);
    if (parsed === undefined) {
      throw new OutgrowError(
        "QUANTITY_INVALID",
        `${JSON.stringify(text)} is not a quantity; write a number with an optional suffix, for example 10Gi, 1.5Ti or 500M`,
      );
    }
    return parsed;
  }

  /** Like `parse`, for those who have a better message: undefined for what is not a quantity. */
  static tryParse(text: string): Quantity | undefined {
    const match = SHAPE.exec(text);
    if (match === null) return undefined;
    const [, sign = "", whole = "", fraction = "", suffix = ""] = match;
    const length = whole.length + fraction.length;
    if (length === 0 || length > MAX_DIGITS) return undefined;
    const scale = readSuffix(suffix);
    if (scale === undefined) return undefined;

    let nanos: bigint;
    const digits = BigInt(whole + fraction) * NANOS;
    if (scale.base === 2) {
      nanos = divideUp(digits << BigInt(scale.exponent), 10n ** BigInt(fraction.length));
      if (nanos > MAX_BINARY) nanos = MAX_BINARY;
    } else {
      const shift = scale.exponent - fraction.length;
      nanos = shift >= 0 ? digits * 10n ** BigInt(shift) : divideUp(digits, 10n ** BigInt(-shift));
    }
    // "This avoids rounding and hopefully confusion, too" (upstream): half a byte in binary notation is kept as decimal.
    const notation = scale.notation === "binary" && nanos > 0n && nanos < NANOS ? "decimal" : scale.notation;
    return new Quantity(sign === "-" ? -nanos : nanos, notation);
  }

  /** A whole number of bytes, in binary notation: what CSI speaks. */
  static bytes(bytes: bigint): Quantity {
    return new Quantity(bytes * NANOS, "binary");
  }

  /** The canonical form: `parse(q.toString())` equals `q`, and printing that again gives the same text. */
  toString(): string {
    if (this.nanos === 0n) return "0";
    if (this.notation === "binary" && this.nanos % NANOS === 0n) {
      const size = this.nanos < 0n ? -this.nanos : this.nanos;
      if (size >= 1024n * NANOS && size <= MAX_BINARY) return printBinary(this.nanos / NANOS);
    }
    return printDecimal(this.nanos, this.notation === "exponent");
  }

  toJSON(): string {
    return this.toString();
  }

  /** Bytes, rounded up: what CSI is asked for and what quota counts. */
  toBytes(): bigint {
    return divideUp(this.nanos, NANOS);
  }

  /** Negative, zero or positive as this is less than, equal to or greater than the other. Notation does not count. */
  compare(other: Quantity): number {
    return this.nanos < other.nanos ? -1 : this.nanos > other.nanos ? 1 : 0;
  }

  equals(other: Quantity): boolean {
    return this.nanos === other.nanos;
  }
  lessThan(other: Quantity): boolean {
    return this.nanos < other.nanos;
  }
  atLeast(other: Quantity): boolean {
    return this.nanos >= other.nanos;
  }
  moreThan(other: Quantity): boolean {
    return this.nanos > other.nanos;
  }

  /** The sum, in the notation of this; of the other where this is zero, as upstream. */
  plus(other: Quantity): Quantity {
    return new Quantity(this.nanos + other.nanos, this.nanos === 0n ? other.notation : this.notation);
  }
  minus(other: Quantity): Quantity {
    return new Quantity(this.nanos - other.nanos, this.nanos === 0n ? other.notation : this.notation);
  }

  /** How many times the other it is, about: for people to read. */
  dividedBy(other: Quantity): number {
    return Number(this.nanos) / Number(other.nanos);
  }

  /** The same quantity in whole bytes: `1001m` becomes `2`. */
  roundUp(): Quantity {
    return this.nanos % NANOS === 0n ? this : new Quantity(this.toBytes() * NANOS, this.notation);
  }

  /** The larger of both; the first where they are equal. */
  static max(a: Quantity, b: Quantity): Quantity {
    return b.nanos > a.nanos ? b : a;
  }
}

/** Reads a quantity that may be missing. An unreadable one is an error, never "missing". */
export function parseOptional(text: string | undefined): Quantity | undefined {
  return text === undefined ? undefined : Quantity.parse(text);
}

function readSuffix(suffix: string): { base: 2 | 10; exponent: number; notation: Notation } | undefined {
  const binary = BINARY_SUFFIXES.indexOf(suffix as (typeof BINARY_SUFFIXES)[number]);
  if (binary > 0) return { base: 2, exponent: binary * 10, notation: "binary" };
  const decimal = DECIMAL_SUFFIXES.indexOf(suffix as (typeof DECIMAL_SUFFIXES)[number]);
  if (decimal >= 0) return { base: 10, exponent: (decimal - 3) * 3, notation: "decimal" };
  if (!/^[eE][+-]?\d+$/.test(suffix)) return undefined;
  const exponent = Number(suffix.slice(1));
  return Math.abs(exponent) > MAX_DIGITS ? undefined : { base: 10, exponent, notation: "exponent" };
}

function printBinary(bytes: bigint): string {
  let power = 0;
  while (power < BINARY_SUFFIXES.length - 1 && bytes % 1024n === 0n) {
    bytes /= 1024n;
    power++;
  }
  return `${bytes}${BINARY_SUFFIXES[power]}`;
}

/** At most one step per three digits: the number without its trailing thousands, and the power that carries them. */
function printDecimal(nanos: bigint, exponent: boolean): string {
  let power = 0;
  const last = exponent ? Number.POSITIVE_INFINITY : DECIMAL_SUFFIXES.length - 1;
  while (power < last && nanos % 1000n === 0n) {
    nanos /= 1000n;
    power++;
  }
  if (!exponent) return `${nanos}${DECIMAL_SUFFIXES[power]}`;
  return power === 3 ? `${nanos}` : `${nanos}e${power * 3 - 9}`;
}

/** Division that rounds away from zero, as Kubernetes does where precision ends: a small wish is still a wish. */
function divideUp(dividend: bigint, divisor: bigint): bigint {
  if (divisor === 1n) return dividend;
  const quotient = dividend / divisor;
  if (dividend % divisor === 0n) return quotient;
  return dividend > 0n ? quotient + 1n : quotient - 1n;
}

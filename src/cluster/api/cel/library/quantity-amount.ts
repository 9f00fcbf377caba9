/**
 * How Kubernetes holds a quantity: as a machine word and a power of ten where that is easy to tell from its text, else as a number
 * of any length (k8s.io/apimachinery/pkg/api/resource, quantity.go and amount.go). Only of the former it says whether it is an
 * integer, and does not look for zeros to take away: `1000m` is none, nor is `1Pi`.
 */
import { checkedInt } from "../value/numbers.ts";

export interface Amount {
  readonly value: bigint;
  /** Of ten. */
  readonly power: number;
}

const MAX_DIGITS = 18;
const LEAST_POWER = -9;
const BINARY: readonly string[] = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const DECIMAL = "num kMGTPE";

/** Of the text of a quantity; undefined for one that is held as a number of any length. */
export function amountOf(text: string): Amount | undefined {
  const [, sign, whole = "", fraction = "", suffix = ""] = /^([+-]?)0*(\d*)(?:\.(\d*))?(.*)$/.exec(text) ?? [];
  const digits = `${whole || "0"}${fraction}`;
  const signed = (value: bigint) => (sign === "-" ? -value : value);
  const binary = BINARY.indexOf(suffix);
  if (binary >= 0) {
    const bits = (binary + 1) * 10;
    const isShort = fraction === "" && 15 - digits.length - Math.trunc((bits * 3) / 10) - 1 >= 0;
    return isShort ? { value: signed(BigInt(digits) << BigInt(bits)), power: 0 } : undefined;
  }
  const power = decimalPower(suffix) - fraction.length;
  if (digits.length > MAX_DIGITS || power < LEAST_POWER) return undefined;
  return { value: signed(BigInt(digits)), power };
}

function decimalPower(suffix: string): number {
  if (suffix === "") return 0;
  return suffix.length > 1 ? Number(suffix.slice(1)) : (DECIMAL.indexOf(suffix) - 3) * 3;
}

export function plus(a: Amount | undefined, b: Amount | undefined): Amount | undefined {
  if (a === undefined || b === undefined) return undefined;
  if (a.value === 0n || b.value === 0n) return b.value === 0n ? a : b;
  const power = Math.min(a.power, b.power);
  const [left, right] = [atPower(a, power), atPower(b, power)];
  const sum = left === undefined || right === undefined ? undefined : checkedInt(left + right);
  return typeof sum === "bigint" ? { value: sum, power } : undefined;
}

export function negated(amount: Amount | undefined): Amount | undefined {
  return amount === undefined ? undefined : { ...amount, value: -amount.value };
}

/** The integer that it is; undefined where Kubernetes does not tell. */
export function integerOf(amount: Amount | undefined): bigint | undefined {
  return amount === undefined ? undefined : atPower(amount, 0);
}

/** Undefined where it has no such form in a machine word. */
function atPower({ value, power }: Amount, wanted: number): bigint | undefined {
  if (power < wanted || power - wanted > MAX_DIGITS) return undefined;
  const scaled = checkedInt(value * 10n ** BigInt(power - wanted));
  return typeof scaled === "bigint" ? scaled : undefined;
}

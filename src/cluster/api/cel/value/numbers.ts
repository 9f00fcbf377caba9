/** Arithmetic that does not wrap, and the order of numbers of all types. */
import { MAX_INT, MAX_UINT, MIN_INT } from "../syntax/literals.ts";
import { type CelError, error, isKind, NO_SUCH_OVERLOAD, type Uint, uint, type Value } from "./value.ts";

export const INT_OVERFLOW = error("integer overflow");
export const UINT_OVERFLOW = error("unsigned integer overflow");

export type Sign = "+" | "-" | "*" | "/" | "%";

export function checkedInt(value: bigint): bigint | CelError {
  return value < MIN_INT || value > MAX_INT ? INT_OVERFLOW : value;
}

export function checkedUint(value: bigint): Uint | CelError {
  return value < 0n || value > MAX_UINT ? UINT_OVERFLOW : uint(value);
}

/** Of two numbers of the same type. */
export function calculate(sign: Sign, a: bigint | number | Uint, b: Value): Value | CelError {
  if (typeof a === "number") return typeof b === "number" ? ofDoubles(sign, a, b) : NO_SUCH_OVERLOAD;
  if (typeof a === "bigint") {
    if (typeof b !== "bigint") return NO_SUCH_OVERLOAD;
    const result = ofIntegers(sign, a, b);
    return typeof result === "bigint" ? checkedInt(result) : result;
  }
  if (!isKind(b, "uint")) return NO_SUCH_OVERLOAD;
  const result = ofIntegers(sign, a.value, b.value);
  return typeof result === "bigint" ? checkedUint(result) : result;
}

function ofDoubles(sign: Sign, a: number, b: number): Value | CelError {
  switch (sign) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return a / b;
    case "%":
      return NO_SUCH_OVERLOAD;
  }
}

function ofIntegers(sign: Sign, a: bigint, b: bigint): bigint | CelError {
  switch (sign) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return b === 0n ? error("division by zero") : a / b;
    case "%":
      if (b === 0n) return error("modulus by zero");
      // As the quotient would, of the one division that overflows.
      return a === MIN_INT && b === -1n ? INT_OVERFLOW : a % b;
  }
}

export function isNumber(value: Value): value is bigint | number | Uint {
  return typeof value === "bigint" || typeof value === "number" || isKind(value, "uint");
}

/**
 * Negative, zero or positive; undefined where one of them is not a number at all (NaN). A whole number beside a double is taken
 * for the double that is nearest to it, as upstream.
 */
export function compareNumbers(a: bigint | number | Uint, b: bigint | number | Uint): number | undefined {
  const [left, right] = [wholeOrDouble(a), wholeOrDouble(b)];
  if (typeof left === typeof right) return left < right ? -1 : left > right ? 1 : left === right ? 0 : undefined;
  return compareNumbers(Number(left), Number(right));
}

function wholeOrDouble(value: bigint | number | Uint): bigint | number {
  return typeof value === "object" ? value.value : value;
}

/** The whole number that a number is, whatever its type; undefined for one that is none, or too large. */
export function wholeNumber(value: Value): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (isKind(value, "uint")) return value.value <= MAX_INT ? value.value : undefined;
  if (typeof value !== "number" || !Number.isInteger(value)) return undefined;
  const whole = BigInt(value);
  return whole > MIN_INT && whole < MAX_INT ? whole : undefined;
}

/** Numbers against their schema: kube-openapi pkg/validation/validate, `numberValidator`. Whole numbers are compared as such. */
import { goNumber } from "../../table/custom-printer.ts";
import { add, type Finding, overall, type Tally, wrong } from "./result.ts";
import type { Schema } from "./schema.ts";

const LARGEST = { int32: 2 ** 31, int64: 2 ** 63 } as const;
const LARGEST_FLOAT = 3.4028234663852886e38;
/** How far a quotient may be from a whole number, by its own size. */
const TOLERANCE = 1e-9;

/** As Go decodes it: an exponent or a fraction makes a float. */
export function isWhole(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < LARGEST.int64;
}

/** Whether a float is as good as a whole number. */
export function isNearlyWhole(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  const whole = Math.trunc(value);
  return value === whole || Math.abs(value - whole) / (Math.abs(value) + Math.abs(whole)) < TOLERANCE;
}

/** Adds what is wrong with a number. */
export function checkNumber(value: number, schema: Schema, path: string, tally: Tally): void {
  const { multipleOf, minimum, maximum } = schema.rules;
  for (const finding of outOfRange(value, schema, "Checked", path)) add(tally, finding);
  bounded(multipleOf, "MultipleOf", checkMultiple);
  bounded(minimum, "Minimum boundary", checkMinimum);
  bounded(maximum, "Maximum boundary", checkMaximum);
  tally.checks++;

  /** A bound that is not of the type itself is an error, and is kept nevertheless. */
  function bounded(bound: number | undefined, name: string, check: Check): void {
    if (bound === undefined) return;
    const outside = outOfRange(bound, schema, name, path);
    const whole = outside.length === 0 && isWhole(value);
    const wrongs = check({ value, bound: whole ? Math.trunc(bound) : bound, whole, schema, path });
    for (const finding of [...outside, ...wrongs]) add(tally, finding);
  }
}

interface Bounded {
  readonly value: number;
  readonly bound: number;
  /** Both are whole numbers. */
  readonly whole: boolean;
  readonly schema: Schema;
  readonly path: string;
}

type Check = (bounded: Bounded) => Finding[];

function outOfRange(value: number, { types, rules: { format } }: Schema, name: string, path: string): Finding[] {
  const [type, second] = types;
  if (second !== undefined) return [];
  if (type === "integer") {
    const limit = format === "int32" ? LARGEST.int32 : LARGEST.int64;
    if (Number.isInteger(value) && value >= -limit && value < limit) return [];
    const words = format === "" ? "(default format)" : `with format ${format}`;
    return [overall(`${name} value must be of type integer ${words} in ${path}`)];
  }
  if (type !== "number" || format !== "float" || Math.abs(value) <= LARGEST_FLOAT) return [];
  return [overall(`${name} value must be of type number with format float in ${path}`)];
}

function checkMultiple({ value, bound, whole, path }: Bounded): Finding[] {
  if (bound <= 0) {
    return [wrong(path, bound, `factor MultipleOf declared for ${path} must be positive: ${goNumber(bound)}`)];
  }
  const isMultiple = whole ? value % bound === 0 : isNearlyWhole(bound < 1 ? (1 / bound) * value : value / bound);
  return isMultiple ? [] : [wrong(path, value, `${path} in body should be a multiple of ${goNumber(bound)}`)];
}

function checkMinimum({ value, bound, schema, path }: Bounded): Finding[] {
  const { aboveMinimum } = schema.rules;
  if (aboveMinimum ? value > bound : value >= bound) return [];
  const words = aboveMinimum ? "greater than" : "greater than or equal to";
  return [wrong(path, value, `${path} in body should be ${words} ${goNumber(bound)}`)];
}

function checkMaximum({ value, bound, schema, path }: Bounded): Finding[] {
  const { belowMaximum } = schema.rules;
  if (belowMaximum ? value < bound : value <= bound) return [];
  const words = belowMaximum ? "less than" : "less than or equal to";
  return [wrong(path, value, `${path} in body should be ${words} ${goNumber(bound)}`)];
}

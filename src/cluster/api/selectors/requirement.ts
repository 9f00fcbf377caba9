/** One condition on labels. A selector is several of them, all of which must hold. */
import { aggregate, fieldErrorText, invalid } from "../../../admission/verdict.ts";
import { oncePer } from "../once-per.ts";
import { labelKeyErrors, labelValueErrors } from "./label-syntax.ts";

/** As selectors write them, but for `gt` and `lt`, which they write `>` and `<`. */
export type Operator = "=" | "==" | "!=" | "in" | "notin" | "exists" | "!" | "gt" | "lt";

/** What is asked of the label with this key. */
export interface Requirement {
  readonly key: string;
  readonly operator: Operator;
  /** One for `=`, `==`, `!=`, `gt` and `lt`; none for `exists` and `!`. */
  readonly values: readonly string[];
}

/** Says in Kubernetes' words why a requirement cannot be; undefined for one that can. */
export function requirementError({ key, operator, values }: Requirement): string | undefined {
  const keyErrors = labelKeyErrors(key);
  const errors = keyErrors.length === 0 ? [] : [invalid("key", key, keyErrors.join("; "))];
  const complaint = countError(operator, values.length);
  if (complaint !== undefined) errors.push(invalid("values", values, complaint));
  if (operator === "gt" || operator === "lt") {
    for (const [index, value] of values.entries()) {
      if (readInteger(value) !== undefined) continue;
      errors.push(invalid(`values[${index}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer"));
    }
  }
  for (const [index, value] of values.entries()) {
    const wrong = labelValueErrors(value);
    if (wrong.length > 0) errors.push(invalid(`values[${index}][${key}]`, value, wrong.join("; ")));
  }
  return errors.length === 0 ? undefined : aggregate(errors.map(fieldErrorText));
}

function countError(operator: Operator, count: number): string | undefined {
  switch (operator) {
    case "in":
    case "notin":
      return count === 0 ? "for 'in', 'notin' operators, values set can't be empty" : undefined;
    case "=":
    case "==":
    case "!=":
      return count === 1 ? undefined : "exact-match compatibility requires one single value";
    case "exists":
    case "!":
      return count === 0 ? undefined : "values set must be empty for exists and does not exist";
    case "gt":
    case "lt":
      return count === 1 ? undefined : "for 'Gt', 'Lt' operators, exactly one value is required";
  }
}

/** Whether labels meet the requirement. Those without the key meet `!=` and `notin`. */
export function meets(labels: Readonly<Record<string, string>>, { key, operator, values }: Requirement): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case "=":
    case "==":
    case "in":
      return value !== undefined && isOneOf(value, values);
    case "!=":
    case "notin":
      return value === undefined || !isOneOf(value, values);
    case "exists":
      return value !== undefined;
    case "!":
      return value === undefined;
    case "gt":
    case "lt": {
      const [mine, bound] = [readInteger(value ?? ""), readInteger(values[0] ?? "")];
      if (mine === undefined || bound === undefined) return false;
      return operator === "gt" ? mine > bound : mine < bound;
    }
  }
}

function isOneOf(value: string, values: readonly string[]): boolean {
  return values.length <= FEW ? values.includes(value) : setOf(values).has(value);
}

/** Every object is asked about all of them: where there are many, they are looked up. */
const setOf = oncePer((values: readonly string[]): ReadonlySet<string> => new Set(values));
const FEW = 8;

const MAX_INTEGER = 2n ** 63n;

/** A whole number of 64 bits, as Go's ParseInt reads it. */
function readInteger(text: string): bigint | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const number = BigInt(text.replace("+", ""));
  return number >= -MAX_INTEGER && number < MAX_INTEGER ? number : undefined;
}

/** The requirement as a selector writes it. */
export function requirementText({ key, operator, values }: Requirement): string {
  switch (operator) {
    case "exists":
      return key;
    case "!":
      return `!${key}`;
    case "in":
    case "notin":
      return `${key} ${operator} (${values.toSorted().join(",")})`;
    case "gt":
      return `${key}>${values.join(",")}`;
    case "lt":
      return `${key}<${values.join(",")}`;
    case "=":
    case "==":
    case "!=":
      return `${key}${operator}${values.join(",")}`;
  }
}

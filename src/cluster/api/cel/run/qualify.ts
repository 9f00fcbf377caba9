/** Steps from a value to what is in it: fields, keys and indexes, with and without a question mark. */
import { wholeNumber } from "../value/numbers.ts";
import { goType, shown } from "../value/show.ts";
import { type CelError, error, isError, isKind, NONE, runtimeType, some, type Value } from "../value/value.ts";
import { type Machine, pay } from "./budget.ts";

export interface Qualifier {
  /** The key or index; an error ends the walk. */
  readonly key: (machine: Machine) => Value | CelError;
  readonly isOptional: boolean;
  /** Only whether it is there is asked, by `has()`. */
  readonly isTest: boolean;
}

/** Follows the steps. Once one is optional, all that follow are, and the result is one. */
export function follow(machine: Machine, from: Value, qualifiers: readonly Qualifier[]): Value | CelError {
  let current = from;
  let isOptional = false;
  if (isKind(from, "optional")) {
    if (from.value === undefined || isError(from.value)) return from.value ?? from;
    current = from.value;
    isOptional = true;
  }
  for (const qualifier of qualifiers) {
    isOptional ||= qualifier.isOptional;
    const key = usableKey(qualifier.key(machine));
    if (isError(key)) {
      if (!isOptional) pay(machine, 1);
      return key;
    }
    const found = lookUp(current, key, isOptional || qualifier.isTest);
    // Of an optional only what is there is paid for.
    if ((qualifier.isTest && !isOptional) || (found !== undefined && !(isOptional && isError(found)))) pay(machine, 1);
    if (isError(found)) return found;
    if (qualifier.isTest) {
      if (isOptional) return found === undefined ? NONE : some(true);
      current = found !== undefined;
      continue;
    }
    if (found === undefined) return NONE;
    current = found;
  }
  return isOptional ? some(current) : current;
}

/** Undefined, where it may be missing, for what is not there. */
function lookUp(value: Value, key: Value, mayMiss: boolean): Value | CelError | undefined {
  if (isKind(value, "map")) {
    const found = value.find(key);
    return found !== undefined || mayMiss ? found : missing(key);
  }
  if (isKind(value, "list")) {
    const index = indexOf(key);
    if (typeof index !== "bigint") return index;
    if (index >= 0n && index < BigInt(value.size)) return value.get(Number(index));
    return mayMiss ? undefined : error(`index out of bounds: ${shown(key)}`);
  }
  if (isKind(value, "struct")) {
    const field = typeof key === "string" ? key : "";
    const found = value.fields.get(field);
    return found !== undefined || mayMiss ? found : missing(key);
  }
  return mayMiss ? undefined : missing(key);
}

function usableKey(key: Value | CelError): Value | CelError {
  if (isError(key) || typeof key !== "object" || isKind(key, "uint")) return key;
  return error(`invalid qualifier type: ${goType(key)}`);
}

function indexOf(key: Value): bigint | CelError {
  const index = wholeNumber(key);
  if (index !== undefined) return index;
  if (typeof key === "number" || isKind(key, "uint")) return error(`unsupported index value ${shown(key)} in list`);
  return error(`unsupported index type '${runtimeType(key).name}' in list`);
}

function missing(key: Value): CelError {
  return error(`no such key: ${shown(key)}`);
}

/** Lists and maps that expressions make. */
import { equal } from "./equal.ts";
import { wholeNumber } from "./numbers.ts";
import { shown } from "./show.ts";
import {
  type CelError,
  type CelMap,
  error,
  isError,
  isKind,
  type List,
  NO_SUCH_OVERLOAD,
  type Value,
} from "./value.ts";

/** Lists do not grow longer than this: to add one costs a step, however long it is, and so `x + x` would double it for next to nothing. */
export const MAX_SIZE = 4_000_000;
export const TOO_LONG = error(`list too long: more than ${MAX_SIZE} items`);

export function listOfValues(values: readonly Value[]): List {
  return {
    kind: "list",
    size: values.length,
    get: (index) => values[index] as Value,
    plus(other) {
      return joined(this, other);
    },
  };
}

/** One list behind the other, put together when it is first walked. */
export function joined(first: List, second: List): List | CelError {
  if (first.size === 0) return second;
  if (second.size === 0) return first;
  if (first.size + second.size > MAX_SIZE) return TOO_LONG;
  let flat: (Value | CelError)[] | undefined;
  const list: List = {
    kind: "list",
    size: first.size + second.size,
    get(index) {
      flat ??= itemsOf([first, second]);
      return flat[index] as Value;
    },
    plus: (other) => joined(list, other),
  };
  return list;
}

function itemsOf(lists: readonly List[]): (Value | CelError)[] {
  return lists.flatMap((list) => Array.from({ length: list.size }, (_, index) => list.get(index)));
}

/** The accumulator of a loop: it grows in place until the loop is done. */
export interface GrowingList extends List {
  finish(): void;
}

export function growingList(): GrowingList {
  const values: Value[] = [];
  let isDone = false;
  return {
    kind: "list",
    get size() {
      return values.length;
    },
    get: (index) => values[index] as Value,
    plus(other) {
      if (isDone) return joined(this, other);
      for (let index = 0; index < other.size; index++) {
        const item = other.get(index);
        if (isError(item)) return item;
        values.push(item);
      }
      return this;
    },
    finish() {
      isDone = true;
    },
  };
}

/** The items of a list, or the first that is an error. */
export function valuesOf(list: List): Value[] | CelError {
  const values: Value[] = [];
  for (let index = 0; index < list.size; index++) {
    const item = list.get(index);
    if (isError(item)) return item;
    values.push(item);
  }
  return values;
}

export function listContains(list: List, value: Value): boolean | CelError {
  if (list.contains !== undefined) return list.contains(value);
  for (let index = 0; index < list.size; index++) {
    const item = list.get(index);
    if (!isError(item) && equal(value, item) === true) return true;
  }
  return false;
}

export interface GrowingMap extends CelMap {
  /** An error where the key is there already. */
  insert(key: Value, value: Value): CelError | undefined;
}

/** Keys are told apart by type: 1 and 1u are two, though either finds the other where it is alone. */
export function mapOfEntries(entries: Iterable<readonly [Value, Value]>): GrowingMap {
  const held = new Map<unknown, readonly [Value, Value]>();
  for (const [key, value] of entries) held.set(keyName(key), [key, value]);
  function find(key: Value): Value | undefined {
    const found = held.get(keyName(key));
    if (found !== undefined) return found[1];
    const whole = wholeNumber(key);
    if (whole === undefined) return undefined;
    return (held.get(`i${whole}`) ?? held.get(`u${whole}`))?.[1];
  }
  return {
    kind: "map",
    get size() {
      return held.size;
    },
    find,
    keys: () => Array.from(held.values(), ([key]) => key),
    insert(key, value) {
      if (find(key) !== undefined) return error(`insert failed: key ${shown(key)} already exists`);
      held.set(keyName(key), [key, value]);
      return undefined;
    },
  };
}

const KEY_LETTERS = { string: "s", bigint: "i", boolean: "b", number: "d" } as const;

/** A list or a map as a key is only found by itself. */
function keyName(key: Value): unknown {
  if (typeof key !== "object") return `${KEY_LETTERS[typeof key as keyof typeof KEY_LETTERS]}${key}`;
  return isKind(key, "uint") ? `u${key.value}` : key;
}

/** A map that is asked as a list, or the other way round, is no such overload. */
export function containerHas(container: Value, value: Value): boolean | CelError {
  if (isKind(container, "list")) return listContains(container, value);
  if (!isKind(container, "map")) return NO_SUCH_OVERLOAD;
  const found = container.find(value);
  return isError(found) ? found : found !== undefined;
}

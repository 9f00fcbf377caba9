/** Lists: Kubernetes' own functions, and those of cel-go's extension. */
import { type FunctionDeclaration, member, type Overload, overload, type Running } from "../check/declarations.ts";
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  MAP,
  mapOf,
  param,
  printedType,
  STRING,
  TIMESTAMP,
  type Type,
  UINT,
} from "../check/types.ts";
import { selfCompare } from "../run/cost.ts";
import { type GrowingMap, listContains, listOfValues, mapOfEntries, valuesOf } from "../value/collections.ts";
import { compare, equal, isComparable } from "../value/equal.ts";
import { calculate } from "../value/numbers.ts";
import { addTime } from "../value/time.ts";
import {
  type CelError,
  type CelMap,
  duration,
  error,
  isError,
  isKind,
  type List,
  NO_SUCH_OVERLOAD,
  runtimeType,
  uint,
  type Value,
} from "../value/value.ts";

const A = param("A");
const T = param("T");
const LIST_T = listOf(T);
const K = param("K");
const V = param("V");
const MAP_KV = mapOf(K, V);

const SUMMABLE: readonly (readonly [string, Type, Value])[] = [
  ["int", INT, 0n],
  ["uint", UINT, uint(0n)],
  ["double", DOUBLE, 0],
  ["duration", DURATION, duration(0n)],
];
const ORDERED: readonly (readonly [string, Type])[] = [
  ["int", INT],
  ["uint", UINT],
  ["double", DOUBLE],
  ["bool", BOOL],
  ["duration", DURATION],
  ["timestamp", TIMESTAMP],
  ["string", STRING],
  ["bytes", BYTES],
];

const ofOrdered = (make: (name: string, type: Type) => Overload): readonly Overload[] =>
  ORDERED.map(([name, type]) => make(name, type));

export const LISTS: readonly FunctionDeclaration[] = [
  {
    name: "isSorted",
    overloads: ofOrdered((name, type) =>
      member(`list_${name}_is_sorted_bool`, [listOf(type)], BOOL, ([list]) => isSorted(list as List)),
    ),
  },
  {
    name: "sum",
    overloads: SUMMABLE.map(([name, type, zero]) =>
      member(`list_${name}_sum_${name}`, [listOf(type)], type, ([list]) => sum(list as List, zero)),
    ),
  },
  {
    name: "max",
    overloads: ofOrdered((name, type) =>
      member(`list_${name}_max_${name}`, [listOf(type)], type, ([list]) => extreme("max", list as List)),
    ),
  },
  {
    name: "min",
    overloads: ofOrdered((name, type) =>
      member(`list_${name}_min_${name}`, [listOf(type)], type, ([list]) => extreme("min", list as List)),
    ),
  },
  {
    name: "indexOf",
    overloads: [
      member("list_a_index_of_int", [listOf(A), A], INT, ([list, item]) => placeOf(list as List, item as Value, false)),
    ],
  },
  {
    name: "lastIndexOf",
    overloads: [
      member("list_a_last_index_of_int", [listOf(A), A], INT, ([list, item]) =>
        placeOf(list as List, item as Value, true),
      ),
    ],
  },
  {
    name: "slice",
    overloads: [
      member("list_slice", [LIST_T, INT, INT], LIST_T, ([list, from, to], running) =>
        slice(list as List, from as bigint, to as bigint, running),
      ),
    ],
  },
  {
    name: "flatten",
    overloads: [
      member("list_flatten", [listOf(LIST_T)], LIST_T, ([list], running) => flatten(list as Value, 1n, running)),
      member("list_flatten_int", [listOf(DYN), INT], listOf(DYN), ([list, depth], running) =>
        flatten(list as Value, depth as Value, running),
      ),
    ],
    isUnguarded: true,
  },
  {
    name: "sort",
    overloads: ofOrdered((name, type) => member(`list_${sortName(name)}_sort`, [listOf(type)], listOf(type))),
    singleton: ([list], running) => sortBy(list as List, list as List, running),
    accepts: new Set(["list"]),
  },
  {
    name: "@sortByAssociatedKeys",
    overloads: ofOrdered((name, type) =>
      member(`list_${sortName(name)}_sortByAssociatedKeys`, [LIST_T, listOf(type)], LIST_T),
    ),
    singleton: ([list, keys], running) => sortBy(list as List, keys as List, running),
    accepts: new Set(["list"]),
  },
  {
    name: "lists.range",
    overloads: [overload("lists_range", [INT], listOf(INT), ([count], running) => range(count as bigint, running))],
  },
  {
    name: "reverse",
    overloads: [member("list_reverse", [LIST_T], LIST_T, ([list], running) => reversed(list as List, running))],
  },
  {
    name: "distinct",
    overloads: [member("list_distinct", [LIST_T], LIST_T, ([list]) => distinct(list as List))],
  },
  ...sets(),
  {
    name: "cel.@mapInsert",
    overloads: [
      overload("@mapInsert_map_key_value", [MAP_KV, K, V], MAP_KV, ([map, key, value]) =>
        insert(map as CelMap, [[key as Value, value as Value]]),
      ),
      overload("@mapInsert_map_map", [MAP_KV, MAP_KV], MAP_KV, ([map, other]) =>
        insert(map as CelMap, entriesOf(other as CelMap)),
      ),
    ],
  },
];

/** As overloads of cel-go's extension name their types. */
function sortName(name: string): string {
  return name === "duration" ? DURATION.name : name === "timestamp" ? TIMESTAMP.name : name;
}

function sets(): readonly FunctionDeclaration[] {
  const of = (name: string, run: (a: List, b: List) => Value | CelError): FunctionDeclaration => ({
    name: `sets.${name}`,
    overloads: [overload(`list_sets_${name}_list`, [LIST_T, LIST_T], BOOL, ([a, b]) => run(a as List, b as List))],
  });
  return [
    of("contains", containsAll),
    of("equivalent", (a, b) => {
      const contained = containsAll(a, b);
      return contained === true ? containsAll(b, a) : contained;
    }),
    of("intersects", (a, b) => {
      for (let index = 0; index < a.size; index++) {
        const item = a.get(index);
        if (!isError(item) && listContains(b, item) === true) return true;
      }
      return false;
    }),
  ];
}

function containsAll(list: List, others: List): Value | CelError {
  for (let index = 0; index < others.size; index++) {
    const item = others.get(index);
    const found = isError(item) ? item : listContains(list, item);
    if (found !== true) return found;
  }
  return true;
}

function isSorted(list: List): Value | CelError {
  const values = valuesOf(list);
  if (isError(values)) return values;
  for (const [index, value] of values.entries()) {
    if (!isComparable(value)) return NO_SUCH_OVERLOAD;
    const before = values[index - 1];
    if (index > 0 && before !== undefined && compare(before, value) === 1) return false;
  }
  return true;
}

function sum(list: List, zero: Value): Value | CelError {
  let total: Value = zero;
  for (let index = 0; index < list.size; index++) {
    const item = list.get(index);
    if (isError(item)) return item;
    const next = isKind(total, "duration") ? addTime(total, item) : calculate("+", total as bigint, item);
    if (isError(next)) return next;
    total = next;
  }
  return total;
}

function extreme(name: "min" | "max", list: List): Value | CelError {
  const values = valuesOf(list);
  if (isError(values)) return values;
  const [first, ...rest] = values;
  if (first === undefined) return error(`${name} called on empty list`);
  const wanted = name === "min" ? 1 : -1;
  return rest.reduce<Value>((best, each) => (Math.sign(Number(compare(best, each))) === wanted ? each : best), first);
}

function placeOf(list: List, item: Value, isLast: boolean): Value {
  for (let step = 0; step < list.size; step++) {
    const index = isLast ? list.size - 1 - step : step;
    const each = list.get(index);
    if (!isError(each) && equal(each, item) === true) return BigInt(index);
  }
  return -1n;
}

function slice(list: List, from: bigint, to: bigint, running: Running): Value | CelError {
  if (from < 0n || to < 0n) return error(`cannot slice(${from}, ${to}), negative indexes not supported`);
  if (from > to) return error(`cannot slice(${from}, ${to}), start index must be less than or equal to end index`);
  if (BigInt(list.size) < to) return error(`cannot slice(${from}, ${to}), list is length ${list.size}`);
  return picked(list, Number(to - from), (index) => index + Number(from), running);
}

function reversed(list: List, running: Running): Value | CelError {
  return picked(list, list.size, (index) => list.size - 1 - index, running);
}

function picked(list: List, count: number, from: (index: number) => number, running: Running): Value | CelError {
  running.spend(count);
  const values: Value[] = [];
  for (let index = 0; index < count; index++) {
    const item = list.get(from(index));
    if (isError(item)) return item;
    values.push(item);
  }
  return listOfValues(values);
}

/** How deep lists nest that are flattened. */
const MAX_DEPTH = 500n;

function flatten(list: Value, depth: Value, running: Running): Value | CelError {
  if (!isKind(list, "list")) {
    const type = isKind(list, "map") ? printedType(MAP) : runtimeType(list).name;
    return error(`no such overload: ${type}.flatten()`);
  }
  if (typeof depth !== "bigint") return error(`no such overload: list.flatten(${runtimeType(depth).name})`);
  if (depth < 0n) return error("level must be non-negative");
  const values: Value[] = [];
  const failed = collect(list, depth > MAX_DEPTH ? MAX_DEPTH : depth, values, running);
  return failed ?? listOfValues(values);
}

function collect(list: List, depth: bigint, into: Value[], running: Running): CelError | undefined {
  running.spend(list.size + into.length);
  for (let index = 0; index < list.size; index++) {
    const item = list.get(index);
    if (isError(item)) return item;
    const failed = isKind(item, "list") && depth > 0n ? collect(item, depth - 1n, into, running) : void into.push(item);
    if (failed !== undefined) return failed;
  }
  return undefined;
}

function range(count: bigint, running: Running): Value | CelError {
  running.spend(Number(count));
  return listOfValues(Array.from({ length: Math.max(0, Number(count)) }, (_, index) => BigInt(index)));
}

function sortBy(list: List, keys: List, running: Running): Value | CelError {
  if (list.size !== keys.size) {
    return error(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${list.size} and ${keys.size} elements respectively`,
    );
  }
  if (list.size === 0) return list;
  // Where the types do not tell how to sort, nobody has paid for it.
  running.spend(selfCompare(keys));
  const [order, items] = [valuesOf(keys), valuesOf(list)];
  if (isError(order) || isError(items)) return isError(order) ? order : (items as CelError);
  const [first] = order as [Value, ...Value[]];
  if (!isComparable(first)) return error("list elements must be comparable");
  if (list.size > 1 && order.some((key) => runtimeType(key).name !== runtimeType(first).name))
    return error("list elements must have the same type");
  const places = order.map((_, index) => index);
  places.sort((a, b) => Number(compare(order[a] as Value, order[b] as Value)) || 0);
  return listOfValues(places.map((place) => items[place] as Value));
}

function distinct(list: List): Value | CelError {
  const values = valuesOf(list);
  if (isError(values)) return values;
  const unique: Value[] = [];
  for (const value of values) if (!unique.some((each) => equal(value, each) === true)) unique.push(value);
  return listOfValues(unique);
}

function entriesOf(map: CelMap): readonly (readonly [Value, Value])[] {
  return map.keys().flatMap((key) => {
    const value = map.find(key);
    return value === undefined || isError(value) ? [] : [[key, value] as const];
  });
}

/** Into the map itself where it is the accumulator of a loop. */
function insert(map: CelMap, entries: readonly (readonly [Value, Value])[]): Value | CelError {
  const into = "insert" in map ? (map as GrowingMap) : mapOfEntries(entriesOf(map));
  for (const [key, value] of entries) {
    const failed = into.insert(key, value);
    if (failed !== undefined) return failed;
  }
  return into;
}

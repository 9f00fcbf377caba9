/** Values that may be missing. `or` and `orValue` are the evaluator's own: they evaluate no more than they need. */
import { type FunctionDeclaration, member, overload } from "../check/declarations.ts";
import { BOOL, DYN, INT, listOf, mapOf, optionalOf, param, STRING } from "../check/types.ts";
import { OPERATORS } from "../syntax/ast.ts";
import { listOfValues } from "../value/collections.ts";
import { shown } from "../value/show.ts";
import { FIRST_NANOS } from "../value/time.ts";
import {
  type CelError,
  error,
  isError,
  isKind,
  type List,
  NONE,
  type Optional,
  some,
  type Value,
} from "../value/value.ts";

const K = param("K");
const V = param("V");
const OPTIONAL_V = optionalOf(V);
const LIST_V = listOf(V);
const MAP_KV = mapOf(K, V);

export const OPTIONALS: readonly FunctionDeclaration[] = [
  { name: "optional.of", overloads: [overload("optional_of", [V], OPTIONAL_V, ([value]) => some(value as Value))] },
  {
    name: "optional.ofNonZeroValue",
    overloads: [
      overload("optional_ofNonZeroValue", [V], OPTIONAL_V, ([value]) =>
        isZero(value as Value) ? NONE : some(value as Value),
      ),
    ],
  },
  { name: "optional.none", overloads: [overload("optional_none", [], OPTIONAL_V, () => NONE)] },
  {
    name: "value",
    overloads: [
      member(
        "optional_value",
        [OPTIONAL_V],
        V,
        ([value]) => (value as Optional).value ?? dereferenced(value as Optional),
      ),
    ],
  },
  {
    name: "hasValue",
    overloads: [member("optional_hasValue", [OPTIONAL_V], BOOL, ([value]) => (value as Optional).value !== undefined)],
  },
  { name: "or", overloads: [member("optional_or_optional", [OPTIONAL_V, OPTIONAL_V], OPTIONAL_V)] },
  { name: "orValue", overloads: [member("optional_orValue_value", [OPTIONAL_V, V], V)] },
  { name: OPERATORS.optionalSelect, overloads: [overload("select_optional_field", [DYN, STRING], OPTIONAL_V)] },
  {
    name: OPERATORS.optionalIndex,
    overloads: [
      overload("list_optindex_optional_int", [LIST_V, INT], OPTIONAL_V),
      overload("optional_list_optindex_optional_int", [optionalOf(LIST_V), INT], OPTIONAL_V),
      overload("map_optindex_optional_value", [MAP_KV, K], OPTIONAL_V),
      overload("optional_map_optindex_optional_value", [optionalOf(MAP_KV), K], OPTIONAL_V),
    ],
  },
  {
    name: OPERATORS.index,
    overloads: [
      overload("optional_list_index_int", [optionalOf(LIST_V), INT], OPTIONAL_V),
      overload("optional_map_index_value", [optionalOf(MAP_KV), K], OPTIONAL_V),
    ],
  },
  { name: "last", overloads: [member("list_last", [LIST_V], OPTIONAL_V, ([list]) => itemAt(list as List, -1))] },
  { name: "first", overloads: [member("list_first", [LIST_V], OPTIONAL_V, ([list]) => itemAt(list as List, 0))] },
  {
    name: "optional.unwrap",
    overloads: [overload("optional_unwrap", [listOf(OPTIONAL_V)], LIST_V, ([list]) => unwrap(list as List))],
  },
  {
    name: "unwrapOpt",
    overloads: [member("optional_unwrapOpt", [listOf(OPTIONAL_V)], LIST_V, ([list]) => unwrap(list as List))],
  },
];

function dereferenced(optional: Optional): Value | CelError {
  return optional.value === undefined ? error("optional.none() dereference") : optional.value;
}

function itemAt(list: List, index: number): Value | CelError {
  if (list.size === 0) return NONE;
  const item = list.get(index < 0 ? list.size + index : index);
  return isError(item) ? item : some(item);
}

function unwrap(list: List): Value | CelError {
  const values: Value[] = [];
  for (let index = 0; index < list.size; index++) {
    const item = list.get(index);
    if (isError(item)) return item;
    if (!isKind(item, "optional")) return error(`value ${shown(item)} is not optional`);
    if (isError(item.value)) return item.value;
    if (item.value !== undefined) values.push(item.value);
  }
  return listOfValues(values);
}

/** The empty value of its type. */
function isZero(value: Value): boolean {
  if (typeof value === "number") return value === 0;
  if (typeof value !== "object" || value === null) return !value;
  if (value instanceof Uint8Array) return value.length === 0;
  if (value.kind === "list" || value.kind === "map") return value.size === 0;
  if (value.kind === "struct") return value.fields.size === 0;
  if (value.kind === "uint") return value.value === 0n;
  // The first of all timestamps is the one that Go has where there is none.
  if (value.kind === "timestamp") return value.nanos === FIRST_NANOS;
  return value.kind === "duration" && value.nanos === 0n;
}

/** The functions that CEL itself has: operators, sizes, texts, conversions. */
import { type FunctionDeclaration, member, overload, type Run, type Running } from "../check/declarations.ts";
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  param,
  STRING,
  TIMESTAMP,
  type Type,
  typeOf,
  UINT,
} from "../check/types.ts";
import { OPERATORS } from "../syntax/ast.ts";
import { containerHas } from "../value/collections.ts";
import { convert } from "../value/convert.ts";
import { COMPARABLE, compare } from "../value/equal.ts";
import { calculate, checkedInt, isNumber, type Sign } from "../value/numbers.ts";
import { lengthOf } from "../value/text.ts";
import { addTime, checkedDuration, subtractTime } from "../value/time.ts";
import { type CelError, isKind, NO_SUCH_OVERLOAD, runtimeType, type Value } from "../value/value.ts";
import { patternOf, searched } from "./patterns.ts";

const A = param("A");
const B = param("B");
const LIST_A = listOf(A);
const MAP_AB = mapOf(A, B);

const NUMBERS: readonly (readonly [string, Type])[] = [
  ["double", DOUBLE],
  ["int64", INT],
  ["uint64", UINT],
];

const named = (...types: Type[]): ReadonlySet<string> => new Set(types.map(({ name }) => name));
const ADDABLE = named(BYTES, DOUBLE, DURATION, INT, LIST_A, STRING, TIMESTAMP, UINT);
const SUBTRACTABLE = named(DOUBLE, DURATION, INT, TIMESTAMP, UINT);

export const STANDARD: readonly FunctionDeclaration[] = [
  { name: OPERATORS["?"], overloads: [overload("conditional", [BOOL, A, A], A)] },
  { name: OPERATORS["&&"], overloads: [overload("logical_and", [BOOL, BOOL], BOOL)] },
  { name: OPERATORS["||"], overloads: [overload("logical_or", [BOOL, BOOL], BOOL)] },
  {
    name: OPERATORS["!"],
    overloads: [overload("logical_not", [BOOL], BOOL)],
    singleton: ([value]) => (typeof value === "boolean" ? !value : NO_SUCH_OVERLOAD),
  },
  { name: OPERATORS.notStrictlyFalse, overloads: [overload("not_strictly_false", [BOOL], BOOL)] },
  { name: OPERATORS["=="], overloads: [overload("equals", [A, A], BOOL)] },
  { name: OPERATORS["!="], overloads: [overload("not_equals", [A, A], BOOL)] },
  {
    name: OPERATORS["+"],
    overloads: [
      overload("add_bytes", [BYTES, BYTES], BYTES),
      overload("add_double", [DOUBLE, DOUBLE], DOUBLE),
      overload("add_duration_duration", [DURATION, DURATION], DURATION),
      overload("add_duration_timestamp", [DURATION, TIMESTAMP], TIMESTAMP),
      overload("add_timestamp_duration", [TIMESTAMP, DURATION], TIMESTAMP),
      overload("add_int64", [INT, INT], INT),
      overload("add_list", [LIST_A, LIST_A], LIST_A),
      overload("add_string", [STRING, STRING], STRING),
      overload("add_uint64", [UINT, UINT], UINT),
    ],
    singleton: add,
    accepts: ADDABLE,
  },
  {
    name: OPERATORS["-"],
    overloads: [
      overload("subtract_double", [DOUBLE, DOUBLE], DOUBLE),
      overload("subtract_duration_duration", [DURATION, DURATION], DURATION),
      overload("subtract_int64", [INT, INT], INT),
      overload("subtract_timestamp_duration", [TIMESTAMP, DURATION], TIMESTAMP),
      overload("subtract_timestamp_timestamp", [TIMESTAMP, TIMESTAMP], DURATION),
      overload("subtract_uint64", [UINT, UINT], UINT),
    ],
    singleton: ([a, b]) =>
      isKind(a, "duration") || isKind(a, "timestamp")
        ? subtractTime(a, b as Value)
        : arithmetic("-", a as Value, b as Value),
    accepts: SUBTRACTABLE,
  },
  ...(["*", "/", "%"] as const).map(
    (sign): FunctionDeclaration => ({
      name: OPERATORS[sign],
      overloads: NUMBERS.filter(([, type]) => sign !== "%" || type !== DOUBLE).map(([name, type]) =>
        overload(`${{ "*": "multiply", "/": "divide", "%": "modulo" }[sign]}_${name}`, [type, type], type),
      ),
      singleton: ([a, b]) => arithmetic(sign, a as Value, b as Value),
      accepts: sign === "%" ? named(INT, UINT) : named(DOUBLE, INT, UINT),
    }),
  ),
  {
    name: OPERATORS.negate,
    overloads: [overload("negate_double", [DOUBLE], DOUBLE), overload("negate_int64", [INT], INT)],
    singleton: ([value]) => negated(value as Value),
    accepts: named(BOOL, DOUBLE, DURATION, INT),
  },
  ...relation("<", "less", (order) => order < 0),
  ...relation("<=", "less_equals", (order) => order <= 0),
  ...relation(">", "greater", (order) => order > 0),
  ...relation(">=", "greater_equals", (order) => order >= 0),
  {
    name: OPERATORS.index,
    overloads: [overload("index_list", [LIST_A, INT], A), overload("index_map", [MAP_AB, A], B)],
  },
  {
    name: OPERATORS.in,
    overloads: [overload("in_list", [A, LIST_A], BOOL), overload("in_map", [A, MAP_AB], BOOL)],
    singleton: ([value, container]) => containerHas(container as Value, value as Value),
  },
  {
    name: "size",
    overloads: (
      [
        ["bytes", BYTES],
        ["list", LIST_A],
        ["map", MAP_AB],
        ["string", STRING],
      ] as const
    ).flatMap(([name, type]) => [overload(`size_${name}`, [type], INT), member(`${name}_size`, [type], INT)]),
    singleton: ([value]) => sizeOf(value as Value),
    accepts: named(BYTES, LIST_A, MAP_AB, STRING),
  },
  {
    name: "type",
    overloads: [overload("type", [A], typeOf(A))],
    singleton: ([value]) => ({ kind: "type", type: runtimeType(value as Value) }),
  },
  { name: "dyn", overloads: [overload("to_dyn", [A], DYN)], singleton: ([value]) => value as Value },
  conversion("bool", BOOL, [
    ["bool", BOOL],
    ["string", STRING],
  ]),
  conversion("bytes", BYTES, [
    ["bytes", BYTES],
    ["string", STRING],
  ]),
  conversion("double", DOUBLE, [
    ["double", DOUBLE],
    ["int64", INT],
    ["string", STRING],
    ["uint64", UINT],
  ]),
  conversion("duration", DURATION, [
    ["duration", DURATION],
    ["int64", INT],
    ["string", STRING],
  ]),
  conversion("int64", INT, [
    ["int64", INT],
    ["double", DOUBLE],
    ["duration", DURATION],
    ["string", STRING],
    ["timestamp", TIMESTAMP],
    ["uint64", UINT],
  ]),
  conversion("string", STRING, [
    ["string", STRING],
    ["bool", BOOL],
    ["bytes", BYTES],
    ["double", DOUBLE],
    ["duration", DURATION],
    ["int64", INT],
    ["timestamp", TIMESTAMP],
    ["uint64", UINT],
  ]),
  conversion("timestamp", TIMESTAMP, [
    ["timestamp", TIMESTAMP],
    ["int64", INT],
    ["string", STRING],
  ]),
  conversion("uint64", UINT, [
    ["uint64", UINT],
    ["double", DOUBLE],
    ["int64", INT],
    ["string", STRING],
  ]),
  ofTexts("contains", "contains_string", (text, part) => text.includes(part)),
  ofTexts("endsWith", "ends_with_string", (text, part) => text.endsWith(part)),
  ofTexts("startsWith", "starts_with_string", (text, part) => text.startsWith(part)),
  {
    name: "matches",
    overloads: [overload("matches", [STRING, STRING], BOOL), member("matches_string", [STRING, STRING], BOOL)],
    singleton: ([text, pattern], running) => matches(text as Value, pattern as Value, running),
    accepts: named(STRING),
  },
];

function add([a, b]: readonly Value[]): Value | CelError {
  const other = b as Value;
  if (typeof a === "string") return typeof other === "string" ? a + other : NO_SUCH_OVERLOAD;
  if (a instanceof Uint8Array) return other instanceof Uint8Array ? Buffer.concat([a, other]) : NO_SUCH_OVERLOAD;
  if (isKind(a, "list")) return isKind(other, "list") ? a.plus(other) : NO_SUCH_OVERLOAD;
  if (isKind(a, "duration") || isKind(a, "timestamp")) return addTime(a, other);
  return arithmetic("+", a as Value, other);
}

function arithmetic(sign: Sign, a: Value, b: Value): Value | CelError {
  return isNumber(a) ? calculate(sign, a, b) : NO_SUCH_OVERLOAD;
}

function negated(value: Value): Value | CelError {
  if (typeof value === "bigint") return checkedInt(-value);
  if (typeof value === "number") return -value;
  return isKind(value, "duration") ? checkedDuration(-value.nanos) : NO_SUCH_OVERLOAD;
}

/** An order between two values of a type, and between numbers of all types. */
function relation(
  sign: "<" | "<=" | ">" | ">=",
  name: string,
  holds: (order: number) => boolean,
): FunctionDeclaration[] {
  const others: readonly (readonly [string, Type])[] = [
    ["string", STRING],
    ["bytes", BYTES],
    ["timestamp", TIMESTAMP],
    ["duration", DURATION],
  ];
  // The first that fits decides of what is yet to be found out: doubles are last, and of each the like come first.
  const [double, ...whole] = NUMBERS as [(typeof NUMBERS)[number], ...(typeof NUMBERS)[number][]];
  const mixed = [...whole, double].flatMap(([left, a]) => [
    overload(`${name}_${left}`, [a, a], BOOL),
    ...NUMBERS.filter(([right]) => right !== left).map(([right, b]) =>
      overload(`${name}_${left}_${right}`, [a, b], BOOL),
    ),
  ]);
  const run: Run = ([a, b]) => {
    const order = compare(a as Value, b as Value);
    return typeof order === "number" ? holds(order) : order;
  };
  return [
    {
      name: OPERATORS[sign],
      overloads: [
        overload(`${name}_bool`, [BOOL, BOOL], BOOL),
        ...mixed,
        ...others.map(([each, type]) => overload(`${name}_${each}`, [type, type], BOOL)),
      ],
      singleton: run,
      accepts: COMPARABLE,
    },
  ];
}

function conversion(to: string, type: Type, from: readonly (readonly [string, Type])[]): FunctionDeclaration {
  return {
    name: type === DURATION || type === TIMESTAMP ? type.kind : type.name,
    overloads: from.map(([name, given]) =>
      overload(`${name}_to_${to}`, [given], type, ([value]) => convert(value as Value, type)),
    ),
  };
}

function ofTexts(name: string, id: string, holds: (text: string, other: string) => boolean): FunctionDeclaration {
  const run: Run = ([text, other]) =>
    typeof text === "string" && typeof other === "string" ? holds(text, other) : NO_SUCH_OVERLOAD;
  return { name, overloads: [member(id, [STRING, STRING], BOOL, run)], isUnguarded: true };
}

function matches(text: Value, pattern: Value, running: Running): Value | CelError {
  if (typeof text !== "string" || typeof pattern !== "string") return NO_SUCH_OVERLOAD;
  const compiled = patternOf(pattern);
  return "test" in compiled ? searched("matches", compiled, text, -1, running) : compiled;
}

function sizeOf(value: Value): Value | CelError {
  if (typeof value === "string") return BigInt(lengthOf(value));
  if (value instanceof Uint8Array) return BigInt(value.length);
  return isKind(value, "list") || isKind(value, "map") ? BigInt(value.size) : NO_SUCH_OVERLOAD;
}

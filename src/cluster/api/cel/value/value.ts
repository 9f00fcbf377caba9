/**
 * Values of expressions. Whole numbers are bigint, doubles are number; what JavaScript has no type of its own for is an object
 * with a `kind`. Errors travel like values, because `&&` and `||` can do without them.
 */

import type { Json } from "../../json.ts";
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  INT,
  LIST,
  MAP,
  NULL,
  OPTIONAL,
  STRING,
  TIMESTAMP,
  TYPE,
  type Type,
  UINT,
} from "../check/types.ts";
import type { Literal } from "../syntax/ast.ts";

export interface Uint {
  readonly kind: "uint";
  readonly value: bigint;
}

export interface Duration {
  readonly kind: "duration";
  readonly nanos: bigint;
}

export interface Timestamp {
  readonly kind: "timestamp";
  /** Since 1970. */
  readonly nanos: bigint;
  /** Seconds east of UTC, as it was written: it prints so. */
  readonly offset: number;
}

export interface TypeValue {
  readonly kind: "type";
  readonly type: Type;
}

export interface Optional {
  readonly kind: "optional";
  /** Undefined: it has none. An error is one for whoever asks for it. */
  readonly value: Value | CelError | undefined;
}

export interface List {
  readonly kind: "list";
  readonly size: number;
  /** Of an index that is in the list. */
  get(index: number): Value | CelError;
  plus(other: List): List | CelError;
  /** Where equality is not that of items in order. */
  equals?(other: List): boolean | CelError;
  contains?(value: Value): boolean | CelError;
  /** What it was made of, where that was JSON. */
  readonly json?: readonly Json[];
}

export interface CelMap {
  readonly kind: "map";
  readonly size: number;
  /** Undefined: there is no such key. */
  find(key: Value): Value | CelError | undefined;
  keys(): readonly Value[];
  equals?(other: CelMap): boolean | CelError;
  readonly json?: Json;
}

/** A message that was built, with those fields that were set. */
export interface Struct {
  readonly kind: "struct";
  readonly type: Type;
  readonly fields: ReadonlyMap<string, Value>;
}

/** A value of a type of Kubernetes. */
export interface Opaque {
  readonly kind: "opaque";
  readonly type: Type;
  readonly data: unknown;
  /** Of a value of the same type. */
  equals(other: Opaque): boolean | CelError;
  readonly size?: number;
  readonly text?: string;
}

export type Value =
  | boolean
  | bigint
  | number
  | string
  | null
  | Uint8Array
  | Uint
  | Duration
  | Timestamp
  | TypeValue
  | Optional
  | List
  | CelMap
  | Struct
  | Opaque;

/** What tells errors from all else: JSON may have any field, also a `kind`. */
const IS_ERROR = Symbol("error");

export interface CelError {
  readonly message: string;
  readonly [IS_ERROR]: true;
}

export function error(message: string): CelError {
  return { message, [IS_ERROR]: true };
}

export const NO_SUCH_OVERLOAD = error("no such overload");
export const NONE: Optional = { kind: "optional", value: undefined };

export function isError(value: unknown): value is CelError {
  return typeof value === "object" && value !== null && IS_ERROR in value;
}

export function uint(value: bigint): Uint {
  return { kind: "uint", value };
}

export function duration(nanos: bigint): Duration {
  return { kind: "duration", nanos };
}

export function some(value: Value | CelError): Optional {
  return { kind: "optional", value };
}

export function isKind<Kind extends string>(value: unknown, kind: Kind): value is Extract<Value, { kind: Kind }> {
  return typeof value === "object" && value !== null && (value as { kind?: unknown }).kind === kind;
}

/** The type that a value has when it is asked; lists and maps do not know of what. */
export function runtimeType(value: Value): Type {
  if (typeof value === "string") return STRING;
  if (typeof value === "bigint") return INT;
  if (typeof value === "boolean") return BOOL;
  if (typeof value === "number") return DOUBLE;
  if (value === null) return NULL;
  return value instanceof Uint8Array ? BYTES : objectType(value);
}

function objectType(value: Exclude<Value, boolean | bigint | number | string | null | Uint8Array>): Type {
  switch (value.kind) {
    case "uint":
      return UINT;
    case "duration":
      return DURATION;
    case "timestamp":
      return TIMESTAMP;
    case "type":
      return TYPE;
    case "optional":
      return OPTIONAL;
    case "list":
      return LIST;
    case "map":
      return MAP;
    case "struct":
    case "opaque":
      return value.type;
  }
}

export function literalValue(literal: Literal): Value {
  if (literal.type === "null") return null;
  return literal.type === "uint" ? uint(literal.value) : literal.value;
}

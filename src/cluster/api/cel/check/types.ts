/** The types of expressions. */
import { TooLarge } from "../syntax/builder.ts";
import type { CelError, Value } from "../value/value.ts";

export type TypeKind =
  | "bool"
  | "int"
  | "uint"
  | "double"
  | "string"
  | "bytes"
  | "null"
  | "duration"
  | "timestamp"
  | "dyn"
  | "error"
  | "list"
  | "map"
  | "type"
  | "struct"
  | "opaque"
  /** A type that is yet to be found out, or any type in the declaration of a function. */
  | "param";

export interface Type {
  readonly kind: TypeKind;
  /** As values of it name their type: `google.protobuf.Duration`, `list`, `kubernetes.Quantity`. */
  readonly name: string;
  readonly params: readonly Type[];
  /** How many types it is made of. */
  readonly size: number;
  /** Of a struct: the type of a field; undefined where there is none. */
  readonly field?: (name: string) => Type | undefined;
  /** Of a struct that expressions may build: makes one of these fields, which have their types. */
  readonly build?: (fields: ReadonlyMap<string, Value>) => Value | CelError;
}

/** Nothing that anybody writes has a type of this many parts; what has could grow without end. */
const MAX_SIZE = 2_000;

function simple(kind: TypeKind, name: string): Type {
  return { kind, name, params: [], size: 1 };
}

function compound(kind: TypeKind, name: string, params: readonly Type[]): Type {
  const size = params.reduce((sum, param) => sum + param.size, 1);
  if (size > MAX_SIZE) throw new TooLarge(`type too large: more than ${MAX_SIZE} parts`);
  return { kind, name, params, size };
}

export const BOOL = simple("bool", "bool");
export const INT = simple("int", "int");
export const UINT = simple("uint", "uint");
export const DOUBLE = simple("double", "double");
export const STRING = simple("string", "string");
export const BYTES = simple("bytes", "bytes");
export const NULL = simple("null", "null_type");
export const DURATION = simple("duration", "google.protobuf.Duration");
export const TIMESTAMP = simple("timestamp", "google.protobuf.Timestamp");
export const DYN = simple("dyn", "dyn");
export const ERROR = simple("error", "!error!");
/** The type of types, of which nobody asks. */
export const TYPE = simple("type", "type");

export function listOf(item: Type): Type {
  return compound("list", "list", [item]);
}

export function mapOf(key: Type, value: Type): Type {
  return compound("map", "map", [key, value]);
}

export function typeOf(type: Type): Type {
  return compound("type", "type", [type]);
}

export function optionalOf(type: Type): Type {
  return compound("opaque", "optional_type", [type]);
}

export function opaque(name: string, ...params: Type[]): Type {
  return compound("opaque", name, params);
}

export function param(name: string): Type {
  return simple("param", name);
}

/** A type with fields. Two structs of the same name are the same type. */
export function struct(name: string, field: (name: string) => Type | undefined, build?: Type["build"]): Type {
  return { kind: "struct", name, params: [], size: 1, field, ...(build === undefined ? {} : { build }) };
}

/** A type of Kubernetes that has functions and no fields. */
export function sealed(name: string): Type {
  return simple("struct", name);
}

export const LIST = listOf(DYN);
export const MAP = mapOf(DYN, DYN);
export const OPTIONAL = optionalOf(DYN);

/** As complaints name it. */
export function shownType(type: Type): string {
  if (type.kind === "duration" || type.kind === "timestamp" || type.kind === "null") return type.kind;
  return type.params.length === 0 ? type.name : `${type.name}(${type.params.map(shownType).join(", ")})`;
}

/** As types print themselves. */
export function printedType(type: Type): string {
  if (type.kind === "param") return `<${type.name}>`;
  return type.params.length === 0 ? type.name : `${type.name}(${type.params.map(printedType).join(", ")})`;
}

export function isExactly(a: Type, b: Type): boolean {
  if (a === b) return true;
  return (
    a.kind === b.kind &&
    a.name === b.name &&
    a.params.length === b.params.length &&
    a.params.every((each, index) => isExactly(each, b.params[index] as Type))
  );
}

/** The same, but for the names of what is yet to be found out. */
export function isEquivalent(a: Type, b: Type): boolean {
  if (a.kind === "param" && b.kind === "param") return true;
  return (
    a.kind === b.kind &&
    a.name === b.name &&
    a.params.length === b.params.length &&
    a.params.every((each, index) => isEquivalent(each, b.params[index] as Type))
  );
}

export function isOptional(type: Type): boolean {
  return type.kind === "opaque" && type.name === "optional_type";
}

/** What an optional may have; any other type is itself. */
export function unwrapped(type: Type): Type {
  return isOptional(type) ? (type.params[0] as Type) : type;
}

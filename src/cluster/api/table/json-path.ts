/** Following a JSONPath through a value, by the rules of client-go. How one is written is in parse-json-path.ts. */
import { get, isList, isObject, type Json } from "../json.ts";
import { compare } from "./texts.ts";

export type JsonPath = readonly Step[];

export type Step =
  | { readonly kind: "field"; readonly name: string }
  /** Everything that a list or an object holds. */
  | { readonly kind: "wildcard" }
  /** One item; a negative index counts from the end. */
  | { readonly kind: "index"; readonly index: number }
  | { readonly kind: "slice"; readonly from: number; readonly to: number | undefined; readonly step: number }
  | { readonly kind: "filter"; readonly filter: Filter }
  /** What several paths lead to, one after the other. */
  | { readonly kind: "union"; readonly paths: readonly JsonPath[] }
  /** The value itself and all that is nested in it, as far as that holds something. */
  | { readonly kind: "descent" };

export type Filter =
  | { readonly kind: "exists"; readonly operand: Operand }
  /** A comparison that is not known can be written; nothing can be compared by it. */
  | { readonly kind: "compare"; readonly left: Operand; readonly comparison: string; readonly right: Operand };

export type Operand =
  | { readonly kind: "path"; readonly path: JsonPath }
  | { readonly kind: "value"; readonly value: string | number | boolean };

/** Most values that a step may lead to: a short path can multiply them without end (`[0,0][0,0]...`). */
const MOST_VALUES = 10_000;

/**
 * What a path leads to, in order: nothing where fields are missing. Undefined where the path does not fit the value at all:
 * a place beyond the end of a list, an index into what is no list, a comparison of different types; or leads to too much.
 */
export function follow(path: JsonPath, root: Json): readonly Json[] | undefined {
  let values: readonly Json[] | undefined = [root];
  for (const step of path) values = values && gather(values, (value) => take(step, value));
  return values;
}

/** Undefined if any of them is, or when there are too many. */
function gather<From>(
  from: readonly From[],
  lead: (value: From) => readonly Json[] | undefined,
): readonly Json[] | undefined {
  const all: Json[] = [];
  for (const value of from) {
    const found = lead(value);
    if (found === undefined || all.length + found.length > MOST_VALUES) return undefined;
    all.push(...found);
  }
  return all;
}

function take(step: Step, value: Json): readonly Json[] | undefined {
  if (value === null && step.kind !== "filter") return [];
  switch (step.kind) {
    case "field": {
      const found = isObject(value) ? get(value, step.name) : undefined;
      return found === undefined ? [] : [found];
    }
    case "wildcard":
      return contentsOf(value);
    case "descent":
      return nested(value);
    case "union":
      return gather(step.paths, (path) => follow(path, value));
    case "index": {
      const found = isList(value) ? value.at(step.index) : undefined;
      return found === undefined ? undefined : [found];
    }
    case "slice":
      return isList(value) ? slice(value, step.from, step.to ?? value.length, step.step) : undefined;
    case "filter":
      return isList(value) ? filtered(value, step.filter) : undefined;
  }
}

function contentsOf(value: Json): readonly Json[] {
  if (isList(value)) return value;
  return isObject(value) ? Object.values(value) : [];
}

function nested(value: Json): readonly Json[] {
  const contents = contentsOf(value);
  return contents.length === 0 ? [] : [value, ...contents.flatMap(nested)];
}

/** Asking for nothing is fine; asking beyond the end is not. */
function slice(list: readonly Json[], from: number, to: number, step: number): readonly Json[] | undefined {
  const first = from < 0 ? from + list.length : from;
  const end = to < 0 ? to + list.length : to;
  if (first === end) return [];
  if (step <= 0 || first < 0 || first > end || end > list.length) return undefined;
  return list.slice(first, end).filter((_, index) => index % step === 0);
}

function filtered(list: readonly Json[], filter: Filter): readonly Json[] | undefined {
  const kept: Json[] = [];
  for (const item of list) {
    const pass = passes(filter, item);
    if (pass === undefined) return undefined;
    if (pass) kept.push(item);
  }
  return kept;
}

/** An item that lacks a side of the comparison does not pass. Undefined when the two cannot be compared. */
function passes(filter: Filter, item: Json): boolean | undefined {
  if (filter.kind === "exists") return (valuesOf(filter.operand, item) ?? []).length > 0;
  const [lefts, rights] = [valuesOf(filter.left, item), valuesOf(filter.right, item)];
  if (lefts === undefined || rights === undefined || lefts.length > 1 || rights.length > 1) return undefined;
  const [left, right] = [lefts[0], rights[0]];
  return left === undefined || right === undefined ? false : holds(left, filter.comparison, right);
}

function valuesOf(operand: Operand, item: Json): readonly Json[] | undefined {
  return operand.kind === "value" ? [operand.value] : follow(operand.path, item);
}

function holds(left: Json, comparison: string, right: Json): boolean | undefined {
  const type = typeOf(left);
  if (type === "none" || type !== typeOf(right)) return undefined;
  if (comparison === "==") return left === right;
  if (comparison === "!=") return left !== right;
  const order = orderOf(left, right);
  if (order === undefined) return undefined;
  switch (comparison) {
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
    default:
      return undefined;
  }
}

/** Whole and broken numbers are different types to Go. */
function typeOf(value: Json): "string" | "boolean" | "integer" | "float" | "none" {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "boolean";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "float";
  return "none";
}

function orderOf(left: Json, right: Json): number | undefined {
  if (typeof left === "number" && typeof right === "number") return left - right;
  return typeof left === "string" && typeof right === "string" ? compare(left, right) : undefined;
}

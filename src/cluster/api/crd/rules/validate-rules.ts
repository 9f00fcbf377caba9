/**
 * Rules of a schema evaluated for an object: apiextensions-apiserver pkg/apiserver/schema/cel/validation.go. They are compiled
 * once, when the definition is read, those of each schema in it as a step; a schema without rules costs nothing.
 */
import { duplicate, type FieldError, forbidden, invalid, OMITTED, required } from "../../../../admission/verdict.ts";
import {
  asResource,
  isError,
  type Program,
  RUNTIME_BUDGET,
  type Type,
  typedValue,
  type Value,
} from "../../cel/index.ts";
import { NONE, some } from "../../cel/value/value.ts";
import { entriesOf, get, isList, isObject, type Json, type JsonObject } from "../../json.ts";
import type { Steps } from "../../steps.ts";
import type { Rule, Schema } from "../schema/schema.ts";
import { type CompiledRule, compileRules, effortOf, selfType } from "./compile-rules.ts";
import { atIndex, atKey, isUnchanged, itemBefore, NOTHING_BEFORE, type Ratchet } from "./correlation.ts";

/** Every rule that an object breaks. `warn` is told of those that it broke before and that nobody touched. */
export type ValidateRules = (
  next: JsonObject,
  old: JsonObject | undefined,
  warn: (error: FieldError) => void,
) => FieldError[];

/** A schema with rules in it, made ready. */
interface Node {
  readonly schema: Schema;
  readonly rules: readonly CompiledRule[];
  readonly items: Node | undefined;
  readonly properties: ReadonlyMap<string, Node>;
  readonly additional: Node | undefined;
}

/** What one validation has left, and what it found. */
interface Run {
  budget: number;
  readonly errors: FieldError[];
  readonly warn: (error: FieldError) => void;
}

/** Undefined for a schema without rules. */
export function* rulesOf(schema: Schema): Steps<ValidateRules | undefined> {
  const root = yield* nodeOf(schema, selfType(schema, true), true);
  if (root === undefined) return undefined;
  return (next, old, warn) => {
    const run: Run = { budget: RUNTIME_BUDGET, errors: [], warn };
    const current = old === undefined ? undefined : { value: next, old, schema };
    validate(root, "", next, old, { ...NOTHING_BEFORE, current }, run);
    return run.errors;
  };
}

function* nodeOf(schema: Schema, type: Type | undefined, isRoot: boolean): Steps<Node | undefined> {
  if (!schema.inside.rules || type === undefined) return undefined;
  const item = type.kind === "list" ? type.params[0] : undefined;
  const value = type.kind === "map" ? type.params[1] : undefined;
  const properties = new Map<string, Node>();
  for (const [name, inner] of schema.properties) {
    if (!inner.inside.rules) continue;
    const node = yield* nodeOf(inner, selfType(inner, inner.embedded), inner.embedded);
    if (node !== undefined) properties.set(name, node);
  }
  const { items, additional } = schema;
  const rules = schema.validations.length === 0 ? [] : compileRules(schema, type);
  yield effortOf(schema.validations);
  return {
    schema: isRoot ? asResource(schema) : schema,
    rules,
    items: items === undefined ? undefined : yield* nodeOf(items, item, items.embedded),
    properties,
    additional: typeof additional === "object" ? yield* nodeOf(additional, value, additional.embedded) : undefined,
  };
}

/** False: no budget is left, and nothing more is looked at. */
function validate(node: Node, path: string, value: Json, old: Json | undefined, ratchet: Ratchet, run: Run): boolean {
  if (value === null) return true;
  if (!evaluateRules(node, path, value, old ?? undefined, ratchet, run)) return false;
  if (isList(value)) {
    const { items } = node;
    if (items === undefined) return true;
    return value.every((item, index) =>
      validate(items, `${path}[${index}]`, item, itemBefore(node.schema, old, item), atIndex(ratchet, index), run),
    );
  }
  if (!isObject(value)) return true;
  const before = isObject(old) ? old : {};
  return entriesOf(value).every(([key, inner]) => {
    const own = node.properties.get(key);
    const child = own ?? node.additional;
    if (child === undefined) return true;
    const place = own === undefined ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    return validate(child, place, inner, get(before, key), atKey(ratchet, key), run);
  });
}

const OUT_OF_BUDGET = "validation failed due to running out of cost budget, no further validation rules will be run";

function evaluateRules(
  node: Node,
  path: string,
  value: Json,
  old: Json | undefined,
  ratchet: Ratchet,
  run: Run,
): boolean {
  if (node.rules.length === 0) return true;
  const { schema } = node;
  const type = schema.types.length === 1 ? (schema.types[0] ?? "") : "";
  const refuse = (detail: string) => run.errors.push(invalid(placed(path), type, detail));
  if (run.budget <= 0) {
    refuse(OUT_OF_BUDGET);
    return false;
  }
  const self = typedValue(value, schema);
  const oldSelf = old === undefined || old === null ? undefined : typedValue(old, schema);
  for (const compiled of node.rules) {
    const { rule, program, usesOldSelf, error } = compiled;
    if (error !== undefined) refuse(`rule compile error: ${error}`);
    if (program === undefined) continue;
    const isOptional = rule.optionalOldSelf === true;
    if (usesOldSelf && oldSelf === undefined && !isOptional) continue;
    const optionalOld = oldSelf === undefined || isError(oldSelf) ? NONE : some(oldSelf);
    const variables = (name: string) => (name === "self" ? self : isOptional ? optionalOld : oldSelf);
    const outcome = program.evaluate(variables);
    if (outcome.cost > run.budget) {
      refuse(OUT_OF_BUDGET);
      return false;
    }
    run.budget -= outcome.cost;
    if (isError(outcome.value)) {
      refuse(failureOf(outcome.value.message, rule));
      if (outcome.isExhausted) return false;
      continue;
    }
    if (outcome.value === true) continue;
    const told = messageOf(compiled, (name) => (name === "self" ? self : oldSelf), run);
    const place =
      compiled.path === "" ? path : `${path}${path === "" || compiled.path.startsWith("[") ? "" : "."}${compiled.path}`;
    const found = told.isFatal
      ? invalid(placed(place), type, told.text)
      : errorOf(rule, placed(place), type === "object" || type === "array" ? OMITTED : value, told.text);
    if (!usesOldSelf && isUnchanged(ratchet)) run.warn(found);
    else run.errors.push(found);
    if (told.isFatal) return false;
  }
  return true;
}

/** Upstream's word for no place at all. */
function placed(path: string): string {
  return path === "" ? "<nil>" : path;
}

function failureOf(message: string, rule: Rule): string {
  const text = shownRule(rule);
  if (message.startsWith("no such overload"))
    return `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${text}`;
  if (message.startsWith("operation cancelled: actual cost limit exceeded"))
    return `'${message}': no further validation rules will be run due to call cost exceeds limit for rule: ${text}`;
  return `${message} evaluating rule: ${text}`;
}

function errorOf({ reason }: Rule, path: string, value: unknown, detail: string): FieldError {
  switch (reason) {
    case "FieldValueForbidden":
      return forbidden(path, detail);
    case "FieldValueRequired":
      return required(path, detail);
    case "FieldValueDuplicate":
      return duplicate(path, value);
    default:
      return invalid(path, value, detail);
  }
}

const MAX_MESSAGE = 5 * 1024;

/** The text of a refusal: of the expression where that works out, else as it is written. */
function messageOf(
  { rule, message }: CompiledRule,
  variables: Parameters<Program["evaluate"]>[0],
  run: Run,
): { readonly text: string; readonly isFatal: boolean } {
  const written = {
    text: rule.message === "" ? `failed rule: ${shownRule(rule)}` : rule.message.trim(),
    isFatal: false,
  };
  if (message === undefined) return written;
  const { value, cost, isExhausted } = message.program.evaluate(variables);
  if (cost > run.budget)
    return {
      text: "messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run",
      isFatal: true,
    };
  if (isExhausted)
    return {
      text: `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${JSON.stringify(rule.messageExpression)}`,
      isFatal: true,
    };
  run.budget -= cost;
  const text = textOf(value);
  return text === undefined ? written : { text, isFatal: false };
}

function textOf(value: Value | { readonly message: string }): string | undefined {
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" || Buffer.byteLength(text) > MAX_MESSAGE || text.includes("\n") ? undefined : text;
}

function shownRule({ rule, message }: Rule): string {
  return (message === "" ? rule : message).trim();
}

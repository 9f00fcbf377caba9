/**
 * The words in which defaults are written down: a rule says what becomes of one value, and rules for fields, items and
 * structures are made of rules. A value of another type than a rule is about is left alone.
 */
import { get, isList, isObject, type Json, type JsonObject } from "../json.ts";

/** The value as it should be; undefined: it stays out. `parent` is the structure around it, as far as it is defaulted. */
export type Rule = (value: Json | undefined, parent: JsonObject) => Json | undefined;

export type FieldRules = Readonly<Record<string, Rule>>;

/** A field that Go has as a pointer: only one that is missing gets the default, for zero says something. */
export function whenMissing(fallback: Json): Rule {
  return (value) => value ?? fallback;
}

/** A field that Go has as a plain value: zero and `""` are as good as missing. A list or map that is empty, too. */
export function whenEmpty(fallback: Json): Rule {
  return (value) => (isEmpty(value) ? fallback : value);
}

/** Applies to the fields of a structure, in the order given; one that is missing stays so. */
export function fields(rules: FieldRules): Rule {
  return (value) => (isObject(value) ? applyTo(value, rules) : value);
}

/** The same for a structure that is always there. */
export function always(rules: FieldRules): Rule {
  const rule = fields(rules);
  return (value, parent) => rule(value ?? {}, parent);
}

/** Applies to each item of a list. */
export function each(rule: Rule): Rule {
  return (value, parent) => (isList(value) ? value.map((item) => rule(item, parent) ?? item) : value);
}

/** One after the other. */
export function inOrder(...rules: readonly Rule[]): Rule {
  return (value, parent) => rules.reduce<Json | undefined>((each, rule) => rule(each, parent), value);
}

/** The rule, where the structure around the field is of a certain kind. */
export function where(condition: (parent: JsonObject) => boolean, rule: Rule): Rule {
  return (value, parent) => (condition(parent) ? rule(value, parent) : value);
}

/** Whether a value says nothing, for Go: missing, zero, false, or empty. */
export function isEmpty(value: Json | undefined): boolean {
  if (isList(value)) return value.length === 0;
  if (isObject(value)) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === "" || value === 0 || value === false;
}

function applyTo(object: JsonObject, rules: FieldRules): JsonObject {
  let result: Record<string, Json> | undefined;
  for (const name of Object.keys(rules)) {
    const before = get(result ?? object, name);
    const after = rules[name]?.(before, result ?? object);
    if (after === before) continue;
    result ??= { ...object };
    if (after === undefined) delete result[name];
    else result[name] = after;
  }
  return result ?? object;
}

/**
 * A value against its schema, in the words and with the quirks of kube-openapi pkg/validation/validate, which Kubernetes
 * uses for custom resources.
 */
import { get, has, isList, isObject, type Json, type JsonObject, jsonEqual } from "../../json.ts";
import { oncePer } from "../../once-per.ts";
import { checkAlternatives } from "./alternatives.ts";
import { checkNumber, isNearlyWhole, isWhole } from "./check-number.ts";
import { itemWithKeys } from "./items-by-key.ts";
import {
  add,
  isFine,
  longer,
  merge,
  missing,
  more,
  newTally,
  notAnOption,
  type Tally,
  wrong,
  wrongType,
} from "./result.ts";
import { type Schema, schemaOfKey } from "./schema.ts";

/**
 * Everything that is wrong with the value. `before` is what it replaces: what was wrong there already, and is the same still,
 * is let through (CRD validation ratcheting); undefined for a value that is new.
 */
export function validateValue(value: Json, schema: Schema, path: string, before?: Json): Tally {
  const tally = newTally();
  check(value, schema, path, before, tally);
  return tally;
}

function check(value: Json, schema: Schema, path: string, before: Json | undefined, tally: Tally): void {
  if (before === undefined) return checkValue(value, schema, path, undefined, tally);
  const own = newTally();
  checkValue(value, schema, path, before, own);
  if (isFine(own) || jsonEqual(value, before)) tally.checks += own.checks;
  else merge(tally, own);
}

/** The value as it is, whatever it was. Each check that applies counts as one, besides what it counts itself. */
function checkValue(value: Json, schema: Schema, path: string, before: Json | undefined, tally: Tally): void {
  if (value === null) return checkNull(schema, path, tally);
  if (schema.types.length > 0 || schema.rules.format !== "") {
    checkType(value, schema, path, tally);
    tally.checks++;
  }
  if (isNarrowed(schema)) checkAlternatives(schema, path, (each) => against(value, each, path, before), tally);
  tally.checks++;
  if (typeof value === "string") {
    checkText(value, schema, path, tally);
    tally.checks++;
  } else if (typeof value === "number") {
    checkNumber(value, schema, path, tally);
    tally.checks++;
  } else if (isList(value)) {
    checkList(value, schema, path, before, tally);
    tally.checks++;
  }
  checkOptions(value, schema, path, tally);
  if (isObject(value)) {
    checkObject(value, schema, path, before, tally);
    tally.checks++;
  }
  // For the alternatives, for the options, and for the value itself.
  tally.checks += 3;
}

function isNarrowed({ allOf, anyOf, oneOf, not }: Schema): boolean {
  return allOf.length > 0 || anyOf.length > 0 || oneOf.length > 0 || not !== undefined;
}

function against(value: Json, schema: Schema, path: string, before: Json | undefined): Tally {
  const tally = newTally();
  checkValue(value, schema, path, before, tally);
  return tally;
}

function checkNull(schema: Schema, path: string, tally: Tally): void {
  const { types, nullable } = schema;
  if (types.length === 0 || nullable) tally.checks++;
  else add(tally, wrongType(path, types.join(","), "null"));
  checkOptions(null, schema, path, tally);
}

/** The type of a value as Go has it after decoding, and the format that upstream takes it for. */
function typeOf(value: Exclude<Json, null>): readonly [type: string, format: string] {
  if (isList(value)) return ["array", ""];
  if (typeof value === "number") return isWhole(value) ? ["integer", "int64"] : ["number", "float64"];
  return typeof value === "object" ? ["object", ""] : [typeof value, ""];
}

function checkType(value: Exclude<Json, null>, schema: Schema, path: string, tally: Tally): void {
  const { types } = schema;
  const { format } = schema.rules;
  const [type, itsFormat] = typeOf(value);
  const fits =
    types.includes(type) ||
    (type === "number" && typeof value === "number" && isNearlyWhole(value) && types.includes("integer")) ||
    (type === "integer" && types.includes("number"));
  const isTextual = typeof value === "string" || isList(value);
  if (!isTextual && format !== "" && !fits && itsFormat !== format)
    return add(tally, wrongType(path, format, itsFormat));
  // A list passes for a text that has a format: so it is upstream.
  const isNumeric = types.includes("number") || types.includes("integer");
  if (fits || (!isNumeric && format !== "" && isTextual)) tally.checks++;
  else add(tally, wrongType(path, types.join(","), type));
}

/** Of length and pattern the first that is wrong is told, of the format always; it counts as a check of its own. */
function checkText(text: string, { rules }: Schema, path: string, tally: Tally): void {
  const { maxLength, minLength, pattern, format, checkFormat } = rules;
  const length = maxLength === undefined && minLength === undefined ? 0 : Array.from(text).length;
  if (maxLength !== undefined && length > maxLength) {
    add(tally, longer(path, maxLength));
  } else if (minLength !== undefined && length < minLength) {
    add(tally, wrong(path, text, `${path} in body should be at least ${minLength} chars long`));
  } else if (pattern !== undefined && !pattern.expression.test(text)) {
    add(tally, wrong(path, text, `${path} in body should match '${pattern.text}'`));
  }
  if (checkFormat === undefined) return;
  if (!checkFormat(text)) add(tally, wrongType(path, format, text));
  tally.checks++;
}

function checkOptions(value: Json, { rules: { options } }: Schema, path: string, tally: Tally): void {
  if (options.length === 0 || isAmong(value, options)) return;
  add(tally, notAnOption(path, value, options));
}

/** Null is never among them, and a number is taken for the whole number below it. */
function isAmong(value: Json, options: readonly Json[]): boolean {
  if (value === null) return false;
  if (typeof value === "object") return options.some((option) => jsonEqual(value, option));
  const known = setOf(options);
  return known.has(value) || (typeof value === "number" && known.has(Math.trunc(value)));
}

/** Quick to be looked up: there may be thousands to choose from, and as many values. */
const setOf = oncePer((options: readonly Json[]): ReadonlySet<Json> => new Set(options));

function checkList(list: readonly Json[], schema: Schema, path: string, before: Json | undefined, tally: Tally): void {
  const { items, rules } = schema;
  const { minItems, maxItems, uniqueItems } = rules;
  if (items !== undefined) {
    for (const [index, item] of list.entries()) {
      check(item, items, `${path}[${index}]`, itemBefore(item, schema, before), tally);
    }
  }
  if (minItems !== undefined && list.length < minItems) {
    add(tally, wrong(path, list.length, `${path} in body should have at least ${minItems} items`));
  }
  if (maxItems !== undefined && list.length > maxItems) add(tally, more(path, "items", list.length, maxItems));
  if (uniqueItems && list.some((item, index) => list.slice(0, index).some((other) => jsonEqual(item, other)))) {
    add(tally, wrong(path, "", `${path} in body shouldn't contain duplicates`));
  }
  tally.checks++;
}

/** Only in a list with keys can it be told what an item was before. */
function itemBefore(item: Json, { listType, listKeys }: Schema, before: Json | undefined): Json | undefined {
  if (before === undefined || listType !== "map" || !isList(before) || !isObject(item)) return undefined;
  return itemWithKeys(before, listKeys, (each) => listKeys.map((key) => get(each, key) ?? null), item);
}

function checkObject(object: JsonObject, schema: Schema, path: string, before: Json | undefined, tally: Tally): void {
  const { minProperties, maxProperties, required } = schema.rules;
  const keys = Object.keys(object);
  if (minProperties !== undefined && keys.length < minProperties) {
    add(tally, wrong(path, keys.length, `${path} in body should have at least ${minProperties} properties`));
  }
  if (maxProperties !== undefined && keys.length > maxProperties) {
    add(tally, more(path, "properties", keys.length, maxProperties));
  }
  for (const key of keys) {
    const known = schemaOfKey(schema, key);
    if (known !== undefined) {
      const name = path === "" && schema.properties.has(key) ? key : `${path}.${key}`;
      check(object[key] ?? null, known, name, isObject(before) ? get(before, key) : undefined, tally);
    } else if (schema.additional === false) {
      add(tally, wrong(path, key, `${path}.${key} in body is a forbidden property`));
    }
  }
  for (const key of required) if (!has(object, key)) add(tally, missing(`${path}.${key}`));
}

/**
 * A value against its schema, in the words and with the quirks of kube-openapi pkg/validation/validate, which Kubernetes
 * uses for custom resources.
 */
import { get, has, isList, isObject, type Json, type JsonObject, jsonEqual } from "../../json.ts";
import { checkNumber, isNearlyWhole, isWhole } from "./check-number.ts";
import {
  counted,
  FINE,
  failed,
  isFine,
  longer,
  merged,
  missing,
  more,
  notAnOption,
  overall,
  type Result,
  wrong,
  wrongType,
} from "./result.ts";
import { type Schema, schemaOfKey } from "./schema.ts";

/**
 * Everything that is wrong with the value. `before` is what it replaces: what was wrong there already, and is the same still,
 * is let through (CRD validation ratcheting); undefined for a value that is new.
 */
export function validateValue(value: Json, schema: Schema, path: string, before?: Json): Result {
  const result = value === null ? validateNull(schema, path) : validateGiven(value, schema, path, before);
  if (before === undefined || isFine(result) || !jsonEqual(value, before)) return result;
  return counted(result.checks);
}

function validateNull(schema: Schema, path: string): Result {
  const { types, nullable } = schema;
  const type = types.length === 0 || nullable ? counted(1) : failed(wrongType(path, types.join(","), "null"));
  return merged([type, checkOptions(null, schema, path)]);
}

/** Each check that applies counts as one, besides what it counts itself. */
function validateGiven(value: Json, schema: Schema, path: string, before: Json | undefined): Result {
  const results = [
    ...(schema.types.length > 0 || schema.rules.format !== "" ? [checkType(value, schema, path)] : []),
    checkAlternatives(value, schema, path, before),
    ...(typeof value === "string" ? [checkText(value, schema, path)] : []),
    ...(typeof value === "string" && schema.rules.checkFormat !== undefined ? [checkFormat(value, schema, path)] : []),
    ...(typeof value === "number" ? [checkNumber(value, schema, path)] : []),
    ...(isList(value) ? [checkList(value, schema, path, before)] : []),
    checkOptions(value, schema, path),
    ...(isObject(value) ? [checkObject(value, schema, path, before)] : []),
  ];
  return merged([...results, counted(results.length + 1)]);
}

/** The type of a value as Go has it after decoding, and the format that upstream takes it for. */
function typeOf(value: Exclude<Json, null>): readonly [type: string, format: string] {
  if (isList(value)) return ["array", ""];
  if (typeof value === "number") return isWhole(value) ? ["integer", "int64"] : ["number", "float64"];
  return typeof value === "object" ? ["object", ""] : [typeof value, ""];
}

function checkType(value: Json, { types, rules: { format } }: Schema, path: string): Result {
  if (value === null) return FINE;
  const [type, itsFormat] = typeOf(value);
  const fits =
    types.includes(type) ||
    (type === "number" && typeof value === "number" && isNearlyWhole(value) && types.includes("integer")) ||
    (type === "integer" && types.includes("number"));
  const isTextual = typeof value === "string" || isList(value);
  if (!isTextual && format !== "" && !fits && itsFormat !== format) return failed(wrongType(path, format, itsFormat));
  // A list passes for a text that has a format: so it is upstream.
  const isNumeric = types.includes("number") || types.includes("integer");
  if (fits || (!isNumeric && format !== "" && isTextual)) return counted(1);
  return failed(wrongType(path, types.join(","), type));
}

function checkText(text: string, { rules }: Schema, path: string): Result {
  const { maxLength, minLength, pattern } = rules;
  const length = maxLength === undefined && minLength === undefined ? 0 : Array.from(text).length;
  if (maxLength !== undefined && length > maxLength) return failed(longer(path, maxLength));
  if (minLength !== undefined && length < minLength) {
    return failed(wrong(path, text, `${path} in body should be at least ${minLength} chars long`));
  }
  if (pattern !== undefined && !pattern.expression.test(text)) {
    return failed(wrong(path, text, `${path} in body should match '${pattern.text}'`));
  }
  return FINE;
}

function checkFormat(text: string, { rules: { format, checkFormat: check } }: Schema, path: string): Result {
  return check === undefined || check(text) ? FINE : failed(wrongType(path, format, text));
}

function checkOptions(value: Json, { rules: { options } }: Schema, path: string): Result {
  if (options.length === 0 || options.some((option) => isOption(value, option))) return FINE;
  return failed(notAnOption(path, value, options));
}

/** Null is never among them, and a number is taken for the whole number below it. */
function isOption(value: Json, option: Json): boolean {
  if (value === null || option === null) return false;
  if (typeof value === "number" && typeof option === "number" && isWhole(option)) return Math.trunc(value) === option;
  return jsonEqual(value, option);
}

function checkList(list: readonly Json[], schema: Schema, path: string, before: Json | undefined): Result {
  const { items, rules } = schema;
  const { minItems, maxItems, uniqueItems } = rules;
  const repeats =
    uniqueItems && list.some((item, index) => list.slice(0, index).some((other) => jsonEqual(item, other)));
  return merged([
    ...(items === undefined
      ? []
      : list.map((item, index) => validateValue(item, items, `${path}[${index}]`, itemBefore(item, schema, before)))),
    minItems !== undefined && list.length < minItems
      ? failed(wrong(path, list.length, `${path} in body should have at least ${minItems} items`))
      : FINE,
    maxItems !== undefined && list.length > maxItems ? failed(more(path, "items", list.length, maxItems)) : FINE,
    repeats ? failed(wrong(path, "", `${path} in body shouldn't contain duplicates`)) : FINE,
    counted(1),
  ]);
}

/** Only in a list with keys can it be told what an item was before. */
function itemBefore(item: Json, { listType, listKeys }: Schema, before: Json | undefined): Json | undefined {
  if (before === undefined || listType !== "map" || !isList(before) || !isObject(item)) return undefined;
  return before.find(
    (other) => isObject(other) && listKeys.every((key) => jsonEqual(get(other, key) ?? null, get(item, key) ?? null)),
  );
}

function checkObject(object: JsonObject, schema: Schema, path: string, before: Json | undefined): Result {
  const { minProperties, maxProperties, required } = schema.rules;
  const count = Object.keys(object).length;
  return merged([
    minProperties !== undefined && count < minProperties
      ? failed(wrong(path, count, `${path} in body should have at least ${minProperties} properties`))
      : FINE,
    maxProperties !== undefined && count > maxProperties
      ? failed(more(path, "properties", count, maxProperties))
      : FINE,
    ...Object.entries(object).map(([key, value]) => checkField(key, value, schema, path, before)),
    failed(...required.filter((key) => !has(object, key)).map((key) => missing(`${path}.${key}`))),
  ]);
}

function checkField(key: string, value: Json, schema: Schema, path: string, before: Json | undefined): Result {
  const known = schemaOfKey(schema, key);
  if (known === undefined) {
    if (schema.additional !== false) return FINE;
    return failed(wrong(path, key, `${path}.${key} in body is a forbidden property`));
  }
  const name = schema.properties.has(key) && path === "" ? key : `${path}.${key}`;
  return validateValue(value, known, name, isObject(before) ? get(before, key) : undefined);
}

/** allOf, anyOf, oneOf and not. */
function checkAlternatives(value: Json, schema: Schema, path: string, before: Json | undefined): Result {
  const { allOf, anyOf, oneOf, not } = schema;
  const results: Result[] = [counted(1)];
  const against = (alternative: Schema): Result =>
    value === null ? validateNull(alternative, path) : validateGiven(value, alternative, path, before);

  if (anyOf.length > 0) {
    const tried = anyOf.map(against);
    const first = tried.find(isFine);
    if (first === undefined) {
      results.push(failed(overall(`${JSON.stringify(path)} must validate at least one schema (anyOf)`)));
    }
    results.push(first ?? mostChecked(tried));
  }
  if (oneOf.length > 0) {
    const tried = oneOf.map(against);
    const fits = tried.filter(isFine);
    const [first] = fits;
    if (fits.length !== 1) {
      const found = fits.length === 0 ? "Found none valid" : `Found ${fits.length} valid alternatives`;
      results.push(failed(overall(`${JSON.stringify(path)} must validate one and only one schema (oneOf). ${found}`)));
    }
    if (first === undefined) results.push(mostChecked(tried));
    else if (fits.length === 1) results.push(first);
  }
  if (allOf.length > 0) {
    const tried = allOf.map(against);
    results.push(...tried);
    if (!tried.every(isFine)) {
      const none = tried.some(isFine) ? "" : ". None validated";
      results.push(failed(overall(`${JSON.stringify(path)} must validate all the schemas (allOf)${none}`)));
    }
  }
  if (not !== undefined && isFine(against(not))) {
    results.push(failed(overall(`${JSON.stringify(path)} must not validate the schema (not)`)));
  }
  return merged(results);
}

/** Of alternatives that all fail, the errors of the one that came furthest. */
function mostChecked(tried: readonly Result[]): Result {
  return tried.reduce((best, result) => (result.checks > best.checks ? result : best));
}

/**
 * The schema of a custom resource, made ready once for the many objects that pass through it: what its definition writes in
 * OpenAPI v3 as a tree of nodes, with patterns compiled and formats that nobody checks left out.
 */
import { get, isList, isObject, type Json, type JsonObject } from "../../json.ts";
import { type Format, formatOf } from "./formats.ts";
import { laterPattern } from "./go-pattern.ts";
import type { Pattern } from "./linear-pattern.ts";

const EMBEDDED = "x-kubernetes-embedded-resource";
const LIST_TYPE = "x-kubernetes-list-type";

export interface Schema {
  /** None: whatever type. Two for `x-kubernetes-int-or-string`. */
  readonly types: readonly string[];
  readonly nullable: boolean;
  readonly properties: ReadonlyMap<string, Schema>;
  /** What may stand beside the properties; a schema, anything (true), nothing (false), or not said (undefined). */
  readonly additional: Schema | boolean | undefined;
  readonly items: Schema | undefined;
  /** Undefined where there is none: null cannot be a default. */
  readonly fallback: Json | undefined;
  /** `x-kubernetes-preserve-unknown-fields` */
  readonly preserves: boolean;
  /** `x-kubernetes-embedded-resource` */
  readonly embedded: boolean;
  /** `x-kubernetes-validations` */
  readonly validations: readonly Rule[];
  readonly listType: string | undefined;
  readonly listKeys: readonly string[];
  readonly rules: Rules;
  /** What is to be found at any depth; where nothing is, nobody looks. */
  readonly inside: Inside;
  /** Schemas that the value must fit beside this one. */
  readonly allOf: readonly Schema[];
  readonly anyOf: readonly Schema[];
  readonly oneOf: readonly Schema[];
  readonly not: Schema | undefined;
}

/** A rule in CEL, as it is written. */
export interface Rule {
  readonly rule: string;
  readonly message: string;
  readonly messageExpression: string;
  /** Empty where none is given. */
  readonly reason: string;
  readonly fieldPath: string;
  readonly optionalOldSelf: boolean | undefined;
}

/** Whether a schema or one inside of it has defaults, embedded objects, lists that are sets or maps, or rules. */
export interface Inside {
  readonly defaults: boolean;
  readonly embedded: boolean;
  readonly listTypes: boolean;
  readonly rules: boolean;
}

/** What a value of the right type must keep. */
export interface Rules {
  readonly format: string;
  /** The check behind a format of texts. */
  readonly checkFormat: Format | undefined;
  readonly pattern: { readonly text: string; readonly expression: Pattern } | undefined;
  readonly options: readonly Json[];
  readonly required: readonly string[];
  readonly multipleOf: number | undefined;
  readonly maximum: number | undefined;
  readonly minimum: number | undefined;
  readonly aboveMinimum: boolean;
  readonly belowMaximum: boolean;
  readonly maxLength: number | undefined;
  readonly minLength: number | undefined;
  readonly maxItems: number | undefined;
  readonly minItems: number | undefined;
  readonly uniqueItems: boolean;
  readonly maxProperties: number | undefined;
  readonly minProperties: number | undefined;
}

/**
 * Reads `openAPIV3Schema`, or a schema in it. What was asked for is kept for as long as it is there: every rule of a definition asks for the schema
 * that it stands in, and nothing is read twice for that. A definition that was not validated may make it throw, for a pattern that is none.
 */
export function readSchema(written: JsonObject): Schema {
  const schema = schemaOf(written);
  READ.set(written, schema);
  return schema;
}

const READ = new WeakMap<JsonObject, Schema>();

function schemaOf(written: JsonObject): Schema {
  return READ.get(written) ?? leafOf(written) ?? made(written);
}

/**
 * A schema in which nothing is but what a value of its type must keep; undefined for any other. Those that say their type alone are one and the
 * same: so it is with most, and a large definition has a hundred thousand of them.
 */
function leafOf(written: JsonObject): Schema | undefined {
  let isRuled = false;
  for (const keyword of Object.keys(written)) {
    if (RULE_KEYWORDS.has(keyword)) isRuled = true;
    else if (keyword !== "type" && keyword !== "description") return undefined;
  }
  const plain = PLAIN.get(textAt(written, "type"));
  return plain !== undefined && isRuled ? { ...plain, rules: givenRules(written, plain.types) } : plain;
}

function made(written: JsonObject): Schema {
  const intOrString = get(written, "x-kubernetes-int-or-string") === true;
  const type = textAt(written, "type");
  const types = intOrString ? ["integer", "string"] : type === "" ? [] : [type];
  const properties = readProperties(objectAt(written, "properties"));
  const additional = readAdditional(get(written, "additionalProperties"));
  const items = schemaAt(written, "items");
  const fallback = get(written, "default") ?? undefined;
  const validations = listAt(written, "x-kubernetes-validations").filter(isObject).map(readRule);
  return {
    types,
    nullable: get(written, "nullable") === true,
    properties,
    additional,
    items,
    fallback,
    inside: insideOf(
      {
        defaults: fallback !== undefined,
        embedded: get(written, EMBEDDED) === true,
        listTypes: textAt(written, LIST_TYPE) !== "",
        rules: validations.length > 0,
      },
      properties,
      [additional, items],
    ),
    preserves: get(written, "x-kubernetes-preserve-unknown-fields") === true,
    embedded: get(written, EMBEDDED) === true,
    validations,
    listType: textAt(written, LIST_TYPE) || undefined,
    listKeys: listAt(written, "x-kubernetes-list-map-keys").filter((key) => typeof key === "string"),
    rules: readRules(written, types),
    allOf: schemasAt(written, "allOf"),
    anyOf: schemasAt(written, "anyOf"),
    oneOf: schemasAt(written, "oneOf"),
    not: schemaAt(written, "not"),
  };
}

function readProperties(written: JsonObject | undefined): ReadonlyMap<string, Schema> {
  if (written === undefined) return NO_PROPERTIES;
  const properties = new Map<string, Schema>();
  for (const name of Object.keys(written)) {
    const inner = written[name];
    if (isObject(inner)) properties.set(name, schemaOf(inner));
  }
  return properties;
}

// In common: most schemas are leaves, and a large definition has a hundred thousand of them.
const NO_PROPERTIES: ReadonlyMap<string, Schema> = new Map();
const NONE: readonly never[] = [];
const NOTHING: Inside = { defaults: false, embedded: false, listTypes: false, rules: false };

function insideOf(
  own: Inside,
  properties: ReadonlyMap<string, Schema>,
  others: readonly (Schema | boolean | undefined)[],
): Inside {
  const found = { ...own };
  const add = (each: Schema | boolean | undefined): void => {
    if (typeof each !== "object" || each.inside === NOTHING) return;
    found.defaults ||= each.inside.defaults;
    found.embedded ||= each.inside.embedded;
    found.listTypes ||= each.inside.listTypes;
    found.rules ||= each.inside.rules;
  };
  for (const each of properties.values()) add(each);
  others.forEach(add);
  return found.defaults || found.embedded || found.listTypes || found.rules ? found : NOTHING;
}

/** The schema of what stands under a key of an object; undefined where nothing is said about it. */
export function schemaOfKey({ properties, additional }: Schema, key: string): Schema | undefined {
  return properties.get(key) ?? (typeof additional === "object" ? additional : undefined);
}

function readRules(written: JsonObject, types: readonly string[]): Rules {
  for (const keyword of Object.keys(written)) if (RULE_KEYWORDS.has(keyword)) return givenRules(written, types);
  return NO_RULES;
}

const RULE_KEYWORDS: ReadonlySet<string> = new Set([
  "pattern",
  "format",
  "enum",
  "required",
  "multipleOf",
  "maximum",
  "minimum",
  "exclusiveMaximum",
  "exclusiveMinimum",
  "maxLength",
  "minLength",
  "maxItems",
  "minItems",
  "uniqueItems",
  "maxProperties",
  "minProperties",
]);
const NO_RULES: Rules = givenRules({}, []);
const PLAIN: ReadonlyMap<string, Schema> = new Map(
  ["boolean", "integer", "number", "string"].map((type) => [type, made({ type })]),
);

function givenRules(written: JsonObject, types: readonly string[]): Rules {
  const pattern = textAt(written, "pattern");
  const format = formatOf(textAt(written, "format"), types);
  return {
    format: format?.name ?? "",
    checkFormat: format?.check,
    pattern: pattern === "" ? undefined : { text: pattern, expression: laterPattern(pattern) },
    options: listAt(written, "enum"),
    required: listAt(written, "required").filter((name) => typeof name === "string"),
    multipleOf: numberAt(written, "multipleOf"),
    maximum: numberAt(written, "maximum"),
    minimum: numberAt(written, "minimum"),
    belowMaximum: get(written, "exclusiveMaximum") === true,
    aboveMinimum: get(written, "exclusiveMinimum") === true,
    maxLength: numberAt(written, "maxLength"),
    minLength: numberAt(written, "minLength"),
    maxItems: numberAt(written, "maxItems"),
    minItems: numberAt(written, "minItems"),
    uniqueItems: get(written, "uniqueItems") === true,
    maxProperties: numberAt(written, "maxProperties"),
    minProperties: numberAt(written, "minProperties"),
  };
}

export function readRule(written: JsonObject): Rule {
  const optionalOldSelf = get(written, "optionalOldSelf");
  return {
    rule: textAt(written, "rule"),
    message: textAt(written, "message"),
    messageExpression: textAt(written, "messageExpression"),
    reason: textAt(written, "reason"),
    fieldPath: textAt(written, "fieldPath"),
    optionalOldSelf: typeof optionalOldSelf === "boolean" ? optionalOldSelf : undefined,
  };
}

function readAdditional(written: Json | undefined): Schema | boolean | undefined {
  if (typeof written === "boolean") return written;
  return isObject(written) ? schemaOf(written) : undefined;
}

function schemaAt(written: JsonObject, name: string): Schema | undefined {
  const inner = get(written, name);
  return isObject(inner) ? schemaOf(inner) : undefined;
}

function schemasAt(written: JsonObject, name: string): readonly Schema[] {
  return listAt(written, name).length === 0 ? NONE : listAt(written, name).filter(isObject).map(schemaOf);
}

function objectAt(written: JsonObject, name: string): JsonObject | undefined {
  const inner = get(written, name);
  return isObject(inner) ? inner : undefined;
}

function listAt(written: JsonObject, name: string): readonly Json[] {
  const value = get(written, name);
  return isList(value) ? value : NONE;
}

function textAt(written: JsonObject, name: string): string {
  const value = get(written, name);
  return typeof value === "string" ? value : "";
}

function numberAt(written: JsonObject, name: string): number | undefined {
  const value = get(written, name);
  return typeof value === "number" ? value : undefined;
}

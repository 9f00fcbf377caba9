/**
 * Whether a schema is structural: every field is there with its type outside of allOf, anyOf, oneOf and not, which only narrow
 * it down (apiextensions-apiserver pkg/apiserver/schema/{validation,complete}.go).
 */
import { type FieldError, fieldErrorText, forbidden, invalid, required } from "../../../../admission/verdict.ts";
import { messageOf } from "../../../../core/errors.ts";
import { get, isList, isObject, type Json, type JsonObject, jsonEqual } from "../../json.ts";
import { goPattern } from "../schema/go-pattern.ts";
import { isPlain, listAt, objectAt, propertiesOf, propertyOf, textAt } from "./written-schema.ts";

type Level = "root" | "item" | "field";

const INT_OR_STRING = [{ type: "integer" }, { type: "string" }];

const TYPE_REQUIRED: Readonly<Record<Level, string>> = {
  root: "must not be empty at the root",
  item: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};

/** In the order of their texts, as upstream gives them. */
export function structuralErrors(schema: JsonObject, path: string): FieldError[] {
  return [...invariants(schema, "root", path), ...incomplete(schema, schema, path, path)].toSorted((a, b) =>
    fieldErrorText(a) < fieldErrorText(b) ? -1 : 1,
  );
}

function invariants(schema: JsonObject, level: Level, path: string): FieldError[] {
  if (level !== "root" && isPlain(schema)) return [];
  const items = objectAt(schema, "items");
  const additional = get(schema, "additionalProperties");
  const embedded = get(schema, "x-kubernetes-embedded-resource") === true;
  const preserves = get(schema, "x-kubernetes-preserve-unknown-fields") === true;
  const intOrString = get(schema, "x-kubernetes-int-or-string") === true;
  const type = textAt(schema, "type");
  const properties = propertiesOf(schema);
  return [
    ...(type === "array" && items === undefined ? [required(`${path}.items`, "must be specified")] : []),
    ...(items === undefined ? [] : invariants(items, "item", `${path}.items`)),
    ...properties.flatMap(([name, inner]) => invariants(inner, "field", `${path}.properties[${name}]`)),
    ...(additional !== undefined && level === "root"
      ? [forbidden(`${path}.additionalProperties`, "must not be used at the root")]
      : []),
    ...(isObject(additional) ? invariants(additional, "field", `${path}.additionalProperties`) : []),
    ...(intOrString && preserves
      ? [
          invalid(
            `${path}.x-kubernetes-preserve-unknown-fields`,
            true,
            "must be false if x-kubernetes-int-or-string is true",
          ),
        ]
      : []),
    ...(intOrString && embedded
      ? [invalid(`${path}.x-kubernetes-embedded-resource`, true, "must be false if x-kubernetes-int-or-string is true")]
      : []),
    ...narrowing(schema, path, isIntOrString(schema)),
    ...typeErrors(type, level, path, { embedded, untyped: intOrString || preserves }),
    ...(embedded && additional !== undefined
      ? [forbidden(`${path}.additionalProperties`, "must not be used if x-kubernetes-embedded-resource is set")]
      : []),
    ...(level === "root" && type !== "" && type !== "object"
      ? [invalid(`${path}.type`, type, "must be object at the root")]
      : []),
    ...metaErrors(schema, level, path, level === "root" || embedded),
    ...(embedded && !preserves && properties.length === 0
      ? [
          required(
            `${path}.properties`,
            "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields",
          ),
        ]
      : []),
  ];
}

function typeErrors(
  type: string,
  level: Level,
  path: string,
  { embedded, untyped }: { readonly embedded: boolean; readonly untyped: boolean },
): FieldError[] {
  if (embedded && type !== "object") {
    const message = "must be object if x-kubernetes-embedded-resource is true";
    return [type === "" ? required(`${path}.type`, message) : invalid(`${path}.type`, type, message)];
  }
  return type === "" && !untyped ? [required(`${path}.type`, TYPE_REQUIRED[level])] : [];
}

/** apiVersion, kind and metadata are the server's; of the metadata only the name may be narrowed down. */
function metaErrors(schema: JsonObject, level: Level, path: string, isResource: boolean): FieldError[] {
  if (!isResource) return [];
  const typed = (name: string, type: string): FieldError[] => {
    const found = textAt(propertyOf(schema, name) ?? { type }, "type");
    const place = `${path}.properties[${name}].type`;
    return found !== type ? [invalid(place, found, `must be ${type}`)] : [];
  };
  const metadata = propertyOf(schema, "metadata");
  const only = "must not specify anything other than name and generateName, but metadata is implicitly specified";
  return [
    ...typed("kind", "string"),
    ...typed("apiVersion", "string"),
    ...typed("metadata", "object"),
    ...(level === "root" && metadata !== undefined && !namesOnly(metadata)
      ? [forbidden(`${path}.properties[metadata]`, only)]
      : []),
  ];
}

function namesOnly(metadata: JsonObject): boolean {
  const names = propertiesOf(metadata).map(([name]) => name);
  const others = Object.keys(metadata).filter((key) => !["type", "default", "properties"].includes(key));
  return others.length === 0 && names.every((name) => name === "name" || name === "generateName");
}

/** The two ways to write that a value is a number or a text. */
function isIntOrString(schema: JsonObject): { readonly any: boolean; readonly firstOfAll: boolean } {
  const [firstOfAll] = listAt(schema, "allOf");
  const matches = (alternatives: Json | undefined): boolean =>
    alternatives !== undefined && jsonEqual(alternatives, INT_OR_STRING);
  return {
    any: matches(get(schema, "anyOf")),
    firstOfAll: isObject(firstOfAll) && matches(get(firstOfAll, "anyOf")),
  };
}

/** What stands in allOf, anyOf, oneOf and not, and the pattern beside them. */
function narrowing(schema: JsonObject, path: string, skips: { any: boolean; firstOfAll: boolean }): FieldError[] {
  const each = (name: string): [JsonObject, string, boolean][] =>
    listAt(schema, name)
      .filter(isObject)
      .map((inner, index) => [inner, `${path}.${name}[${index}]`, name === "allOf" && index === 0 && skips.firstOfAll]);
  const not = objectAt(schema, "not");
  const pattern = textAt(schema, "pattern");
  return [
    ...[...(skips.any ? [] : each("anyOf")), ...each("allOf"), ...each("oneOf")].flatMap(([inner, place, skipsAny]) =>
      narrowed(inner, place, skipsAny),
    ),
    ...(not === undefined ? [] : narrowed(not, `${path}.not`, false)),
    ...(pattern === "" ? [] : patternErrors(pattern, `${path}.pattern`)),
  ];
}

function patternErrors(pattern: string, path: string): FieldError[] {
  try {
    goPattern(pattern);
    return [];
  } catch (error) {
    return [invalid(path, pattern, `must be a valid regular expression, but isn't: ${messageOf(error)}`)];
  }
}

/** Keywords that say what a value is: outside only. */
const FORBIDDEN_INSIDE: readonly (readonly [string, string])[] = [
  ["type", "must be empty to be structural"],
  ["additionalProperties", "must be undefined to be structural"],
  ["default", "must be undefined to be structural"],
  ["title", "must be empty to be structural"],
  ["description", "must be empty to be structural"],
  ["nullable", "must be false to be structural"],
  ["x-kubernetes-preserve-unknown-fields", "must be false to be structural"],
  ["x-kubernetes-embedded-resource", "must be false to be structural"],
  ["x-kubernetes-int-or-string", "must be false to be structural"],
  ["x-kubernetes-list-map-keys", "must be empty to be structural"],
  ["x-kubernetes-list-type", "must be undefined to be structural"],
  ["x-kubernetes-map-type", "must be undefined to be structural"],
  ["x-kubernetes-validations", "must be empty to be structural"],
];

function narrowed(schema: JsonObject, path: string, skipsAny: boolean): FieldError[] {
  const items = objectAt(schema, "items");
  const properties = propertiesOf(schema);
  return [
    ...narrowing(schema, path, { any: skipsAny, firstOfAll: false }),
    ...(items === undefined ? [] : narrowed(items, `${path}.items`, false)),
    ...properties.flatMap(([name, inner]) => narrowed(inner, `${path}.properties[${name}]`, false)),
    ...FORBIDDEN_INSIDE.filter(([name]) => isSet(schema, name)).map(([name, message]) =>
      forbidden(`${path}.${name}`, message),
    ),
    ...(properties.some(([name]) => name === "metadata")
      ? [forbidden(`${path}.properties[metadata]`, "must not be specified in a nested context")]
      : []),
  ];
}

function isSet(schema: JsonObject, name: string): boolean {
  const value = get(schema, name);
  return (
    value !== undefined && value !== null && value !== "" && value !== false && !(isList(value) && value.length === 0)
  );
}

/** What is narrowed down must be there: fields and items in allOf and its like, that nobody has outside of them. */
function incomplete(narrow: JsonObject, schema: JsonObject, schemaPath: string, narrowPath: string): FieldError[] {
  const junctions = ["allOf", "anyOf", "oneOf"].flatMap((name) =>
    listAt(narrow, name)
      .filter(isObject)
      .map((inner, index) => [inner, `${narrowPath}.${name}[${index}]`] as const),
  );
  const not = objectAt(narrow, "not");
  return [...(not === undefined ? [] : [[not, `${narrowPath}.not`] as const]), ...junctions].flatMap(([inner, place]) =>
    incompleteInside(inner, schema, schemaPath, place),
  );
}

function incompleteInside(
  narrow: JsonObject,
  schema: JsonObject | undefined,
  schemaPath: string,
  narrowPath: string,
): FieldError[] {
  if (schema === undefined) return [required(schemaPath, `because it is defined in ${narrowPath}`)];
  const items = objectAt(narrow, "items");
  return [
    ...incomplete(narrow, schema, schemaPath, narrowPath),
    ...(items === undefined
      ? []
      : incompleteInside(items, objectAt(schema, "items"), `${schemaPath}.items`, `${narrowPath}.items`)),
    ...propertiesOf(narrow).flatMap(([name, inner]) => {
      const [at, of] = [`${schemaPath}.properties[${name}]`, `${narrowPath}.properties[${name}]`];
      return incompleteInside(inner, propertyOf(schema, name), at, of);
    }),
  ];
}

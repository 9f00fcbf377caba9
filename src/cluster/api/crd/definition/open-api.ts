/**
 * What a schema may say at all: apiextensions-apiserver pkg/apis/apiextensions/validation, `ValidateCustomResourceDefinition-
 * OpenAPISchema`. Rules in CEL are looked at here, and compiled in rules/rule-errors.ts.
 */
import { type FieldError, forbidden, invalid, notSupported, required } from "../../../../admission/verdict.ts";
import { get, isList, isObject, type JsonObject } from "../../json.ts";
import { listTypeErrors } from "./list-type-rules.ts";
import { ruleFormErrors } from "./rule-form.ts";
import { isPlain, listAt, objectAt, propertiesOf, textAt } from "./written-schema.ts";

const TYPES = ["array", "boolean", "integer", "number", "object", "string"];
const META_FIELDS = ["metadata", "kind", "apiVersion"];

/** Keywords that are known and not taken. */
const UNSUPPORTED: readonly (readonly [string, string])[] = [
  ["id", "id is not supported"],
  ["additionalItems", "additionalItems is not supported"],
  ["patternProperties", "patternProperties is not supported"],
  ["definitions", "definitions is not supported"],
  ["dependencies", "dependencies is not supported"],
  ["$ref", "$ref is not supported"],
];

/** What depends on where in the schema one is. */
interface Place {
  readonly isRoot: boolean;
  readonly insideMeta: boolean;
  /** Why there may be no defaults; undefined: there may. */
  readonly noDefaults?: string;
}

export function openApiErrors(
  schema: JsonObject,
  path: string,
  place: Place = { isRoot: true, insideMeta: false },
): FieldError[] {
  if (isPlain(schema)) return [];
  const inside = { ...place, isRoot: false };
  return [
    ...keywordErrors(schema, path, place),
    ...(get(schema, "uniqueItems") === true
      ? [
          forbidden(
            `${path}.uniqueItems`,
            "uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
          ),
        ]
      : []),
    ...additionalErrors(schema, path, inside),
    ...propertiesOf(schema).flatMap(([name, inner]) =>
      openApiErrors(inner, `${path}.properties[${name}]`, placeOfProperty(schema, name, place)),
    ),
    ...nestedErrors(schema, path, inside),
    ...extensionErrors(schema, path),
    ...listTypeErrors(schema, path),
    ...ruleFormErrors(schema, path),
  ];
}

function placeOfProperty(schema: JsonObject, name: string, { isRoot, insideMeta, noDefaults }: Place): Place {
  const isMeta = (isRoot || get(schema, "x-kubernetes-embedded-resource") === true) && META_FIELDS.includes(name);
  const reason = isMeta && isRoot ? `in top-level ${name}` : noDefaults;
  return { isRoot: false, insideMeta: insideMeta || isMeta, ...(reason !== undefined && { noDefaults: reason }) };
}

function keywordErrors(schema: JsonObject, path: string, { noDefaults, insideMeta }: Place): FieldError[] {
  const type = textAt(schema, "type");
  return [
    ...(type === "" || TYPES.includes(type) ? [] : [notSupported(`${path}.type`, type, TYPES)]),
    ...(noDefaults !== undefined && (get(schema, "default") ?? null) !== null
      ? [forbidden(`${path}.default`, `must not be set ${noDefaults}`)]
      : []),
    ...UNSUPPORTED.filter(([name]) => isGiven(schema, name)).map(([name, message]) =>
      forbidden(`${path}.${name}`, message),
    ),
    ...(type === "null"
      ? [forbidden(`${path}.type`, "type cannot be set to null, use nullable as an alternative")]
      : []),
    ...(isList(get(schema, "items"))
      ? [forbidden(`${path}.items`, "items must be a schema object and not an array")]
      : []),
    ...(insideMeta && get(schema, "x-kubernetes-embedded-resource") === true
      ? [forbidden(`${path}.x-kubernetes-embedded-resource`, "must not be used inside of resource meta")]
      : []),
  ];
}

function isGiven(schema: JsonObject, name: string): boolean {
  const value = get(schema, name);
  if (value === undefined || value === null || value === "") return false;
  return !isObject(value) || Object.keys(value).length > 0 || name === "additionalItems";
}

function additionalErrors(schema: JsonObject, path: string, place: Place): FieldError[] {
  const additional = get(schema, "additionalProperties");
  if (additional === undefined || additional === null) return [];
  const clash = "additionalProperties and properties are mutual exclusive";
  const noDefaults = place.insideMeta ? "inside additionalProperties applying to object metadata" : place.noDefaults;
  return [
    ...(propertiesOf(schema).length > 0 && additional !== true
      ? [forbidden(`${path}.additionalProperties`, clash)]
      : []),
    ...(isObject(additional)
      ? openApiErrors(additional, `${path}.additionalProperties`, {
          ...place,
          ...(noDefaults !== undefined && { noDefaults }),
        })
      : []),
  ];
}

function nestedErrors(schema: JsonObject, path: string, place: Place): FieldError[] {
  const not = objectAt(schema, "not");
  const items = objectAt(schema, "items");
  return [
    ...(not === undefined ? [] : openApiErrors(not, `${path}.not`, place)),
    ...["allOf", "oneOf", "anyOf"].flatMap((name) =>
      listAt(schema, name)
        .filter(isObject)
        .flatMap((inner, index) => openApiErrors(inner, `${path}.${name}[${index}]`, place)),
    ),
    ...(items === undefined ? [] : openApiErrors(items, `${path}.items`, place)),
  ];
}

function extensionErrors(schema: JsonObject, path: string): FieldError[] {
  const type = textAt(schema, "type");
  const mapType = textAt(schema, "x-kubernetes-map-type");
  const mustBe = "must be object if x-kubernetes-map-type is specified";
  return [
    ...(get(schema, "x-kubernetes-preserve-unknown-fields") === false
      ? [invalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, "must be true or undefined")]
      : []),
    ...(mapType === "" || type === "object"
      ? []
      : [type === "" ? required(`${path}.type`, mustBe) : invalid(`${path}.type`, type, mustBe)]),
    ...(mapType === "" || mapType === "atomic" || mapType === "granular"
      ? []
      : [notSupported(`${path}.x-kubernetes-map-type`, mapType, ["atomic", "granular"])]),
  ];
}

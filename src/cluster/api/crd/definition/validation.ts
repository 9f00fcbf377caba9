/** The schema of a definition, in all that it must be: known keywords, structural, with defaults that fit. */
import { type FieldError, forbidden, invalid } from "../../../../admission/verdict.ts";
import { get, isList, isObject, type JsonObject } from "../../json.ts";
import type { Steps } from "../../steps.ts";
import { rules } from "../lazy-rules.ts";
import { readSchema } from "../schema/schema.ts";
import { openApiErrors } from "./open-api.ts";
import { schemaDefaultErrors } from "./schema-defaults.ts";
import { structuralErrors } from "./structural.ts";
import { schemasIn, textAt } from "./written-schema.ts";

/** What may stand at the root beside the status, which is validated on its own; upstream names them as Go does. */
const AT_ROOT: readonly (readonly [keyword: string, name: string])[] = [
  ["description", "Description"],
  ["type", "Type"],
  ["format", "Format"],
  ["title", "Title"],
  ["maximum", "Maximum"],
  ["exclusiveMaximum", "ExclusiveMaximum"],
  ["minimum", "Minimum"],
  ["exclusiveMinimum", "ExclusiveMinimum"],
  ["maxLength", "MaxLength"],
  ["minLength", "MinLength"],
  ["pattern", "Pattern"],
  ["maxItems", "MaxItems"],
  ["minItems", "MinItems"],
  ["uniqueItems", "UniqueItems"],
  ["multipleOf", "MultipleOf"],
  ["required", "Required"],
  ["items", "Items"],
  ["properties", "Properties"],
  ["externalDocs", "ExternalDocs"],
  ["example", "Example"],
  ["x-kubernetes-preserve-unknown-fields", "XPreserveUnknownFields"],
  ["x-kubernetes-validations", "XValidations"],
];

export function* validationErrors(schema: JsonObject, hasStatus: boolean, path: string): Steps<FieldError[]> {
  const at = `${path}.openAPIV3Schema`;
  const unreadable = unreadableKeyword(schema);
  yield;
  const structure = unreadable === undefined ? yield* structureErrors(schema, at) : [];
  yield;
  const openApi = openApiErrors(schema, at);
  yield;
  // What a rule means can only be told where the schema itself is fine.
  const canCompile = unreadable === undefined && structure.length === 0 && openApi.length === 0;
  const errors = [
    ...(hasStatus ? rootErrors(schema, at) : []),
    ...(get(schema, "nullable") === true ? [forbidden(`${at}.nullable`, "nullable cannot be true at the root")] : []),
    ...structure,
    ...openApi,
    ...(canCompile && readSchema(schema).inside.rules ? yield* rules.loaded().ruleErrors(schema, at) : []),
  ];
  // What cannot be read is mostly told by other errors already.
  return errors.length === 0 && unreadable !== undefined ? [invalid(at, "", unreadable)] : errors;
}

/** Defaults are looked at in a structural schema only. */
function* structureErrors(schema: JsonObject, path: string): Steps<FieldError[]> {
  const errors = structuralErrors(schema, path);
  if (errors.length > 0) return errors;
  yield;
  const read = readSchema(schema);
  yield;
  return schemaDefaultErrors(read, path);
}

function rootErrors(schema: JsonObject, path: string): FieldError[] {
  const type = textAt(schema, "type");
  const keyword = Object.keys(schema).find((key) => AT_ROOT.every(([known]) => known !== key));
  const names = AT_ROOT.map(([, name]) => name).join(" ");
  if (type !== "" && type !== "object") {
    const message =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return [invalid(`${path}.type`, type, message)];
  }
  return keyword === undefined
    ? []
    : [
        invalid(
          path,
          schema,
          `only [${names}] fields are allowed at the root of the schema if the status subresource is enabled`,
        ),
      ];
}

/** A keyword, anywhere in it, with which no structural schema can be made of this one. */
function unreadableKeyword(schema: JsonObject): string | undefined {
  for (const each of schemasIn(schema)) {
    for (const name of [
      "id",
      "$schema",
      "$ref",
      "patternProperties",
      "dependencies",
      "additionalItems",
      "definitions",
    ]) {
      const value = get(each, name);
      const isSet = isObject(value)
        ? Object.keys(value).length > 0
        : value !== undefined && value !== "" && value !== null;
      if (isSet) return `OpenAPIV3Schema '${name.replace(/^\$schema$/, "schema")}' is not supported`;
    }
    if (isList(get(each, "items"))) return "OpenAPIV3Schema 'items' must be a schema, but is an array";
    if (get(each, "x-kubernetes-preserve-unknown-fields") === false) {
      return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
    }
  }
  return undefined;
}

/** Defaults in a schema fit the schema: apiextensions-apiserver pkg/apiserver/schema/defaulting/validation.go. */
import { type FieldError, invalid } from "../../../../admission/verdict.ts";
import { isObject, type Json, jsonEqual } from "../../json.ts";
import { sorted } from "../../sorted-json.ts";
import { validateEmbedded } from "../schema/embedded.ts";
import { pruneValue } from "../schema/prune.ts";
import { toFieldErrors } from "../schema/result.ts";
import type { Schema } from "../schema/schema.ts";
import { validateValue } from "../schema/validate-value.ts";

const META_FIELDS = ["metadata", "kind", "apiVersion"];

/** Errors of every default, at any depth. Not of those in metadata, where the server has its own, nor in maps, as upstream. */
export function schemaDefaultErrors(schema: Schema, path: string, isResource = true): FieldError[] {
  return [
    ...(schema.fallback === undefined ? [] : defaultErrors(schema.fallback, schema, `${path}.default`)),
    ...(schema.items === undefined ? [] : schemaDefaultErrors(schema.items, `${path}.items`, schema.items.embedded)),
    ...[...schema.properties]
      .filter(([name]) => !isResource || !META_FIELDS.includes(name))
      .flatMap(([name, inner]) => schemaDefaultErrors(inner, `${path}.properties[${name}]`, inner.embedded)),
  ];
}

function defaultErrors(value: Json, schema: Schema, path: string): FieldError[] {
  const pruned = jsonEqual(pruneValue(value, schema), value)
    ? []
    : [invalid(path, sorted(value), "must not have unknown fields")];
  const embedded = isObject(value) || Array.isArray(value) ? validateEmbedded(value, schema, path) : [];
  const errors = embedded.length > 0 ? embedded : toFieldErrors(validateValue(value, schema, ""), path);
  return [...pruned, ...errors];
}

/** Defaults of a schema, filled into an object: apiextensions-apiserver pkg/apiserver/schema/defaulting/algorithm.go. */
import { entriesOf, has, isList, isObject, type Json } from "../../json.ts";
import { type Schema, schemaOfKey } from "./schema.ts";

/**
 * The value with every default that its schema has for what is missing, or is null and may not be. Defaults stand where their
 * parent stands: nothing is made up for a parent that is missing and has no default itself. The given value is left as it is,
 * and given back when nothing is missing in it.
 */
export function withSchemaDefaults(value: Json, schema: Schema | undefined): Json {
  if (schema === undefined || !schema.inside.defaults) return value;
  if (isList(value)) return itemsOf(value, schema.items);
  if (!isObject(value)) return value;

  const changed: [string, Json][] = [];
  for (const [key, current] of entriesOf(value)) {
    const known = schemaOfKey(schema, key);
    const next = withSchemaDefaults(orDefault(current, known), known);
    if (next !== current) changed.push([key, next]);
  }
  for (const [key, property] of schema.properties) {
    if (property.fallback === undefined || has(value, key)) continue;
    changed.push([key, withSchemaDefaults(property.fallback, property)]);
  }
  return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) };
}

function itemsOf(list: readonly Json[], schema: Schema | undefined): Json {
  const items = list.map((item) => withSchemaDefaults(orDefault(item, schema), schema));
  return items.every((item, index) => item === list[index]) ? list : items;
}

function orDefault(value: Json, schema: Schema | undefined): Json {
  return value === null && schema !== undefined && !schema.nullable ? (schema.fallback ?? null) : value;
}

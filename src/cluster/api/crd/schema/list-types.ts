/** Lists that are sets or maps hold nothing twice: apiextensions-apiserver pkg/apiserver/schema/listtype. */
import { duplicate, type FieldError, invalid } from "../../../../admission/verdict.ts";
import { entriesOf, fromEntries, get, has, isList, isObject, type Json, type JsonObject } from "../../json.ts";
import { sorted, textOfJson } from "../../sorted-json.ts";
import { type Schema, schemaOfKey } from "./schema.ts";

/** Every item, at any depth, that stands twice in such a list. */
export function validateListTypes(value: Json, schema: Schema | undefined, path = ""): FieldError[] {
  if (schema === undefined || !schema.inside.listTypes) return [];
  if (isList(value)) {
    return [
      ...validateList(value, schema, path),
      ...value.flatMap((item, index) => validateListTypes(item, schema.items, `${path}[${index}]`)),
    ];
  }
  if (!isObject(value)) return [];
  return entriesOf(value).flatMap(([key, inner]) =>
    validateListTypes(inner, schemaOfKey(schema, key), pathOfKey(schema, path, key)),
  );
}

/** Fields are written with a dot, keys that a user chose in brackets. */
export function pathOfKey({ properties }: Schema, path: string, key: string): string {
  if (!properties.has(key)) return `${path}[${key}]`;
  return path === "" ? key : `${path}.${key}`;
}

function validateList(list: readonly Json[], { listType, listKeys }: Schema, path: string): FieldError[] {
  if (listType === "set") return repeatsOf(list, path);
  if (listType !== "map") return [];
  const odd = list.findIndex((item) => item !== null && !isObject(item));
  if (odd >= 0) return [invalid(`${path}[${odd}]`, list[odd], "must be an object for an array of list-type map")];
  return repeatsOf(
    list.map((item) => (isObject(item) ? keyOf(item, listKeys) : {})),
    path,
  );
}

function keyOf(item: JsonObject, keys: readonly string[]): JsonObject {
  return fromEntries(keys.filter((key) => has(item, key)).map((key) => [key, get(item, key) ?? null]));
}

/** What stands there for the second time; a third is not told. */
function repeatsOf(list: readonly Json[], path: string): FieldError[] {
  const seen = new Map<string, number>();
  return list.flatMap((item, index) => {
    const text = textOfJson(item);
    const times = (seen.get(text) ?? 0) + 1;
    seen.set(text, times);
    return times === 2 ? [duplicate(`${path}[${index}]`, sorted(item))] : [];
  });
}

/** A strategic merge patch that makes one object of another, with every directive that it takes. For tests. */
import { get, isList, isObject, type Json, type JsonObject, jsonEqual } from "../../json.ts";
import { shapeOf, typeOfKey } from "../../schema/schema.ts";
import type { FieldType, ListType } from "../../schema/types.ts";

export function strategicDiff(before: JsonObject, after: JsonObject, type: FieldType): JsonObject {
  const shape = shapeOf(type, {});
  const patch: Record<string, Json> = {};
  for (const key of Object.keys(before)) if (get(after, key) === undefined) patch[key] = null;
  for (const [key, value] of Object.entries(after)) {
    const old = get(before, key);
    const field = shape.kind === "map" ? typeOfKey(shape, key) : undefined;
    if (field === undefined || (old !== undefined && jsonEqual(old, value))) continue;
    if (isObject(old) && isObject(value)) patch[key] = strategicDiff(old, value, field);
    else if (
      isList(old) &&
      isList(value) &&
      typeof field === "object" &&
      "list" in field &&
      field.merge !== undefined
    ) {
      Object.assign(patch, listDiff(key, old, value, field));
    } else patch[key] = value;
  }
  return patch;
}

function listDiff(key: string, before: readonly Json[], after: readonly Json[], type: ListType): JsonObject {
  if (typeof type.merge !== "string") {
    return {
      [`$setElementOrder/${key}`]: after,
      [`$deleteFromPrimitiveList/${key}`]: before.filter((item) => !after.includes(item)),
      [key]: after.filter((item) => !before.includes(item)),
    };
  }
  const name = type.merge;
  const keyOf = (item: Json) => get(item as JsonObject, name) ?? null;
  const gone = before.filter((item) => !after.some((other) => jsonEqual(keyOf(item), keyOf(other))));
  const changed = after.flatMap((item): Json[] => {
    const old = before.find((other) => jsonEqual(keyOf(item), keyOf(other)));
    if (old === undefined) return [item];
    if (jsonEqual(old, item)) return [];
    return [{ ...strategicDiff(old as JsonObject, item as JsonObject, type.list), [name]: keyOf(item) }];
  });
  return {
    [`$setElementOrder/${key}`]: after.map((item) => ({ [name]: keyOf(item) })),
    [key]: [...gone.map((item) => ({ [name]: keyOf(item), $patch: "delete" })), ...changed],
  };
}

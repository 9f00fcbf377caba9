/** The schema of a custom resource: its definition's own, with what every object has (upstream controller/openapi/builder). */
import { get, isList, isObject, type Json, type JsonObject, mapValues } from "../json.ts";
import type { Kind } from "../kinds/kind.ts";
import { reference } from "./names.ts";
import { OBJECT_META } from "./shared-schemas.ts";

const IDENTITY: JsonObject = {
  apiVersion: { type: "string" },
  kind: { type: "string" },
  metadata: { allOf: [reference(OBJECT_META)] },
};

/** Without a schema, kubectl must not take the three fields that are known for all that there are. */
export function customSchema({ group, version, kind }: Kind, schema: JsonObject | undefined): JsonObject {
  const own = schema === undefined ? { type: "object" } : withIdentity(embedded(schema));
  return { ...own, "x-kubernetes-group-version-kind": [{ group, kind, version }] };
}

function withIdentity(schema: JsonObject): JsonObject {
  const properties = get(schema, "properties");
  return { ...schema, properties: { ...(isObject(properties) ? properties : {}), ...IDENTITY } };
}

const LOOKED_INTO: ReadonlySet<string> = new Set([
  "properties",
  "items",
  "additionalProperties",
  "x-kubernetes-embedded-resource",
]);

/** Objects inside of the object have an identity too. */
function embedded(schema: JsonObject): JsonObject {
  if (Object.keys(schema).every((keyword) => !LOOKED_INTO.has(keyword))) return schema;
  const changed: Record<string, Json> = { ...schema };
  const properties = get(schema, "properties");
  if (isObject(properties)) {
    changed["properties"] = mapValues(properties, (inner) => (isObject(inner) ? embedded(inner) : inner));
  }
  for (const name of ["items", "additionalProperties"]) {
    const inner = get(schema, name);
    if (isObject(inner)) changed[name] = embedded(inner);
  }
  if (get(schema, "x-kubernetes-embedded-resource") !== true) return changed;
  const required = get(schema, "required");
  const named = new Set([...(isList(required) ? required : []), "kind", "apiVersion"]);
  return { ...withIdentity(changed), required: [...named] };
}

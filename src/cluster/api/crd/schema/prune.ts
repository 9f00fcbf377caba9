/**
 * What a schema does not know is taken away from an object: apiextensions-apiserver pkg/apiserver/schema/{pruning,objectmeta}.
 * Nulls where null is neither allowed nor replaced by a default go too, and the metadata of embedded objects is brought into
 * the form that all metadata has.
 */
import { entriesOf, fromEntries, get, isList, isObject, type Json, type JsonObject } from "../../json.ts";
import { canonicalMetadata } from "../../protobuf/canonical.ts";
import { shapeOf, typeOfKey } from "../../schema/schema.ts";
import type { FieldType } from "../../schema/types.ts";
import { type Schema, schemaOfKey } from "./schema.ts";

export interface Pruned {
  readonly object: JsonObject;
  /** Paths of what was taken away: of the metadata, then of everything else, then of embedded metadata; each in order. */
  readonly unknown: readonly string[];
}

const META_FIELDS: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);
const OBJECT_META: FieldType = { ref: "meta.v1.ObjectMeta" };

/** Paths that were found on the way. */
interface Findings {
  readonly fields: string[];
  readonly embedded: string[];
}

/** Without a schema everything but the metadata goes. The given object is left as it is. */
export function pruneObject(object: JsonObject, schema: Schema | undefined): Pruned {
  const findings: Findings = { fields: [], embedded: [] };
  const root: JsonObject = withoutMeta(object);
  const pruned = prune(root, schema, "", findings) as JsonObject;
  const metadata = get(object, "metadata");
  const meta = Object.keys(object)
    .filter((key) => META_FIELDS.has(key))
    .map((key): [string, Json] => [
      key,
      key === "metadata" && isObject(metadata) ? canonicalMetadata(metadata) : (get(object, key) ?? null),
    ]);
  return {
    object: fromEntries([...meta, ...entriesOf(pruned)]),
    unknown: [
      ...unknownIn(metadata, OBJECT_META, "metadata"),
      ...findings.fields.toSorted(),
      ...findings.embedded.toSorted(),
    ],
  };
}

/** A value on its own, for example a default. */
export function pruneValue(value: Json, schema: Schema): Json {
  return prune(value, schema, "", { fields: [], embedded: [] });
}

function withoutMeta(object: JsonObject): JsonObject {
  return fromEntries(entriesOf(object).filter(([key]) => !META_FIELDS.has(key)));
}

function prune(value: Json, schema: Schema | undefined, path: string, findings: Findings): Json {
  if (schema?.preserves === true) return keep(value, schema, path, findings);
  if (isList(value)) return value.map((item, index) => prune(item, schema?.items, `${path}[${index}]`, findings));
  if (!isObject(value)) return value;
  return prunedEntries(value, schema, path, findings, (key) => {
    findings.fields.push(child(path, key));
    return false;
  });
}

/** Inside of what takes unknown fields: known ones are still looked into. */
function keep(value: Json, schema: Schema | undefined, path: string, findings: Findings): Json {
  if (schema === undefined) return value;
  if (isList(value)) return value.map((item, index) => keep(item, schema.items, `${path}[${index}]`, findings));
  return isObject(value) ? prunedEntries(value, schema, path, findings, () => true) : value;
}

function prunedEntries(
  object: JsonObject,
  schema: Schema | undefined,
  path: string,
  findings: Findings,
  keepsUnknown: (key: string) => boolean,
): JsonObject {
  const entries: [string, Json][] = [];
  let isChanged = false;
  for (const [key, value] of entriesOf(object)) {
    const known = schema === undefined ? undefined : schemaOfKey(schema, key);
    let next: Json | undefined;
    if (schema?.embedded === true && META_FIELDS.has(key)) {
      next = key === "metadata" ? embeddedMetadata(value, child(path, key), findings) : value;
    } else if (value === null && known !== undefined && !known.nullable && known.fallback === undefined) {
      next = undefined;
    } else if (known !== undefined || schema?.additional !== undefined) {
      next = typeof value === "object" ? prune(value, known, child(path, key), findings) : value;
    } else if (keepsUnknown(key)) {
      next = value;
    }
    if (next !== value) isChanged = true;
    if (next !== undefined) entries.push([key, next]);
  }
  // A large one takes long to make.
  return isChanged ? fromEntries(entries) : object;
}

function embeddedMetadata(value: Json, path: string, findings: Findings): Json {
  if (!isObject(value)) return value;
  findings.embedded.push(...unknownIn(value, OBJECT_META, path));
  return canonicalMetadata(value);
}

/** Fields of a structure that Kubernetes does not know, at any depth. */
function unknownIn(value: Json | undefined, type: FieldType, path: string): string[] {
  if (value === undefined || value === null) return [];
  const shape = shapeOf(type, value);
  if (shape.kind === "list") {
    return isList(value) ? value.flatMap((item, index) => unknownIn(item, shape.item, `${path}[${index}]`)) : [];
  }
  if (shape.kind !== "map" || !isObject(value)) return [];
  return entriesOf(value).flatMap(([key, inner]) => {
    const known = typeOfKey(shape, key);
    return known === undefined ? [child(path, key)] : unknownIn(inner, known, child(path, key));
  });
}

function child(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

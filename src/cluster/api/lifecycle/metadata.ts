/** Reading and replacing an object's metadata. Everything else of an object is left to its kind. */
import { get, isList, isObject, type Json, type JsonObject } from "../json.ts";

/** The metadata of an object; empty where there is none. */
export function metadataOf(object: JsonObject): JsonObject {
  const metadata = get(object, "metadata");
  return isObject(metadata) ? metadata : {};
}

/** A text of the metadata; empty where there is none, as Kubernetes reads it. */
export function textOf(object: JsonObject, field: string): string {
  const value = get(metadataOf(object), field);
  return typeof value === "string" ? value : "";
}

export function finalizersOf(object: JsonObject): readonly string[] {
  const value = get(metadataOf(object), "finalizers");
  return isList(value) ? value.filter((each) => typeof each === "string") : [];
}

/** The object with these fields of its metadata set, or taken away (undefined). Gives a new object. */
export function withMetadata(object: JsonObject, fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  // Spread and assigned, not built from entries: this is done several times for every write.
  const metadata: Record<string, Json> = { ...metadataOf(object) };
  for (const field of Object.keys(fields)) {
    const value = fields[field];
    if (value !== undefined) metadata[field] = value;
    else if (Object.hasOwn(metadata, field)) delete metadata[field];
  }
  return { ...object, metadata };
}

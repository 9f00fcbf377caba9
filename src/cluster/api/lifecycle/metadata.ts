/** Reading and replacing an object's metadata. Everything else of an object is left to its kind. */
import { fromEntries, get, has, isList, isObject, type Json, type JsonObject } from "../json.ts";

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
  const kept = Object.entries(metadataOf(object)).filter(([key]) => !(key in fields));
  const set = Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
  const metadata = fromEntries([...kept, ...set]);
  if (has(object, "metadata")) {
    return fromEntries(Object.entries(object).map(([key, value]) => [key, key === "metadata" ? metadata : value]));
  }
  return fromEntries([...Object.entries(object), ["metadata", metadata]]);
}

/** JSON merge patch (RFC 7386): what is named replaces, null removes, lists are replaced whole. */
import { entriesOf, fromEntries, get, isList, isObject, type Json, type JsonObject } from "../json.ts";
import { badRequest } from "../status-error.ts";
import { goJsonKind } from "./json-patch.ts";

/** The document after the patch; the given one is left as it is. Throws `StatusError` 400 for what is no object. */
export function mergePatch(document: JsonObject, patch: Json): JsonObject {
  if (patch === null) throw badRequest("Invalid JSON Patch");
  if (!isObject(patch)) {
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${goJsonKind(patch)} into Go value of type map[string]interface {}`,
    );
  }
  return mergeObject(document, patch);
}

function mergeObject(document: JsonObject, patch: JsonObject): JsonObject {
  const merged = new Map(entriesOf(document));
  for (const [key, value] of entriesOf(patch)) {
    const old = get(document, key);
    if (value === null) merged.delete(key);
    else if (isObject(old) && isObject(value)) merged.set(key, mergeObject(old, value));
    else merged.set(key, isObject(old) ? value : withoutNulls(value));
  }
  return fromEntries(merged);
}

/** A value that meets no object to merge with loses the nulls in its objects, also in those inside lists. */
function withoutNulls(value: Json): Json {
  if (isList(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  return fromEntries(
    entriesOf(value).flatMap(([key, inner]) => (inner === null ? [] : [[key, withoutNulls(inner)] as const])),
  );
}

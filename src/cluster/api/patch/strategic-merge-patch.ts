/**
 * Strategic merge patch: a merge patch that knows the kind. Lists with a merge key are merged item by item, and a few
 * directives say what a plain value cannot:
 *
 * - `$patch: replace | delete` in an object or in an item of a merged list,
 * - `$deleteFromPrimitiveList/FIELD`: scalars to take out of a list,
 * - `$setElementOrder/FIELD`: the order of the items that the writer knows,
 * - `$retainKeys`: keys of the object that stay; all others go.
 *
 * Follows apimachinery's strategicpatch, the half that applies a patch.
 */
import { fromEntries, get, has, isList, isObject, type Json, type JsonObject } from "../json.ts";
import { type MapShape, shapeOf, typeOfKey } from "../schema/schema.ts";
import type { FieldType } from "../schema/types.ts";
import { badRequest, internalError } from "../status-error.ts";
import { goText, goType } from "./go-text.ts";
import { type ListMeta, mergeList, orderList } from "./strategic-list.ts";

const PATCH = "$patch";
const RETAIN_KEYS = "$retainKeys";
const SET_ORDER = "$setElementOrder";
const DELETE_SCALARS = "$deleteFromPrimitiveList";

/**
 * The document after the patch; both given ones are left as they are. The result is what Kubernetes hands to its decoder:
 * it may hold nulls and unknown keys, directives in new list items among them, which the decoder drops. Throws
 * `StatusError` for a patch that does not fit.
 */
export function strategicMergePatch(document: JsonObject, patch: JsonObject, type: FieldType): JsonObject {
  return mergeObject(document, patch, type);
}

function mergeObject(original: JsonObject, patch: JsonObject, type: FieldType): JsonObject {
  const directive = get(patch, PATCH);
  if (directive !== undefined) return replaceOrDelete(directive, patch);

  const merged = new Map(Object.entries(retained(original, patch)));
  const rest = new Map(Object.entries(patch).filter(([key]) => key !== RETAIN_KEYS));
  mergeOrderedLists(merged, rest, type);

  for (const [key, value] of rest) {
    const deletes = key.startsWith(DELETE_SCALARS);
    const name = deletes ? fieldOf(key, DELETE_SCALARS, "invalid patch format of primitive list") : key;
    const old = merged.get(name);
    if (value === null) {
      merged.delete(name);
    } else if (isObject(old) && isObject(value)) {
      merged.set(name, mergeObject(old, value, lookUp(type, name)));
    } else if (isList(old) && isList(value)) {
      const meta = listMeta(type, name);
      merged.set(name, deletes || meta.merge ? mergeList(old, value, meta, deletes, mergeObject) : value);
    } else if (!deletes) {
      const fresh = withoutDirectives(withoutNulls(value));
      if (fresh === undefined) merged.delete(name);
      else merged.set(name, fresh);
    }
  }
  return fromEntries(merged);
}

function replaceOrDelete(directive: Json, patch: JsonObject): JsonObject {
  if (directive === "delete") return {};
  if (directive === "replace") return fromEntries(Object.entries(patch).filter(([key]) => key !== PATCH));
  throw internalError(`unknown patch type: ${goText(directive)} in map: ${goText(patch)}`);
}

/** The object with the keys that `$retainKeys` names, if the patch has it; all that the patch writes must be among them. */
function retained(original: JsonObject, patch: JsonObject): JsonObject {
  const directive = get(patch, RETAIN_KEYS);
  if (directive === undefined) return original;
  if (!isList(directive)) throw badRequest("invalid patch format of retainKeys");
  const kept = new Set(directive);
  const written = Object.entries(patch).filter(
    ([key, value]) =>
      key !== RETAIN_KEYS && value !== null && !key.startsWith(DELETE_SCALARS) && !key.startsWith(SET_ORDER),
  );
  if (written.some(([key]) => !kept.has(key))) throw badRequest("invalid patch format of retainKeys");
  return fromEntries(Object.entries(original).filter(([key]) => kept.has(key)));
}

/** Merges each list that has a `$setElementOrder`, orders it, and takes both out of what is left to be done. */
function mergeOrderedLists(merged: Map<string, Json>, rest: Map<string, Json>, type: FieldType): void {
  const orders = [...rest].filter(([key]) => key.startsWith(SET_ORDER));
  for (const [key, order] of orders) {
    rest.delete(key);
    if (!isList(order)) throw internalError(`expected a []interface {}, but received a ${goType(order)}`);
    const name = fieldOf(key, SET_ORDER, "invalid patch format of setElementOrder list");
    const live = listIn(merged, name);
    const patched = listIn(rest, name);
    const meta = listMeta(type, name);
    const list = orderList(live, patched, order, meta, {
      mergeObject,
      fresh: (items) => withoutDirectives(items) as readonly Json[],
    });
    if (list === undefined) continue;
    merged.set(name, list);
    rest.delete(name);
  }
}

function listIn(object: ReadonlyMap<string, Json>, name: string): readonly Json[] | undefined {
  const value = object.get(name);
  if (value !== undefined && !isList(value)) {
    throw internalError(`expected a []interface {}, but received a ${goType(value)}`);
  }
  return value;
}

/** `finalizers` of `$deleteFromPrimitiveList/finalizers`. */
function fieldOf(key: string, prefix: string, complaint: string): string {
  const slash = key.indexOf("/");
  if (slash < 0 || key.slice(0, slash) !== prefix) throw badRequest(complaint);
  return key.slice(slash + 1);
}

function lookUp(type: FieldType, name: string): FieldType {
  const shape = shapeOf(type, {});
  if (shape.kind !== "map" || (shape.structure === undefined && typeof type !== "string")) {
    throw internalError("merging an object in json but data type is not struct, instead is: map");
  }
  const field = shape.structure === undefined ? undefined : typeOfKey(shape, name);
  if (field === undefined) {
    throw internalError(
      `unable to find api field in struct ${structName(type, shape)} for the json field ${JSON.stringify(name)}`,
    );
  }
  return field;
}

/** The Go struct behind a type: the last part of its name. */
function structName(type: FieldType, { structure }: MapShape): string {
  if (typeof type === "object" && "ref" in type) return type.ref.slice(type.ref.lastIndexOf(".") + 1);
  return structure === undefined ? "RawExtension" : "";
}

function listMeta(type: FieldType, name: string): ListMeta {
  const field = lookUp(type, name);
  if (typeof field === "string" || !("list" in field)) {
    throw internalError("expected slice or array type, but got: struct");
  }
  const key = typeof field.merge === "string" ? field.merge : undefined;
  return { item: field.list, merge: field.merge !== undefined, ...(key !== undefined && { key }) };
}

/** A new value without objects that carry a `$patch`: there is nothing to replace or delete. Undefined: it is one. */
function withoutDirectives(value: Json): Json | undefined {
  if (isList(value)) return value.flatMap((item) => withoutDirectives(item) ?? []);
  if (!isObject(value)) return value;
  if (has(value, PATCH)) return undefined;
  const entries = Object.entries(value).flatMap(([key, inner]) => {
    const kept = withoutDirectives(inner);
    return kept === undefined ? [] : [[key, kept] as const];
  });
  return fromEntries(entries);
}

function withoutNulls(value: Json): Json {
  if (isList(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null);
  return fromEntries(entries.map(([key, inner]) => [key, withoutNulls(inner)] as const));
}

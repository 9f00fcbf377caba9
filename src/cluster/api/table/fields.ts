/**
 * Reading objects for a table. Nothing here throws: a field that is missing, or of another type than it should be, reads as
 * Go's zero value, because a list must be shown whatever is in it.
 */
import { Quantity } from "../../../core/quantity.ts";
import { get, isList, isObject, type Json, type JsonObject } from "../json.ts";

/** The value at a path of keys; undefined where the path breaks off. */
export function at(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  let found = value;
  for (const key of path) found = isObject(found) ? get(found, key) : undefined;
  return found;
}

/** A text; empty where there is none. */
export function text(value: Json | undefined, ...path: readonly string[]): string {
  return optionalText(value, ...path) ?? "";
}

/** A text; undefined where there is none, which some columns tell from an empty one. */
export function optionalText(value: Json | undefined, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === "string" ? found : undefined;
}

/** A number; 0 where there is none. */
export function count(value: Json | undefined, ...path: readonly string[]): number {
  const found = at(value, ...path);
  return typeof found === "number" ? found : 0;
}

/** Whether it says true. */
export function flag(value: Json | undefined, ...path: readonly string[]): boolean {
  return at(value, ...path) === true;
}

/** The items of a list; none where there is no list. */
export function items(value: Json | undefined, ...path: readonly string[]): readonly Json[] {
  const found = at(value, ...path);
  return isList(found) ? found : [];
}

/** The texts in a list. */
export function texts(value: Json | undefined, ...path: readonly string[]): readonly string[] {
  return items(value, ...path).filter((item) => typeof item === "string");
}

/** An object; an empty one where there is none. */
export function object(value: Json | undefined, ...path: readonly string[]): JsonObject {
  const found = at(value, ...path);
  return isObject(found) ? found : {};
}

/** Whether there is anything at the path: null is nothing, as it is to Go. */
export function present(value: Json | undefined, ...path: readonly string[]): boolean {
  return (at(value, ...path) ?? null) !== null;
}

/** A size in its canonical form; undefined where there is none. */
export function optionalQuantity(value: Json | undefined, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path);
  if (typeof found !== "string" && typeof found !== "number") return undefined;
  return Quantity.tryParse(String(found))?.toString() ?? String(found);
}

/** A size in its canonical form; `0` where there is none. */
export function quantity(value: Json | undefined, ...path: readonly string[]): string {
  return optionalQuantity(value, ...path) ?? "0";
}

/** The status of the first condition of that type: `True`, `False`, `Unknown`; empty where there is none. */
export function conditionStatus(object: JsonObject, type: string): string {
  return text(
    items(object, "status", "conditions").find((condition) => text(condition, "type") === type),
    "status",
  );
}

/** Whether its deletion was asked for, and something still holds it. */
export function isDeleting(object: JsonObject): boolean {
  return present(object, "metadata", "deletionTimestamp");
}

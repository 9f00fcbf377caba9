/**
 * What a role or binding of the start must become when it is there already (upstream component-helpers
 * auth/rbac/reconciliation): what is missing is added, what somebody added stays, and one that says so is left alone.
 */
import { semanticallyEqual } from "../../../core/semantic-equal.ts";
import { get, isList, isObject, type Json, type JsonObject, jsonEqual } from "../json.ts";
import { metadataOf, withMetadata } from "../lifecycle/metadata.ts";
import type { Rule } from "./rbac.ts";
import { uncovered } from "./rule-cover.ts";

const AUTO_UPDATE = "rbac.authorization.kubernetes.io/autoupdate";

/** `existing` itself when nothing is to be written. */
export function reconciledRole(existing: JsonObject, expected: JsonObject): JsonObject {
  if (isProtected(existing)) return existing;
  const rules = listIn(existing, "rules");
  const wanted = listIn(expected, "rules");
  const missing = jsonEqual(rules, wanted) ? [] : uncovered(asRules(rules), asRules(wanted));
  const added = missing as readonly unknown[] as readonly Json[];
  const withRules = added.length === 0 ? existing : { ...existing, rules: [...rules, ...added] };
  return withMissingWords(withAggregation(withRules, expected), expected);
}

/** The same for a binding; undefined when it must be made anew, since it is bound to another role. */
export function reconciledBinding(existing: JsonObject, expected: JsonObject): JsonObject | undefined {
  if (isProtected(existing)) return existing;
  if (!semanticallyEqual(get(existing, "roleRef"), get(expected, "roleRef"))) return undefined;
  return withMissingWords(withMissingItems(existing, expected, "subjects"), expected);
}

function isProtected(existing: JsonObject): boolean {
  return get(wordsOf(existing, "annotations"), AUTO_UPDATE) === "false";
}

function withAggregation(existing: JsonObject, expected: JsonObject): JsonObject {
  const wanted = get(expected, "aggregationRule");
  const present = get(existing, "aggregationRule");
  if (!isObject(wanted)) {
    if (present === undefined || present === null) return existing;
    const { aggregationRule: _, ...rest } = existing;
    return rest;
  }
  const before = isObject(present) ? present : {};
  const after = withMissingItems(before, wanted, "clusterRoleSelectors");
  return after === before ? existing : { ...existing, aggregationRule: after };
}

function withMissingItems(existing: JsonObject, expected: JsonObject, field: string): JsonObject {
  const present = listIn(existing, field);
  const missing = listIn(expected, field).filter((item) => !present.some((each) => semanticallyEqual(each, item)));
  return missing.length === 0 ? existing : { ...existing, [field]: [...present, ...missing] };
}

/** Labels and annotations: those that are there win. */
function withMissingWords(existing: JsonObject, expected: JsonObject): JsonObject {
  const changed = ["labels", "annotations"].flatMap((field) => {
    const present = wordsOf(existing, field);
    const merged = { ...wordsOf(expected, field), ...present };
    return jsonEqual(merged, present) ? [] : [[field, merged] as const];
  });
  return changed.length === 0 ? existing : withMetadata(existing, Object.fromEntries(changed));
}

function wordsOf(object: JsonObject, field: string): JsonObject {
  const words = get(metadataOf(object), field);
  return isObject(words) ? words : {};
}

function listIn(object: JsonObject, field: string): readonly Json[] {
  const value = get(object, field);
  return isList(value) ? value : [];
}

function asRules(rules: readonly Json[]): readonly Rule[] {
  return rules as unknown as readonly Rule[];
}

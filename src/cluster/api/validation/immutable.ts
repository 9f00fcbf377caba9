/** What may not change in kinds that are only stored, and that people do try to change. */
import { type FieldError, forbidden, invalid } from "../../../admission/verdict.ts";
import { get, isObject, type JsonObject, jsonEqual } from "../json.ts";

const IMMUTABLE = [
  "completionMode",
  "selector",
  "podFailurePolicy",
  "backoffLimitPerIndex",
  "managedBy",
  "successPolicy",
];

/** Upstream ValidateJobSpecUpdate. The template of a Job that waits to be begun may still change; the rest is made for good. */
export function validateJobUpdate(old: JsonObject, next: JsonObject): FieldError[] {
  const [before, after] = [partOf(old, "spec"), partOf(next, "spec")];
  const waits = get(before, "suspend") === true && get(partOf(old, "status"), "startTime") === undefined;
  return [...IMMUTABLE, ...(waits ? [] : ["template"])].flatMap((field) => {
    const [was, is] = [get(before, field) ?? null, get(after, field) ?? null];
    return jsonEqual(was, is) ? [] : [invalid(`spec.${field}`, is, "field is immutable")];
  });
}

/** Upstream ValidatePriorityClassUpdate. */
export function validatePriorityClassUpdate(old: JsonObject, next: JsonObject): FieldError[] {
  const value = (object: JsonObject) => get(object, "value") ?? 0;
  const policy = (object: JsonObject) => get(object, "preemptionPolicy") ?? null;
  return [
    ...(value(old) === value(next) ? [] : [forbidden("value", "may not be changed in an update.")]),
    ...(policy(old) === policy(next) ? [] : [invalid("preemptionPolicy", policy(next), "field is immutable")]),
  ];
}

function partOf(object: JsonObject, name: string): JsonObject {
  const value = get(object, name);
  return isObject(value) ? value : {};
}

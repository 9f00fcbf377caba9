/** What of a Job may not change (upstream pkg/apis/batch/validation ValidateJobSpecUpdate). */
import { type FieldError, invalid } from "../../../admission/verdict.ts";
import { get, isObject, type JsonObject, jsonEqual } from "../json.ts";

const IMMUTABLE = [
  "completionMode",
  "selector",
  "podFailurePolicy",
  "backoffLimitPerIndex",
  "managedBy",
  "successPolicy",
];

/** The template of a Job that waits to be begun may still change; the rest is made for good. */
export function validateJobUpdate(old: JsonObject, next: JsonObject): FieldError[] {
  const [before, after] = [partOf(old, "spec"), partOf(next, "spec")];
  const waits = get(before, "suspend") === true && get(partOf(old, "status"), "startTime") === undefined;
  return [...IMMUTABLE, ...(waits ? [] : ["template"])].flatMap((field) => {
    const [was, is] = [get(before, field) ?? null, get(after, field) ?? null];
    return jsonEqual(was, is) ? [] : [invalid(`spec.${field}`, is, "field is immutable")];
  });
}

function partOf(object: JsonObject, name: string): JsonObject {
  const value = get(object, name);
  return isObject(value) ? value : {};
}

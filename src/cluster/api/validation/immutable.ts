/** What may not change in kinds that are only stored, and that people do try to change. */
import { type FieldError, invalid } from "../../../admission/verdict.ts";
import { get, isList, isObject, type Json, type JsonObject, jsonEqual } from "../json.ts";

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
  // How often an indexed one is to succeed may change along with how many of it run at a time.
  const isElastic =
    get(after, "completionMode") === "Indexed" && get(after, "completions") === get(after, "parallelism");
  const fixed = [...(isElastic ? [] : ["completions"]), ...IMMUTABLE, ...(waits ? [] : ["template"])];
  return fixed.flatMap((field) => {
    const [was, is] = [get(before, field) ?? null, get(after, field) ?? null];
    return jsonEqual(was, is) ? [] : [invalid(`spec.${field}`, is, "field is immutable")];
  });
}

/** Nothing of these fields may become another, `spec.parentRef`. */
export function immutable(...paths: readonly string[]): (old: JsonObject, next: JsonObject) => FieldError[] {
  return (old, next) =>
    paths.flatMap((path) => {
      const [was, is] = [valueAt(old, path), valueAt(next, path)];
      return jsonEqual(was, is) ? [] : [invalid(path, is, "field is immutable")];
    });
}

function valueAt(object: JsonObject, path: string): Json {
  const found = path
    .split(".")
    .reduce<Json | undefined>((at, name) => (isObject(at) ? get(at, name) : undefined), object);
  return found ?? null;
}

/** Upstream ValidateServiceCIDRUpdate: a range may get a second one of the other family, and stays as it is. */
export function validateServiceCidrUpdate(old: JsonObject, next: JsonObject): FieldError[] {
  const [was, is] = [listAt(old, "spec.cidrs"), listAt(next, "spec.cidrs")];
  if (was.length !== is.length && !(was.length === 1 && is.length === 2)) {
    return [invalid("spec.cidrs", is, "field is immutable")];
  }
  return was.flatMap((range, index) =>
    range === is[index] ? [] : [invalid(`spec.cidrs[${index}]`, is[index], "field is immutable")],
  );
}

function listAt(object: JsonObject, path: string): readonly Json[] {
  const value = valueAt(object, path);
  return isList(value) ? value : [];
}

/** Upstream ValidateAPIService, as far as it is about the name: it is what the object is found by. */
export function validateApiServiceName(service: JsonObject): FieldError[] {
  const [name, wanted] = [
    valueAt(service, "metadata.name"),
    `${textAt(service, "spec.version")}.${textAt(service, "spec.group")}`,
  ];
  if (name === wanted) return [];
  return [invalid("metadata.name", name, `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(wanted)}`)];
}

function textAt(object: JsonObject, path: string): string {
  const value = valueAt(object, path);
  return typeof value === "string" ? value : "";
}

function partOf(object: JsonObject, name: string): JsonObject {
  const value = get(object, name);
  return isObject(value) ? value : {};
}

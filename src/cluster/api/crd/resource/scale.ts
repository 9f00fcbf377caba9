/** Whether what a definition calls the scale of its objects can be one: upstream registry/customresource/validator.go. */
import { type FieldError, invalid } from "../../../../admission/verdict.ts";
import type { ScalePaths } from "../../catalog/resource.ts";
import { get, isObject, type Json, type JsonObject } from "../../json.ts";
import { goText, goType } from "../../patch/go-text.ts";

const MAX_REPLICAS = 2 ** 31 - 1;

export function validateScaleSpec(object: JsonObject, { specReplicas }: ScalePaths): FieldError[] {
  return checkReplicas(object, specReplicas);
}

export function validateScaleStatus(object: JsonObject, { statusReplicas, labelSelector }: ScalePaths): FieldError[] {
  return [
    ...checkReplicas(object, statusReplicas),
    ...(labelSelector === undefined ? [] : checkSelector(object, labelSelector)),
  ];
}

function checkReplicas(object: JsonObject, path: string): FieldError[] {
  const found = readAt(object, path);
  if ("problem" in found) return [invalid(path, 0, found.problem)];
  const { value } = found;
  if (value === undefined) return [];
  if (typeof value !== "number" || !Number.isInteger(value)) return [invalid(path, 0, mistyped(path, value, "int64"))];
  if (value < 0) return [invalid(path, value, "should be a non-negative integer")];
  return value > MAX_REPLICAS ? [invalid(path, value, `should be less than or equal to ${MAX_REPLICAS}`)] : [];
}

function checkSelector(object: JsonObject, path: string): FieldError[] {
  const found = readAt(object, path);
  if ("problem" in found) return [invalid(path, "", found.problem)];
  const { value } = found;
  return value === undefined || typeof value === "string" ? [] : [invalid(path, "", mistyped(path, value, "string"))];
}

type Found = { readonly value: Json | undefined } | { readonly problem: string };

/** What stands at the path; a part of the way that is no object is a problem, one that is missing is not. */
function readAt(object: JsonObject, path: string): Found {
  const names = path.replace(/^\./, "").split(".");
  let value: Json | undefined = object;
  for (const [index, name] of names.entries()) {
    if (value === undefined) return { value };
    if (!isObject(value)) {
      return { problem: mistyped(`.${names.slice(0, index + 1).join(".")}`, value, "map[string]interface{}") };
    }
    value = get(value, name);
  }
  return { value };
}

function mistyped(path: string, value: Json, expected: string): string {
  return `${path} accessor error: ${goText(value)} is of the type ${goType(value)}, expected ${expected}`;
}

/** What one mutation of a MutatingAdmissionPolicy makes of an object (upstream policy/mutating/patch). */
import {
  appliedJson,
  error,
  isError,
  JSON_PATCH,
  misnamedTypes,
  RUNTIME_BUDGET,
  type Struct,
  toJson,
  type Value,
} from "../cel/index.ts";
import { beginEvaluation, OutOfBudget, type Scene } from "../expressions/evaluation.ts";
import type { Expression } from "../expressions/expression.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import { DoesNotApply, jsonPatch } from "../patch/json-patch.ts";
import { merge } from "../patch/ownership/merge.ts";
import { validate } from "../patch/ownership/validate.ts";
import type { FieldType } from "../schema/types.ts";
import { atomicsIn } from "./atomics.ts";
import type { CompiledMutation } from "./compile-policy.ts";

/** The mutation cannot be made: what failurePolicy is about. */
export class MutationFailed extends Error {
  override readonly name = "MutationFailed";
}

/** Of an object of this type; neither decoded nor defaulted. Throws `MutationFailed`. */
export function mutated(
  { type, expression }: CompiledMutation,
  object: JsonObject,
  objectType: FieldType,
  scene: Scene,
  variables: ReadonlyMap<string, Expression>,
): Json {
  const value = valueOf(expression, scene, variables);
  switch (type) {
    case "JSONPatch":
      return patched(object, value);
    case "ApplyConfiguration":
      return applied(object, objectType, value);
  }
}

function valueOf(expression: Expression, scene: Scene, variables: ReadonlyMap<string, Expression>): Value {
  if (expression.program === undefined) throw new MutationFailed(expression.failure);
  try {
    const result = beginEvaluation(scene, variables, RUNTIME_BUDGET).evaluate(expression);
    if (result.failure === undefined) return result.value;
    throw new MutationFailed(result.failure);
  } catch (cause) {
    throw cause instanceof OutOfBudget ? new MutationFailed(cause.message) : cause;
  }
}

function patched(object: JsonObject, value: Value): Json {
  const operations = operationsOf(value);
  try {
    return jsonPatch(object, operations);
  } catch (error) {
    if (!(error instanceof DoesNotApply)) throw error;
    // Such a patch is not made, and nothing is wrong with that.
    if (error.why === "test") return object;
    throw new MutationFailed(`JSON Patch: ${whyNot(error)}`);
  }
}

function operationsOf(value: Value): readonly Json[] {
  return patchesIn(value).map(({ fields }) => {
    const { op = "", path = "", from = "" } = Object.fromEntries(fields) as Readonly<Record<string, string>>;
    const written = writtenValue(fields.get("value"));
    return { op, path, ...(from !== "" && { from }), ...(written !== undefined && { value: written }) };
  });
}

function writtenValue(value: Value | undefined): Json | undefined {
  if (value === undefined) return undefined;
  if (isStruct(value)) checkNames(value, value.type.name);
  const isPatch = isStruct(value) && value.type === JSON_PATCH;
  const written = isPatch ? error("cannot convert to native type: *structpb.Value") : toJson(value);
  if (!isError(written)) return written;
  throw new MutationFailed(
    `JSONPath valueExpression evaluated to a type that could not marshal to JSON: ${written.message}`,
  );
}

function isStruct(value: unknown): value is Struct {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "struct";
}

/** The compiler has seen to it that there is nothing else. */
function patchesIn(list: Value): Struct[] {
  if (typeof list !== "object" || list === null || !("kind" in list) || list.kind !== "list") return [];
  return Array.from({ length: list.size }, (_, index) => list.get(index)).filter(isStruct);
}

function checkNames(value: Value, name: string): void {
  const misnamed = misnamedTypes(value, name);
  if (misnamed.length > 0) throw new MutationFailed(`type mismatch: ${misnamed.join("\n")}`);
}

/** In the words of the library that Kubernetes patches with, for what goes wrong most. */
function whyNot({ operation, why }: DoesNotApply): string {
  const { op, path = "", from = "" } = operation;
  const isCopy = op === "copy" || op === "move";
  if (isCopy && operation.from === undefined)
    return `${op} operation failed to decode from: operation, missing from field: missing value`;
  const isMissing = why === "place" || path === "";
  switch (op) {
    case "add":
    case "remove": {
      if (isMissing) return `${op} operation does not apply: doc is missing path: "${path}": missing value`;
      const key = path.slice(path.lastIndexOf("/") + 1);
      const wrong = /^[+-]?\d+$/.test(key)
        ? `Unable to access invalid index: ${Number(key)}: invalid index referenced`
        : `Unable to remove nonexistent key: ${key}: missing value`;
      return `error in ${op} for path: '${path}': ${wrong}`;
    }
    case "replace":
    case "test":
      return `${op} operation does not apply: doc is missing ${isMissing ? "path" : "key"}: ${path}: missing value`;
    case "move":
    case "copy":
      return `${op} operation does not apply from ${from} to ${path}: missing value`;
    default:
      return `Unexpected kind: ${op}`;
  }
}

function applied(object: JsonObject, type: FieldType, value: Value): Json {
  checkNames(value, "Object");
  const made = appliedJson(value);
  if (isError(made)) throw new MutationFailed(`invalid return type: ${made.message}`);
  if (!isObject(made)) throw new MutationFailed("invalid return type: no object");
  const { apiVersion = null, kind = null } = object;
  const configuration = { ...made, apiVersion, kind };
  const wrong = validate(configuration, type);
  if (wrong !== undefined) {
    throw new MutationFailed(`error applying patch: failed to convert patch object to typed object: ${wrong}`);
  }
  const atomics = atomicsIn(configuration, type);
  if (atomics.length > 0) {
    const which = `may not mutate atomic arrays, maps or structs: ${atomics.join(", ")}`;
    throw new MutationFailed(`error applying patch: invalid ApplyConfiguration: ${which}`);
  }
  return merge(object, configuration, type) ?? {};
}

/** What MutatingAdmissionPolicies build: patches, and objects of any shape to apply. */

import type { Json } from "../../json.ts";
import { type FunctionDeclaration, overload } from "../check/declarations.ts";
import { DYN, STRING, struct, type Type } from "../check/types.ts";
import { toJson } from "../value/json.ts";
import { heldType } from "../value/show.ts";
import { type CelError, error, isError, isKind, type Struct, type Value } from "../value/value.ts";

const PATCH_FIELDS: Readonly<Record<string, Type>> = { op: STRING, path: STRING, from: STRING, value: DYN };

/** `JSONPatch{op: 'add', path: '/a', value: 1}` */
export const JSON_PATCH: Type = struct(
  "JSONPatch",
  (name) => (Object.hasOwn(PATCH_FIELDS, name) ? PATCH_FIELDS[name] : undefined),
  (fields) => {
    for (const [name, value] of fields)
      if (name !== "value" && typeof value !== "string")
        return error(`unexpected type ${heldType(value)} for JSONPatchType '${name}' field`);
    return { kind: "struct", type: JSON_PATCH, fields };
  },
);

/** `Object`, `Object.spec`, `Object.spec.template`: of any fields, which are of any type. */
export function objectType(name: string): Type {
  const type: Type = struct(
    name,
    () => DYN,
    (fields) => ({ kind: "struct", type, fields }),
  );
  return type;
}

/** The types that these policies know by name. */
export function mutationTypes(name: string): Type | undefined {
  if (name === "JSONPatch") return JSON_PATCH;
  return name === "Object" || name.startsWith("Object.") ? objectType(name) : undefined;
}

/** What is wrong with the names of types in an object: each must be the path of the field that it stands in. */
export function misnamedTypes(value: Value, path: string = "Object"): readonly string[] {
  if (isKind(value, "struct")) return misnamedFields(value, path);
  const items = isKind(value, "list")
    ? Array.from({ length: value.size }, (_, index) => value.get(index))
    : isKind(value, "map")
      ? value.keys().map((key) => value.find(key))
      : [];
  return items.flatMap((item) => (item === undefined || isError(item) ? [] : misnamedTypes(item, path)));
}

function misnamedFields({ type, fields }: Struct, path: string): readonly string[] {
  const wrong =
    type.name === path
      ? []
      : [
          `unexpected type name "${type.name}", expected "${path}", which matches field name path from root Object type`,
        ];
  return [...wrong, ...Array.from(fields, ([name, value]) => misnamedTypes(value, `${path}.${name}`)).flat()];
}

/** Stands for what is no map to whoever applies it, though it was written as one. */
const NO_MAP = 0;

/**
 * An object as it is applied. Upstream goes one step into lists and maps of its fields: a map that is written in one of them is
 * not seen as a map, and refused where one is expected. What was built by name (`Object.spec{...}`) is seen everywhere.
 */
export function appliedJson(value: Value): Json | CelError {
  if (isKind(value, "struct")) return objectOf(value.fields, fieldJson);
  return isKind(value, "map") && value.json === undefined ? NO_MAP : toJson(value);
}

function fieldJson(value: Value): Json | CelError {
  if (isKind(value, "list")) {
    const items = Array.from({ length: value.size }, (_, index) => value.get(index));
    const written = items.map((item) => (isError(item) ? item : appliedJson(item)));
    return written.find(isError) ?? (written as Json[]);
  }
  if (!isKind(value, "map") || value.json !== undefined) return appliedJson(value);
  const keys = value.keys();
  // What is no text is told by whoever makes JSON of all of it.
  if (!keys.every((key) => typeof key === "string")) return toJson(value);
  return objectOf(new Map(keys.map((key) => [key, value.find(key) ?? null])), appliedJson);
}

function objectOf(
  fields: ReadonlyMap<string, Value | CelError>,
  written: (value: Value) => Json | CelError,
): Json | CelError {
  const entries: [string, Json][] = [];
  for (const [name, field] of fields) {
    const json = isError(field) ? field : written(field);
    if (isError(json)) return json;
    entries.push([name, json]);
  }
  return Object.fromEntries(entries);
}

export const JSON_PATCH_LIBRARY: readonly FunctionDeclaration[] = [
  {
    name: "jsonpatch.escapeKey",
    overloads: [
      overload("string_jsonpatch_escapeKey_string", [STRING], STRING, ([text]) =>
        (text as string).replaceAll("~", "~0").replaceAll("/", "~1"),
      ),
    ],
  },
];

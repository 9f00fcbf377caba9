/** The JSON schemas of the built-in kinds: what `../schema` knows of them, in the words of OpenAPI. There is no prose in them. */
import type { Json, JsonObject } from "../json.ts";
import { messageOf } from "../protobuf/table.ts";
import { kindType, knownKinds, structureOf } from "../schema/schema.ts";
import type { FieldType, ListType, ObjectType, ScalarName } from "../schema/types.ts";
import { definitionName, reference } from "./names.ts";

/** A definition, and the structures or scalars that it refers to, by their names in `../schema`. */
export interface Definition {
  readonly schema: JsonObject;
  readonly refers: readonly string[];
}

const SCALAR_DEFINITIONS: Readonly<Record<string, JsonObject>> = {
  "resource.Quantity": { oneOf: [{ type: "string" }, { type: "number" }] },
  "intstr.IntOrString": { format: "int-or-string", oneOf: [{ type: "integer" }, { type: "string" }] },
  "meta.v1.Time": { type: "string", format: "date-time" },
  "meta.v1.MicroTime": { type: "string", format: "date-time" },
  "meta.v1.FieldsV1": { type: "object" },
  "runtime.RawExtension": { type: "object" },
  // Whatever JSON, or one of two forms: a schema in the words of OpenAPI could not say which.
  "apiextensions.v1.JSON": {},
  "apiextensions.v1.JSONSchemaPropsOrArray": {},
  "apiextensions.v1.JSONSchemaPropsOrBool": {},
  "apiextensions.v1.JSONSchemaPropsOrStringArray": {},
};

const NAMED_SCALARS = {
  quantity: "resource.Quantity",
  intOrString: "intstr.IntOrString",
  time: "meta.v1.Time",
  microTime: "meta.v1.MicroTime",
  raw: "runtime.RawExtension",
  any: "apiextensions.v1.JSON",
} as const;

type NamedScalar = keyof typeof NAMED_SCALARS;
type PlainScalar = Exclude<ScalarName, NamedScalar>;

function isNamed(type: ScalarName): type is NamedScalar {
  return Object.hasOwn(NAMED_SCALARS, type);
}

/**
 * What the schemas do not say of strategic merge patches because the server has no use for it: kubectl reads here that it
 * must name the fields to keep (`$retainKeys`), and does.
 */
const PATCH_STRATEGIES: Readonly<Record<string, string>> = {
  "apps.v1.DeploymentSpec.strategy": "retainKeys",
  "core.v1.PodSpec.resourceClaims": "merge,retainKeys",
  "core.v1.PodSpec.volumes": "merge,retainKeys",
  "core.v1.PodStatus.resourceClaimStatuses": "merge,retainKeys",
  "policy.v1.PodDisruptionBudgetSpec.selector": "replace",
};

/** Which kinds are which structure. */
const KINDS: ReadonlyMap<string, readonly JsonObject[]> = kindsByStructure();

const definitions = new Map<string, Definition>();

/** The definition of a structure or a named scalar. Throws for a name that the schemas do not hold. Made once. */
export function builtInDefinition(name: string): Definition {
  const known = definitions.get(name);
  if (known !== undefined) return known;
  const scalar = SCALAR_DEFINITIONS[name];
  const made = scalar === undefined ? defineStructure(name, structureOf(name)) : { schema: scalar, refers: [] };
  definitions.set(name, made);
  return made;
}

/** The structure of a built-in kind; undefined for one that is not known. */
export function structureOfKind(apiVersion: string, kind: string): string | undefined {
  const type = kindType(apiVersion, kind);
  return typeof type === "object" && "ref" in type ? type.ref : undefined;
}

function defineStructure(name: string, structure: ObjectType): Definition {
  const { fields, required = [], inline = [], defaults = {}, enums = {}, atomic = false } = structure;
  const refers = new Set<string>();
  const formats = integerFormats(name);
  const properties = Object.entries(fields).map(([field, type]): [string, JsonObject] => {
    const strategy = PATCH_STRATEGIES[`${name}.${field}`];
    const fallback = inline.includes(field) ? {} : defaults[field];
    return [
      field,
      {
        ...property(type, { structure: name, refers, format: formats.get(field), words: enums[field] }),
        ...(fallback === undefined ? {} : { default: fallback }),
        ...(strategy === undefined ? {} : { "x-kubernetes-patch-strategy": strategy }),
      },
    ];
  });
  const kinds = KINDS.get(name);
  const schema: JsonObject = {
    type: "object",
    ...(required.length === 0 ? {} : { required }),
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
    ...(kinds === undefined ? {} : { "x-kubernetes-group-version-kind": kinds }),
    ...(atomic ? { "x-kubernetes-map-type": "atomic" } : {}),
  };
  return { schema, refers: [...refers] };
}

interface Place {
  readonly structure: string;
  /** Gathers what is referred to. */
  readonly refers: Set<string>;
  /** Of whole numbers here. */
  readonly format: string | undefined;
  /** That texts here may be. */
  readonly words: readonly string[] | undefined;
}

function property(type: FieldType, place: Place): JsonObject {
  if (typeof type === "string") {
    return isNamed(type) ? { allOf: [refer(scalarName(type, place), place)] } : plainScalar(type, place);
  }
  if ("ref" in type) {
    const merging = type.atomic === undefined ? {} : { "x-kubernetes-map-type": type.atomic ? "atomic" : "granular" };
    return { allOf: [refer(type.ref, place)], ...merging };
  }
  if ("list" in type) return listSchema(type, place);
  if ("fields" in type) throw new Error("structures of built-in kinds have names");
  return {
    type: "object",
    additionalProperties: element(type.map, place),
    ...(type.atomic === true ? { "x-kubernetes-map-type": "atomic" } : {}),
  };
}

/** Two things may be any JSON: what managedFields hold, and values inside of schemas. */
function scalarName(type: NamedScalar, { structure }: Place): string {
  return type === "any" && structure === "meta.v1.ManagedFieldsEntry" ? "meta.v1.FieldsV1" : NAMED_SCALARS[type];
}

function listSchema(type: ListType, place: Place): JsonObject {
  const { set = false, keys, merge } = type;
  return {
    type: "array",
    items: element(type.list, place),
    ...(keys === undefined ? {} : { "x-kubernetes-list-map-keys": keys }),
    "x-kubernetes-list-type": set ? "set" : keys === undefined ? "atomic" : "map",
    ...(typeof merge === "string" ? { "x-kubernetes-patch-merge-key": merge } : {}),
    ...(merge === undefined ? {} : { "x-kubernetes-patch-strategy": "merge" }),
  };
}

/** What stands in a list or a map: it is never null, and so has the zero of its type. */
function element(type: FieldType, place: Place): JsonObject {
  if (typeof type === "string") {
    if (isNamed(type)) return refer(scalarName(type, place), place);
    const zero = ZEROES[type];
    return { ...plainScalar(type, place), ...(zero === undefined ? {} : { default: zero }) };
  }
  if ("ref" in type) return { allOf: [refer(type.ref, place)], default: {} };
  // A list inside of another, or of a map, is never merged, and nothing is said of it.
  return "list" in type ? { type: "array", items: element(type.list, place) } : property(type, place);
}

const ZEROES: Partial<Record<ScalarName, Json>> = { string: "", integer: 0, number: 0, boolean: false };

function plainScalar(type: PlainScalar, { format, words }: Place): JsonObject {
  switch (type) {
    case "integer":
      return { type, ...(format === undefined ? {} : { format }) };
    case "number":
      return { type, format: "double" };
    case "bytes":
      return { type: "string", format: "byte" };
    case "string":
      return { type, ...(words === undefined ? {} : { enum: words }) };
    case "boolean":
      return { type };
  }
}

function refer(name: string, { refers }: Place): JsonObject {
  refers.add(name);
  return reference(definitionName(name));
}

/** `int32` or `int64` by the name of the field, which the table of protobuf messages knows. */
function integerFormats(name: string): ReadonlyMap<string, string> {
  const formats = new Map<string, string>();
  for (const { presence, type, name: field } of messageOf(name).values()) {
    if (presence === "inline") for (const [inner, format] of integerFormats(type)) formats.set(inner, format);
    else if (type === "int32" || type === "int64") formats.set(field, type);
  }
  return formats;
}

function kindsByStructure(): Map<string, JsonObject[]> {
  const deleteOptions = { group: "", kind: "DeleteOptions", version: "v1" };
  const kinds = new Map<string, JsonObject[]>([["meta.v1.DeleteOptions", [deleteOptions]]]);
  for (const known of knownKinds()) {
    const [kind = "", version = "", group = ""] = known.split("/").toReversed();
    const structure = structureOfKind(known.slice(0, -kind.length - 1), kind) ?? "";
    kinds.set(structure, [...(kinds.get(structure) ?? []), { group, kind, version }]);
  }
  return kinds;
}

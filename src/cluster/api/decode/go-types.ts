/**
 * The Go structures into which a Kubernetes API server decodes a body. They alone decide which fields there are, what fits
 * into them, and what a refusal calls them. The data is generated from the Kubernetes that the tests run on, by
 * scripts/generate-go-types.ts.
 */
import { kindTable } from "../kinds/kind-table.ts";
import data from "./generated/go-types.json" with { type: "json" };

/** Types that Go's decoder fills by itself. The `name` of a type is what refusals call it: `v1.PodPhase`. */
export interface PlainType {
  readonly kind: "string" | "bool" | "bytes" | "int32" | "int64" | "float64";
  readonly name: string;
}

/** Types that read themselves from JSON, each with rules of its own. */
export interface OwnType {
  readonly kind: "Quantity" | "Time" | "MicroTime" | "IntOrString" | "JSON" | "RawExtension" | "FieldsV1";
  readonly name: string;
}

/** Schemas of custom resources: a schema, or something else in its place. */
export interface SchemaOrType {
  readonly kind: "JSONSchemaPropsOrArray" | "JSONSchemaPropsOrBool" | "JSONSchemaPropsOrStringArray";
  readonly name: string;
  readonly item: GoType;
}

/** The keys of a map are texts. */
export interface CollectionType {
  readonly kind: "list" | "map";
  readonly name: string;
  readonly item: GoType;
}

export interface StructType {
  readonly kind: "struct";
  /** `v1.StatefulSetSpec` */
  readonly name: string;
  /** `StatefulSetSpec` */
  readonly shortName: string;
  /** By name in JSON. */
  readonly fields: ReadonlyMap<string, GoField>;
}

export interface GoField {
  /** In JSON. */
  readonly name: string;
  readonly type: GoType;
  /** As refusals call it: `hostPath` of a volume is `VolumeSource.hostPath`. */
  readonly path: string;
}

export type GoType = PlainType | OwnType | SchemaOrType | CollectionType | StructType | AnyType;

/** Whatever JSON, as custom resources are read. */
export interface AnyType {
  readonly kind: "any";
  readonly name: string;
}

export const ANY: AnyType = { kind: "any", name: "interface {}" };

/** Whatever JSON object. */
export const ANY_MAP: GoType = { kind: "map", name: "map[string]interface {}", item: ANY };

/** A field's type, or its type and the structures on the way to it. */
type FieldRow = number | readonly [number, string];

/** Kind, name, and what it is made of: the index of a type, or fields by name. */
export type TypeRow = readonly [string, string, (number | Readonly<Record<string, FieldRow>>)?];

/** As it is checked in. */
export interface GoTypeData {
  /** `apps/v1/StatefulSet` to the index of its type. */
  readonly kinds: Readonly<Record<string, number>>;
  readonly types: readonly TypeRow[];
}

const { kinds, types: rows } = data as unknown as GoTypeData;

const KINDS = kindTable(Object.entries(kinds));

/** By index. Made when a kind that they are part of is first asked for: most of a cluster's life sees a few of them. */
const TYPES: GoType[] = [];

/** The type of a built-in kind, for example of `apps/v1` and `StatefulSet`; undefined for one that is not known. */
export function goType(apiVersion: string, kind: string): GoType | undefined {
  // Clients send it in the version of what they delete.
  const index = KINDS.get(kind === "DeleteOptions" ? "v1" : apiVersion, kind);
  return index === undefined ? undefined : typeAt(index);
}

/** The metadata of every object. */
export const OBJECT_META: GoType = fieldOf(goType("v1", "ConfigMap"), "metadata");

const STRING: GoType = { kind: "string", name: "string" };

/** The operations of a JSON patch, as the API server reads them before it hands the patch on. */
export const JSON_PATCH: GoType = {
  kind: "list",
  name: "[]handlers.jsonPatchOp",
  item: structOf("handlers.jsonPatchOp", { op: STRING, path: STRING, from: STRING, value: ANY }),
};

/** The structure without a name with which the API server looks for the kind of an object, before it reads the rest. */
export const FIND_KIND: GoType = structOf(
  String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`,
  { apiVersion: STRING, kind: STRING },
);

function structOf(name: string, types: Readonly<Record<string, GoType>>): StructType {
  const fields = Object.entries(types).map(([field, type]): [string, GoField] => [
    field,
    { name: field, type, path: field },
  ]);
  return { kind: "struct", name, shortName: shortNameOf(name), fields: new Map(fields) };
}

/** Nothing for a structure without a name. */
function shortNameOf(name: string): string {
  return /^\w+\.(\w+)$/.exec(name)?.[1] ?? "";
}

function fieldOf(type: GoType | undefined, name: string): GoType {
  const field = type?.kind === "struct" ? type.fields.get(name) : undefined;
  if (field === undefined) throw new Error(`the Go types know no field ${name}`);
  return field.type;
}

/** Types refer to each other in circles: each is there first, and is then told what it is made of. */
function typeAt(index: number): GoType {
  const known = TYPES[index];
  if (known !== undefined) return known;
  const row = rows[index];
  if (row === undefined) throw new Error(`there is no Go type ${index}`);
  const [kind, name, parts] = row;
  const type = { kind, name } as GoType;
  TYPES[index] = type;
  if (typeof parts === "number") Object.assign(type, { item: typeAt(parts) });
  if (typeof parts !== "object") return type;
  const fields = Object.entries(parts).map(([field, held]): [string, GoField] => {
    if (typeof held === "number") return [field, { name: field, type: typeAt(held), path: field }];
    return [field, { name: field, type: typeAt(held[0]), path: `${held[1]}.${field}` }];
  });
  return Object.assign(type, { shortName: shortNameOf(name), fields: new Map(fields) });
}

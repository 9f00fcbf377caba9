/** The schemas of the built-in kinds, and what a type in them means for a value at hand. */
import { entriesOf, isList, isObject, type Json, type JsonObject } from "../json.ts";
import { kindTable } from "../kinds/kind-table.ts";
import data from "./generated/schemas.json" with { type: "json" };
import type { FieldType, ObjectType, SchemaData } from "./types.ts";

const SCHEMAS = data as SchemaData;

/** The type of a built-in kind, for example of `apps/v1` and `StatefulSet`; undefined for one that is not known. */
export function kindType(apiVersion: string, kind: string): FieldType | undefined {
  return KINDS.get(apiVersion, kind);
}

/** Each has one type: what is made of a type is made once. */
const KINDS = kindTable<FieldType>(Object.entries(SCHEMAS.kinds).map(([name, ref]) => [name, { ref }]));

/** Every built-in kind, as `apps/v1/StatefulSet`. */
export function knownKinds(): readonly string[] {
  return Object.keys(SCHEMAS.kinds);
}

/**
 * What merges and ownership see of a type: a leaf, a list, or a map (structures are maps with known keys). `atomic` ones
 * are a leaf as a whole.
 */
export type Shape = ScalarShape | ListShape | MapShape;

export interface ScalarShape {
  readonly kind: "scalar";
  readonly accepts: "string" | "number" | "boolean" | "scalar";
}

export interface ListShape {
  readonly kind: "list";
  readonly item: FieldType;
  readonly atomic: boolean;
  /** Fields that tell items apart; none: the items are scalars that tell themselves apart. */
  readonly keys: readonly string[];
}

export interface MapShape {
  readonly kind: "map";
  readonly atomic: boolean;
  /** Undefined for a map whose keys are the user's. */
  readonly structure?: ObjectType;
  /** The fields of the structure, quick to be found. */
  readonly fields?: ReadonlyMap<string, FieldType>;
  /** The type of what is no field of the structure; undefined: there is none such. */
  readonly rest?: FieldType;
}

const STRING: Shape = { kind: "scalar", accepts: "string" };
const NUMBER: Shape = { kind: "scalar", accepts: "number" };
const BOOLEAN: Shape = { kind: "scalar", accepts: "boolean" };
const SCALAR: Shape = { kind: "scalar", accepts: "scalar" };
const RAW_LIST: Shape = { kind: "list", item: "raw", atomic: true, keys: [] };
const ANY_MAP: Shape = { kind: "map", atomic: false, rest: "any" };
const RAW_MAP: Shape = { kind: "map", atomic: true, rest: "raw" };

/** Structures in name only: a schema, or a list or a truth value in its place. Kubernetes publishes no type for them. */
const OPEN: ReadonlySet<string> = new Set([
  "apiextensions.v1.JSONSchemaPropsOrArray",
  "apiextensions.v1.JSONSchemaPropsOrBool",
  "apiextensions.v1.JSONSchemaPropsOrStringArray",
]);

/** The shape of a type; where the type leaves it open, that of the value. */
export function shapeOf(type: FieldType, value: Json | undefined): Shape {
  if (typeof type === "string") {
    switch (type) {
      case "string":
      case "bytes":
        return STRING;
      case "integer":
      case "number":
        return NUMBER;
      case "boolean":
        return BOOLEAN;
      case "time":
      case "microTime":
      case "quantity":
      case "intOrString":
        return SCALAR;
      case "any":
        return openShape(value, ANY_MAP);
      case "raw":
        return openShape(value, RAW_MAP);
    }
  }
  const known = SHAPES.get(type);
  if (known !== undefined) return known;
  if ("ref" in type && OPEN.has(type.ref)) return openShape(value, ANY_MAP);
  const shape = shapeOfStructure(type);
  SHAPES.set(type, shape);
  return shape;
}

/** Shapes of types that leave nothing open; every write of every object asks for them. */
const SHAPES = new WeakMap<Exclude<FieldType, string>, Shape>();

function shapeOfStructure(type: Exclude<FieldType, string>): Shape {
  if ("list" in type) {
    const { list: item, set = false, keys } = type;
    return { kind: "list", item, atomic: !set && keys === undefined, keys: keys ?? [] };
  }
  if ("map" in type) return { kind: "map", atomic: type.atomic ?? false, rest: type.map };
  const structure = "ref" in type ? structureOf(type.ref) : type;
  return {
    kind: "map",
    atomic: type.atomic ?? structure.atomic ?? false,
    structure,
    fields: new Map(entriesOf(structure.fields)),
    ...(structure.rest !== undefined && { rest: structure.rest }),
  };
}

function openShape(value: Json | undefined, map: Shape): Shape {
  if (value === undefined || value === null || isObject(value)) return map;
  return isList(value) ? RAW_LIST : SCALAR;
}

/** The structure of this name. Throws for one that the schemas do not hold: they refer to nothing else. */
export function structureOf(name: string): ObjectType {
  const structure = SCHEMAS.types[name];
  if (structure === undefined) throw new Error(`no schema is called ${name}`);
  return structure;
}

/** The type of a key in a map; undefined where the schema knows no such field. */
export function typeOfKey(shape: MapShape, key: string): FieldType | undefined {
  return shape.fields?.get(key) ?? shape.rest;
}

/** Whether the key is a field of a structure, and not a name that a user chose. */
export function isField(shape: MapShape, key: string): boolean {
  return shape.fields?.has(key) === true;
}

/**
 * An object of this type in which nothing is said, as Kubernetes writes it: what is part of the structure is there, empty.
 * Ownership compares a new object with it.
 */
export function emptyObject(type: FieldType): JsonObject {
  const { structure } = shapeOf(type, {}) as MapShape;
  if (structure === undefined) return {};
  const known = EMPTY.get(structure);
  if (known !== undefined) return known;
  const made = emptyStructure(structure);
  EMPTY.set(structure, made);
  return made;
}

/** The same for every object of a type. */
const EMPTY = new WeakMap<ObjectType, JsonObject>();

function emptyStructure(structure: ObjectType): JsonObject {
  const { fields, inline = [], required = [], defaults = {} } = structure;
  const entries = Object.entries(fields).flatMap(([name, field]): [string, Json][] => {
    if (inline.includes(name)) return [[name, typeof field === "string" ? null : emptyObject(field)]];
    const standing = Object.hasOwn(defaults, name) ? defaults[name] : undefined;
    if (standing === "" || standing === 0 || standing === false) return [[name, standing]];
    return required.includes(name) && typeof field !== "string" ? [[name, null]] : [];
  });
  // The one time that upstream leaves out while it is zero (`omitzero`).
  return Object.fromEntries(entries.filter(([name]) => name !== "creationTimestamp"));
}

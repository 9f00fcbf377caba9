/**
 * The shape of an API object, as far as patches and decoding need it: fields, types, and how two versions of a list or a
 * map are merged. The data is generated from Kubernetes' OpenAPI v3 by scripts/generate-schemas.ts.
 */

/**
 * - `time`, `microTime`: RFC 3339. `bytes`: base64.
 * - `any`: whatever JSON, merged key by key. `raw`: whatever JSON, always replaced whole.
 */
export type ScalarName =
  | "string"
  | "integer"
  | "number"
  | "boolean"
  | "bytes"
  | "time"
  | "microTime"
  | "quantity"
  | "intOrString"
  | "any"
  | "raw";

/** A structure of its own, by name. `atomic` says otherwise than the structure itself whether it is replaced whole. */
export interface ReferenceType {
  readonly ref: string;
  readonly atomic?: boolean;
}

/** Neither `set` nor `keys`: an apply replaces the list whole. No `merge`: a strategic merge patch replaces it whole. */
export interface ListType {
  readonly list: FieldType;
  /** Items are scalars, each there once (`x-kubernetes-list-type: set`). */
  readonly set?: boolean;
  /** Items are structures, told apart by these fields (`x-kubernetes-list-type: map`). */
  readonly keys?: readonly string[];
  /** A strategic merge patch merges it: by this field, or (`true`) as a set of scalars. */
  readonly merge?: string | true;
}

/** Keys are names that a user chose; all values are of one type. */
export interface MapType {
  readonly map: FieldType;
  readonly atomic?: boolean;
}

/** A structure stands under its name in `SchemaData`, or, in a custom resource, in place. */
export type FieldType = ScalarName | ReferenceType | ListType | MapType | ObjectType;

/** A structure. What is not among its fields does not exist, unless `rest` says what it is. */
export interface ObjectType {
  readonly rest?: FieldType;
  readonly fields: Readonly<Record<string, FieldType>>;
  readonly required?: readonly string[];
  /** Structures that are part of this one even when nothing is in them: they are written as `{}`, never left out. */
  readonly inline?: readonly string[];
  /** What a scalar field is when it is left out; list items are told apart with these filled in. */
  readonly defaults?: Readonly<Record<string, string | number | boolean>>;
  /** The words that a text field, or each text of a list or map, may be. For people to read: validation has its own rules. */
  readonly enums?: Readonly<Record<string, readonly string[]>>;
  /** An apply replaces it whole. */
  readonly atomic?: boolean;
}

/** All schemas, as the generated file holds them. */
export interface SchemaData {
  /** `apps/v1/StatefulSet` to the name of its structure. */
  readonly kinds: Readonly<Record<string, string>>;
  readonly types: Readonly<Record<string, ObjectType>>;
}

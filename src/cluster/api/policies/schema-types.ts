/** The types of objects in expressions, as far as their schemas tell (upstream cel/common/schemas.go). */

import type { Resource } from "../catalog/resource.ts";
import {
  BOOL,
  BYTES,
  DOUBLE,
  DYN,
  declaredType,
  escapeName,
  INT,
  listOf,
  mapOf,
  STRING,
  struct,
  TIMESTAMP,
  type Type,
} from "../cel/index.ts";
import { readSchema } from "../crd/schema/schema.ts";
import { groupVersionOf } from "../kinds/kind.ts";
import { kindType, structureOf } from "../schema/schema.ts";
import type { FieldType, ObjectType } from "../schema/types.ts";

/** Undefined for a kind whose schema nobody knows. */
export function objectTypeOf({ kind, custom }: Resource): Type | undefined {
  if (custom === undefined) {
    const type = kindType(groupVersionOf(kind), kind.kind);
    return type === undefined ? undefined : typeOf(type, kind.kind);
  }
  if (custom.openApiSchema === undefined) return undefined;
  const declared = declaredType(readSchema(custom.openApiSchema), kind.kind, true);
  if (declared?.field === undefined) return declared;
  const { field } = declared;
  // A definition says little of metadata; what is published says all.
  const metadata = typeOf({ ref: "meta.v1.ObjectMeta" }, `${kind.kind}.metadata`);
  return struct(declared.name, (name) => (name === "metadata" ? metadata : field(name)));
}

/** Undefined for what expressions cannot reach: a quantity has two types, and so it has none, nor has what is made of it. */
function typeOf(type: FieldType, name: string): Type | undefined {
  if (typeof type !== "string") {
    if ("list" in type) return wrapped(listOf, typeOf(type.list, `${name}.@idx`));
    if ("map" in type) return wrapped((value) => mapOf(STRING, value), typeOf(type.map, `${name}.@elem`));
    return structure("ref" in type ? structureOf(type.ref) : type, name);
  }
  switch (type) {
    case "string":
      return STRING;
    case "bytes":
      return BYTES;
    case "integer":
      return INT;
    case "number":
      return DOUBLE;
    case "boolean":
      return BOOL;
    case "time":
    case "microTime":
      return TIMESTAMP;
    case "intOrString":
      return DYN;
    case "quantity":
      return undefined;
    case "any":
    case "raw":
      return struct(name, () => undefined);
  }
}

function wrapped(make: (inner: Type) => Type, inner: Type | undefined): Type | undefined {
  return inner === undefined ? undefined : make(inner);
}

/** Fields are looked at when they are asked for: schemas may contain themselves. */
function structure({ fields }: ObjectType, name: string): Type {
  const escaped = new Map(Object.keys(fields).map((key) => [escapeName(key), key]));
  return struct(name, (field) => {
    // A word of the language may also stand as it is: `object.metadata.namespace`.
    const key = escaped.get(field) ?? escaped.get(`__${field}__`);
    const type = key === undefined ? undefined : fields[key];
    return type === undefined ? undefined : typeOf(type, `${name}.${field}`);
  });
}

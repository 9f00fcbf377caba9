/**
 * What the fields that rules read must look like. Input comes from people's files: a field of the wrong type is found
 * here, with its path, and not later as a riddle inside a rule. Unknown fields are none of our business.
 */
import { Quantity } from "../../core/quantity.ts";

export type Shape =
  | "text"
  | "number"
  | "boolean"
  /** A Kubernetes quantity, as text or as a bare number. */
  | "size"
  | { readonly kind: "map"; readonly of: Shape }
  | { readonly kind: "list"; readonly of: Shape }
  | {
      readonly kind: "object";
      readonly fields: readonly (readonly [string, Shape])[];
      readonly required: readonly string[];
    };

export interface Fault {
  readonly field: string;
  readonly problem: string;
}

export function mapOf(of: Shape): Shape {
  return { kind: "map", of };
}

export function listOf(of: Shape): Shape {
  return { kind: "list", of };
}

/** An object with these fields, of which some must be there. */
export function objectWith(fields: Readonly<Record<string, Shape>>, ...required: readonly string[]): Shape {
  return { kind: "object", fields: Object.entries(fields), required };
}

/** The first thing that is wrong, or undefined. Missing and null are the same, as in Kubernetes. */
export function findFault(value: unknown, shape: Shape): Fault | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof shape === "string") return findScalarFault(value, shape);
  if (shape.kind === "list") {
    if (!Array.isArray(value)) return wrong(value, "a list");
    for (let index = 0; index < value.length; index++) {
      const fault = findFault(value[index], shape.of);
      if (fault !== undefined) return within(`[${index}]`, fault);
    }
    return undefined;
  }
  if (typeof value !== "object" || Array.isArray(value)) return wrong(value, "a mapping");
  const table = value as Record<string, unknown>;
  if (shape.kind === "object") {
    for (const key of shape.required) {
      const part = table[key];
      if (part === undefined || part === null || part === "") return { field: key, problem: "is missing" };
    }
  }
  const parts = shape.kind === "object" ? shape.fields : Object.keys(table).map((key) => [key, shape.of] as const);
  for (const [key, part] of parts) {
    const fault = findFault(table[key], part);
    if (fault !== undefined) return within(key, fault);
  }
  return undefined;
}

/** Sizes as nearly all of them are written; what looks otherwise is looked at more closely. */
const PLAIN_SIZE = /^[1-9][0-9]*(?:[KMGTPE]i|[kMGTPE])?$/;

function findScalarFault(value: unknown, shape: "text" | "number" | "boolean" | "size"): Fault | undefined {
  switch (shape) {
    case "text":
      return typeof value === "string" ? undefined : wrong(value, "text");
    case "number":
    case "boolean":
      return typeof value === shape ? undefined : wrong(value, `a ${shape}`);
    case "size": {
      if (typeof value !== "string" && typeof value !== "number") return wrong(value, "a size");
      const text = String(value);
      if (PLAIN_SIZE.test(text) || Quantity.tryParse(text) !== undefined) return undefined;
      return { field: "", problem: `${JSON.stringify(value)} is not a quantity; write it like 10Gi, 1.5Ti or 500M` };
    }
  }
}

/** The fault as seen from one level further up. */
function within(key: string, { field, problem }: Fault): Fault {
  return { field: field === "" || field.startsWith("[") ? key + field : `${key}.${field}`, problem };
}

function wrong(value: unknown, wanted: string): Fault {
  const found = Array.isArray(value) ? "a list" : typeof value === "object" ? "a mapping" : JSON.stringify(value);
  return { field: "", problem: `expected ${wanted}, found ${found}` };
}

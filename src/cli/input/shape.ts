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
  | { readonly mapOf: Shape }
  | { readonly listOf: Shape }
  | { readonly fields: Readonly<Record<string, Shape>>; readonly required?: readonly string[] };

export interface Fault {
  readonly field: string;
  readonly problem: string;
}

/** The first thing that is wrong, or undefined. Missing and null are the same, as in Kubernetes. */
export function findFault(value: unknown, shape: Shape, path = ""): Fault | undefined {
  if (value === undefined || value === null) return undefined;
  if (shape === "size") return findSizeFault(value, path);
  if (shape === "text") return typeof value === "string" ? undefined : wrong(value, "text", path);
  if (shape === "number" || shape === "boolean") {
    return typeof value === shape ? undefined : wrong(value, `a ${shape}`, path);
  }
  if ("listOf" in shape) {
    if (!Array.isArray(value)) return wrong(value, "a list", path);
    return firstOf(value.entries(), ([index, entry]) => findFault(entry, shape.listOf, `${path}[${index}]`));
  }
  if (typeof value !== "object" || Array.isArray(value)) return wrong(value, "a mapping", path);
  const table = value as Record<string, unknown>;
  if ("mapOf" in shape) {
    return firstOf(Object.keys(table), (key) => findFault(table[key], shape.mapOf, join(path, key)));
  }
  for (const key of shape.required ?? []) {
    if (table[key] === undefined || table[key] === null || table[key] === "") {
      return { field: join(path, key), problem: "is missing" };
    }
  }
  return firstOf(Object.keys(shape.fields), (key) => {
    const part = shape.fields[key];
    return part === undefined ? undefined : findFault(table[key], part, join(path, key));
  });
}

function firstOf<T>(entries: Iterable<T>, find: (entry: T) => Fault | undefined): Fault | undefined {
  for (const entry of entries) {
    const fault = find(entry);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function findSizeFault(value: unknown, path: string): Fault | undefined {
  if (typeof value !== "string" && typeof value !== "number") return wrong(value, "a size", path);
  if (Quantity.tryParse(String(value)) !== undefined) return undefined;
  return { field: path, problem: `${JSON.stringify(value)} is not a quantity; write it like 10Gi, 1.5Ti or 500M` };
}

function wrong(value: unknown, wanted: string, path: string): Fault {
  return { field: path, problem: `expected ${wanted}, found ${nameOf(value)}` };
}

function nameOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "a mapping" : JSON.stringify(value);
}

function join(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

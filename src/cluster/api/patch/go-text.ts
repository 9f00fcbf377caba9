/** How Go prints plain JSON with `%v`, and calls its types: messages of Kubernetes show both. */
import { isList, isObject, type Json } from "../json.ts";

/** `map[image:x name:a]`, `[a b]`, `<nil>`; keys come sorted. */
export function goText(value: Json): string {
  if (value === null) return "<nil>";
  if (isList(value)) return `[${value.map(goText).join(" ")}]`;
  if (!isObject(value)) return String(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${entries.map(([key, inner]) => `${key}:${goText(inner)}`).join(" ")}]`;
}

/** The Go type that holds the value after decoding. */
export function goType(value: Json): string {
  if (value === null) return "%!s(<nil>)";
  if (isList(value)) return "[]interface {}";
  if (isObject(value)) return "map[string]interface {}";
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  return Number.isInteger(value) ? "int64" : "float64";
}

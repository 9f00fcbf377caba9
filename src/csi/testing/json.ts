/** Scripts and recordings as JSON: a field whose name ends in `Bytes` is a bigint, written as a string of digits. */

export function toJson(value: unknown): string {
  return JSON.stringify(value, (_, field: unknown) => (typeof field === "bigint" ? field.toString() : field));
}

/** Throws a `SyntaxError` for what is no JSON, or no whole number where one must be. */
export function fromJson(text: string): unknown {
  return JSON.parse(text, (name, field: unknown) =>
    name.endsWith("Bytes") && (typeof field === "string" || typeof field === "number") ? BigInt(field) : field,
  );
}

/** For the tests of tables: one row, by the names of its columns. */
import type { Json, JsonObject } from "../json.ts";
import type { Printer } from "./printer.ts";

/** The moment at which the tests look. */
export const NOW = Date.parse("2026-03-01T12:00:00Z");

/** An object that was made five days and twelve hours before. */
export function made(more: JsonObject, metadata: JsonObject = {}): JsonObject {
  return { metadata: { name: "it", creationTimestamp: "2026-02-24T00:00:00Z", ...metadata }, ...more };
}

export function cellsByName(printer: Printer, object: JsonObject): Readonly<Record<string, Json>> {
  const cells = printer.cells(object, NOW);
  return Object.fromEntries(printer.columns.map(({ name }, index) => [name, cells[index] ?? null]));
}

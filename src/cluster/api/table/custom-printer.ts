/** Custom resources: the columns that their definition asks for (apiextensions-apiserver, customresource/tableconvertor). */
import { fromTimestamp } from "../../../core/clock.ts";
import { isList, isObject, type Json } from "../json.ts";
import { humanDuration } from "./human-duration.ts";
import { follow, type JsonPath } from "./json-path.ts";
import { parseJsonPath } from "./parse-json-path.ts";
import { type Column, column, NAME, type Printer, printer } from "./printer.ts";
import { compare } from "./texts.ts";

/** An entry of `additionalPrinterColumns` of a version. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath: string;
}

const AGE_COLUMN: PrinterColumn = { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" };

/**
 * The printer of a version of a custom resource. Without columns it shows an age. As in Kubernetes, a path that cannot be
 * read ends the columns: that one and those after it are not shown.
 */
export function customPrinter(given: readonly PrinterColumn[] | undefined): Printer {
  const columns: Column[] = [NAME];
  for (const wanted of given === undefined || given.length === 0 ? [AGE_COLUMN] : given) {
    const path = parseJsonPath(wanted.jsonPath);
    if (path === undefined) break;
    columns.push(customColumn(wanted, path));
  }
  return printer(columns);
}

/** The `scale` subresource of custom resources. */
export const customScales = customPrinter([
  { name: "Desired", type: "integer", description: "Number of desired replicas", jsonPath: ".spec.replicas" },
  { name: "Available", type: "integer", description: "Number of actual replicas", jsonPath: ".status.replicas" },
  AGE_COLUMN,
]);

function customColumn({ name, type, format, description, priority, jsonPath }: PrinterColumn, path: JsonPath): Column {
  return column(name, (object, now) => cellOf(type, follow(path, object)?.[0], now), {
    type,
    format: format ?? "",
    description: description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    priority: priority ?? 0,
  });
}

/** Of several values the first is shown; one of another type than the column's is not. */
function cellOf(type: string, value: Json | undefined, now: number): Json {
  if (value === undefined) return null;
  switch (type) {
    case "string":
      return printed(value);
    case "integer":
      return typeof value === "number" ? Math.trunc(value) : null;
    case "number":
      return typeof value === "number" ? value : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "date":
      return typeof value === "string" ? dateText(value, now) : null;
    default:
      return null;
  }
}

function dateText(value: string, now: number): string {
  if (value === "" || value === "null") return "<unknown>";
  const moment = fromTimestamp(value);
  return moment === undefined ? "<invalid>" : humanDuration(now - moment);
}

/** As Go prints a value that was decoded from JSON; what has parts is printed as JSON. */
function printed(value: Json): string {
  if (value === null) return "<no value>";
  if (isList(value) || isObject(value)) return goJson(value);
  return typeof value === "number" ? goNumber(value) : String(value);
}

/** Go turns to an exponent sooner than JavaScript at the small end, and gives it two digits. */
export function goNumber(value: number): string {
  const size = Math.abs(value);
  const text = size !== 0 && size < 1e-4 ? value.toExponential() : String(value);
  return text.replace(/e([+-])(\d)$/, "e$10$2");
}

/** Keys in order, and nothing in it that HTML would read as markup. */
function goJson(value: Json): string {
  if (isList(value)) return `[${value.map(goJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value).replaceAll(MARKUP, escaped);
  const entries = Object.entries(value).sort(([a], [b]) => compare(a, b));
  return `{${entries.map(([key, inner]) => `${goJson(key)}:${goJson(inner)}`).join(",")}}`;
}

const MARKUP = /[<>&\u2028\u2029]/g;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

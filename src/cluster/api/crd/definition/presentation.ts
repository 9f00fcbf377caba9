/** Columns, scale and selectable fields: paths into objects that a definition names. */
import { duplicate, type FieldError, invalid, required, tooMany } from "../../../../admission/verdict.ts";
import type { JsonObject } from "../../json.ts";
import type { PrinterColumn } from "../../table/custom-printer.ts";
import type { Subresources } from "./definition.ts";
import { propertiesOf, textAt } from "./written-schema.ts";

const COLUMN_TYPES = ["boolean", "date", "integer", "number", "string"];
const COLUMN_FORMATS = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];
const SELECTABLE_TYPES = ["string", "boolean", "integer"];
const MAX_SELECTABLE = 8;

export function columnErrors({ name, type, format = "", jsonPath }: PrinterColumn, path: string): FieldError[] {
  const types = `must be one of ${COLUMN_TYPES.join(",")}`;
  return [
    ...(name === "" ? [required(`${path}.name`)] : []),
    ...(type === "" ? [required(`${path}.type`, types)] : []),
    ...(type === "" || COLUMN_TYPES.includes(type) ? [] : [invalid(`${path}.type`, type, types)]),
    ...(format === "" || COLUMN_FORMATS.includes(format)
      ? []
      : [invalid(`${path}.format`, format, `must be one of ${COLUMN_FORMATS.join(",")}`)]),
    ...(jsonPath === "" ? [required(`${path}.JSONPath`)] : simplePathErrors(jsonPath, `${path}.JSONPath`)),
  ];
}

/** Only that it begins with a dot: a column whose path cannot be read is not shown. */
function simplePathErrors(text: string, path: string): FieldError[] {
  return text.startsWith(".") ? [] : [invalid(path, text, "must be a simple json path starting with .")];
}

export function subresourceErrors(subresources: Subresources | undefined, path: string): FieldError[] {
  const scale = subresources?.scale;
  if (scale === undefined) return [];
  const check = (name: keyof typeof scale, roots: readonly string[], where: string): FieldError[] => {
    const at = `${path}.scale.${name}`;
    const text = scale[name] ?? "";
    if (text === "") return name === "labelSelectorPath" ? [] : [required(at)];
    const errors = simplePathErrors(text, at);
    if (errors.length > 0) return errors;
    return roots.some((root) => text.startsWith(root))
      ? []
      : [invalid(at, text, `should be a json path under ${where}`)];
  };
  return [
    ...check("specReplicasPath", [".spec."], ".spec"),
    ...check("statusReplicasPath", [".status."], ".status"),
    ...check("labelSelectorPath", [".spec.", ".status."], "either .spec or .status"),
  ];
}

export function selectableErrors(
  fields: readonly { readonly jsonPath: string }[],
  schema: JsonObject,
  path: string,
): FieldError[] {
  const seen = new Set<string>();
  const errors = fields.flatMap(({ jsonPath }, index) => {
    const at = `${path}[${index}].jsonPath`;
    if (jsonPath === "") return [required(at)];
    const found = schemaAt(schema, jsonPath);
    if (found === undefined) return [invalid(at, jsonPath, "is an invalid path: does not refer to a valid field")];
    const repeated = seen.has(jsonPath);
    seen.add(jsonPath);
    return [
      ...(jsonPath.startsWith(".metadata") ? [invalid(at, jsonPath, "must not point to fields in metadata")] : []),
      ...(SELECTABLE_TYPES.includes(textAt(found, "type"))
        ? []
        : [
            invalid(
              at,
              jsonPath,
              "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.",
            ),
          ]),
      ...(repeated ? [duplicate(at, jsonPath)] : []),
    ];
  });
  return seen.size > MAX_SELECTABLE ? [...errors, tooMany(path, seen.size, MAX_SELECTABLE)] : errors;
}

function schemaAt(schema: JsonObject, path: string): JsonObject | undefined {
  if (!path.startsWith(".")) return undefined;
  return path
    .slice(1)
    .split(".")
    .reduce<JsonObject | undefined>((at, name) => at && new Map(propertiesOf(at)).get(name), schema);
}

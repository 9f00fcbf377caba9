/** How large values of a schema can be, as far as it says: k8s.io/apiserver/pkg/cel/common/schemas.go. */
import type { Schema } from "../../crd/schema/schema.ts";
import type { SizeAt } from "../estimate/range.ts";
import { isIntOrString } from "./declared-type.ts";
import { unescapeName } from "./escape.ts";

/** No request is larger. */
const MAX_REQUEST = 3 * 1024 * 1024;

/** How often a value of this size can stand in one request. */
export function timesInRequest(schema: Schema): number {
  return Math.floor(MAX_REQUEST / (leastSize(schema) + 1));
}

/** Of variables that are all of this schema. */
export function sizesOf(schema: Schema): SizeAt {
  return ([, ...path]) => {
    let current: Schema | undefined = schema;
    for (const name of path) {
      if (current === undefined) return undefined;
      if (name === "@items" || name === "@values") current = itemsOf(current);
      else if (name === "@keys")
        return itemsOf(current) === undefined || current.types[0] === "array" ? undefined : { min: 0, max: 0 };
      else current = current.properties.get(unescapeName(name) ?? name);
    }
    return current === undefined ? undefined : { min: 0, max: mostElements(current) };
  };
}

function itemsOf({ types, items, additional }: Schema): Schema | undefined {
  if (types[0] === "array") return items;
  return typeof additional === "object" ? additional : undefined;
}

/** Items, entries or characters. */
function mostElements(schema: Schema): number {
  const { rules, types } = schema;
  if (isIntOrString(schema)) return rules.maxLength === undefined ? MAX_REQUEST - 2 : Math.max(0, rules.maxLength) * 4;
  switch (types[0] ?? "") {
    case "array":
      if (rules.maxItems !== undefined) return Math.max(0, rules.maxItems);
      return schema.items === undefined ? 0 : Math.floor((MAX_REQUEST - 2) / (leastSize(schema.items) + 1));
    case "object":
      if (typeof schema.additional !== "object") return 0;
      return rules.maxProperties === undefined
        ? Math.floor((MAX_REQUEST - 2) / (leastSize(schema.additional) + 6))
        : Math.max(0, rules.maxProperties);
    case "string":
      return mostCharacters(schema);
    default:
      return 0;
  }
}

function mostCharacters({ rules }: Schema): number {
  switch (rules.format) {
    case "duration":
    case "date-time":
      return 32;
    case "date":
      return 12;
    case "byte":
      return rules.maxLength === undefined ? MAX_REQUEST - 2 : Math.max(0, rules.maxLength);
    default:
      if (rules.maxLength !== undefined) return Math.max(0, rules.maxLength) * 4;
      if (rules.options.length === 0) return MAX_REQUEST - 2;
      return Math.max(
        0,
        ...rules.options.map((option) => (typeof option === "string" ? Buffer.byteLength(option) : 0)),
      );
  }
}

/** The shortest JSON that a value of the schema can be. */
function leastSize(schema: Schema): number {
  if (isIntOrString(schema)) return 1;
  switch (schema.types[0] ?? "") {
    case "boolean":
      return 4;
    case "string":
      return { duration: 3, date: 12, "date-time": 21 }[schema.rules.format] ?? 2;
    case "array":
      return 2;
    case "object":
      return typeof schema.additional === "object" ? 2 : leastObject(schema);
    default:
      return 1;
  }
}

function leastObject({ properties, rules }: Schema): number {
  return rules.required.reduce((sum, name) => {
    const inner = properties.get(name);
    const counts = inner !== undefined && inner.fallback === undefined;
    return counts ? sum + Buffer.byteLength(name) + leastSize(inner) + 4 : sum;
  }, 2);
}

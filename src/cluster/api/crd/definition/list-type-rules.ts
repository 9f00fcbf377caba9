/** Which lists can be sets and maps: so that their items can be told apart (`x-kubernetes-list-type`). */
import { type FieldError, forbidden, invalid, notSupported, required } from "../../../../admission/verdict.ts";
import { get, has, isList, type JsonObject } from "../../json.ts";
import { repeated } from "../../validation/repeated.ts";
import { listAt, objectAt, propertiesOf, textAt } from "./written-schema.ts";

export function listTypeErrors(schema: JsonObject, path: string): FieldError[] {
  const listType = textAt(schema, "x-kubernetes-list-type");
  const keys = listAt(schema, "x-kubernetes-list-map-keys");
  const at = `${path}.x-kubernetes-list-type`;
  return [
    ...(listType === "" ? [] : placeErrors(schema, listType, path)),
    ...(["", "atomic", "set", "map"].includes(listType) ? [] : [notSupported(at, listType, ["atomic", "set", "map"])]),
    ...(keys.length === 0 || listType === "map" ? [] : [keysWithoutMap(at, listType)]),
    ...(listType === "map" ? mapErrors(schema, path) : []),
    ...(listType === "map" || listType === "set" ? itemErrors(schema, listType, path) : []),
  ];
}

function keysWithoutMap(path: string, listType: string): FieldError {
  const message = "must be map if x-kubernetes-list-map-keys is non-empty";
  return listType === "" ? required(path, message) : invalid(path, listType, message);
}

function placeErrors(schema: JsonObject, listType: string, path: string): FieldError[] {
  const type = textAt(schema, "type");
  if (type !== "array") {
    const message = "must be array if x-kubernetes-list-type is specified";
    return [type === "" ? required(`${path}.type`, message) : invalid(`${path}.type`, type, message)];
  }
  const items = objectAt(schema, "items");
  if (listType !== "set" || items === undefined) return [];
  const mustBe = "must be atomic as item of a list with x-kubernetes-list-type=set";
  const itemType = textAt(items, "type");
  const inner = textAt(items, "x-kubernetes-list-type");
  if (itemType === "array" && inner !== "" && inner !== "atomic") {
    return [invalid(`${path}.items.x-kubernetes-list-type`, inner, mustBe)];
  }
  // Upstream shows the list type here too, which an object does not have.
  return itemType === "object" && textAt(items, "x-kubernetes-map-type") !== "atomic"
    ? [invalid(`${path}.items.x-kubernetes-map-type`, inner || null, mustBe)]
    : [];
}

function mapErrors(schema: JsonObject, path: string): FieldError[] {
  const keys = listAt(schema, "x-kubernetes-list-map-keys");
  const items = objectAt(schema, "items");
  const type = items === undefined ? "" : textAt(items, "type");
  return [
    ...(keys.length === 0
      ? [required(`${path}.x-kubernetes-list-map-keys`, "must not be empty if x-kubernetes-list-type is map")]
      : []),
    ...(items === undefined && !isList(get(schema, "items"))
      ? [required(`${path}.items`, "must have a schema if x-kubernetes-list-type is map")]
      : []),
    ...(items !== undefined && type !== "object"
      ? [invalid(`${path}.items.type`, type, "must be object if parent array's x-kubernetes-list-type is map")]
      : []),
    ...(items !== undefined && type === "object" ? keyErrors(keys.map(String), items, path) : []),
  ];
}

function keyErrors(keys: readonly string[], items: JsonObject, path: string): FieldError[] {
  const properties = new Map(propertiesOf(items));
  const at = `${path}.x-kubernetes-list-map-keys`;
  const again = repeated(keys, (key) => key);
  return keys.flatMap((key, index) => {
    const property = properties.get(key);
    const scalar = "must be a scalar type if parent array's x-kubernetes-list-type is map";
    return [
      ...(property === undefined ? [invalid(at, keys, "entries must all be names of item properties")] : []),
      ...(property !== undefined && ["array", "object"].includes(textAt(property, "type"))
        ? [invalid(`${path}.items.properties[${key}].type`, "object", scalar)]
        : []),
      ...(again.has(index) ? [invalid(at, keys, "must not contain duplicate entries")] : []),
    ];
  });
}

/** Keys are there in every item, or have a default. */
function itemErrors(schema: JsonObject, listType: string, path: string): FieldError[] {
  const items = objectAt(schema, "items");
  if (items === undefined) return [];
  const properties = new Map(propertiesOf(items));
  const needed = new Set(listAt(items, "required"));
  const keys = listType === "map" ? listAt(schema, "x-kubernetes-list-map-keys").map(String) : [];
  const isKey = "this property is in x-kubernetes-list-map-keys, so it";
  return [
    ...(get(items, "nullable") === true
      ? [forbidden(`${path}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${listType}`)]
      : []),
    ...keys.flatMap((key) => {
      const property = properties.get(key);
      if (property === undefined) return [];
      const at = `${path}.items.properties[${key}]`;
      return [
        ...(needed.has(key) || has(property, "default")
          ? []
          : [required(`${at}.default`, `${isKey} must have a default or be a required property`)]),
        ...(get(property, "nullable") === true ? [forbidden(`${at}.nullable`, `${isKey} cannot be nullable`)] : []),
      ];
    }),
  ];
}

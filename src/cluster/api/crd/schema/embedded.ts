/** Objects inside of objects (`x-kubernetes-embedded-resource`): apiextensions-apiserver pkg/apiserver/schema/objectmeta. */
import { type FieldError, invalid, required } from "../../../../admission/verdict.ts";
import type { ObjectMeta } from "../../../../core/types.ts";
import { entriesOf, get, has, isList, isObject, type Json, type JsonObject } from "../../json.ts";
import { sorted } from "../../sorted-json.ts";
import { validateMetadata } from "../../validation/metadata.ts";
import { pathSegment } from "../../validation/names.ts";
import { dnsLabel1035 } from "../definition/names.ts";
import { pathOfKey } from "./list-types.ts";
import { type Schema, schemaOfKey } from "./schema.ts";

/** Every error in what embedded objects say of themselves, at any depth. */
export function validateEmbedded(value: Json, schema: Schema | undefined, path = ""): FieldError[] {
  if (schema === undefined || !schema.inside.embedded) return [];
  if (isList(value)) {
    return value.flatMap((item, index) => validateEmbedded(item, schema.items, `${path}[${index}]`));
  }
  if (!isObject(value)) return [];
  return [
    ...(schema.embedded ? validateIdentity(value, path) : []),
    ...entriesOf(value).flatMap(([key, inner]) =>
      validateEmbedded(inner, schemaOfKey(schema, key), pathOfKey(schema, path, key)),
    ),
  ];
}

function validateIdentity(object: JsonObject, path: string): FieldError[] {
  return [
    ...["apiVersion", "kind"].filter((name) => !has(object, name)).map((name) => required(`${path}.${name}`)),
    ...checkText(object, "apiVersion", path, versionErrors),
    ...checkText(object, "kind", path, kindErrors),
    ...checkMetadata(get(object, "metadata"), `${path}.metadata`),
  ];
}

function checkText(
  object: JsonObject,
  name: "apiVersion" | "kind",
  path: string,
  check: (text: string) => string[],
): FieldError[] {
  const value = get(object, name);
  if (value === undefined) return [];
  if (typeof value !== "string") return [invalid(`${path}.${name}`, sorted(value), "must be a string")];
  const messages = value === "" ? ["must not be empty"] : check(value);
  return messages.map((message) => invalid(`${path}.${name}`, value, message));
}

function versionErrors(apiVersion: string): string[] {
  return apiVersion.split("/").length > 2 ? [`unexpected GroupVersion string: ${apiVersion}`] : [];
}

function kindErrors(kind: string): string[] {
  const errors = dnsLabel1035(kind.toLowerCase());
  return errors.length === 0 ? [] : [`may have mixed case, but should otherwise match: ${errors.join(",")}`];
}

/** Its name may be missing; its namespace says whether it has one. */
function checkMetadata(metadata: Json | undefined, path: string): FieldError[] {
  if (metadata === undefined || metadata === null) return [];
  if (!isObject(metadata)) return [invalid(path, sorted(metadata), "must be an object")];
  const meta = metadata as Partial<ObjectMeta>;
  const rules = { namespaced: (meta.namespace ?? "") !== "", name: pathSegment, qualifiedFinalizers: false };
  return validateMetadata({ ...meta, name: meta.name || "unnamed" }, rules).map((error) => ({
    ...error,
    path: error.path.replace(/^metadata/, path),
  }));
}

/**
 * Objects between the version in which they are stored and the one in which they are served (conversion strategy None): beside the
 * `apiVersion`, what the schema of either does not know goes, and what is stored gets the defaults that its schema has by now
 * (apiextensions-apiserver pkg/apiserver/customresource_handler.go, schemaCoercingDecoder and schemaCoercingConverter).
 */
import type { CustomResource } from "../../catalog/resource.ts";
import type { JsonObject } from "../../json.ts";
import { oncePer } from "../../once-per.ts";
import { type Definition, storageVersion, type Version } from "../definition/definition.ts";
import { textAt } from "../definition/written-schema.ts";
import { withSchemaDefaults } from "../schema/default.ts";
import { pruneObject } from "../schema/prune.ts";
import { readSchema, type Schema } from "../schema/schema.ts";

export type StoredForm = Pick<CustomResource, "toStored" | "fromStored">;

/** For one version of a definition. Of a definition with a webhook, which is not called, objects stay as they were written. */
export function storedForm(definition: Definition, { name }: Pick<Version, "name">): StoredForm {
  const { group, conversion } = definition.spec;
  const [served, stored] = [`${group}/${name}`, `${group}/${storageVersion(definition.spec) ?? name}`];
  if (conversion?.strategy === "Webhook") {
    return {
      toStored: (object) => withVersion(object, stored),
      fromStored: (object) => withVersion(object, served),
    };
  }
  const schemas = schemasOf(definition);
  const inForm = (object: JsonObject, apiVersion: string): JsonObject =>
    object["apiVersion"] === apiVersion ? object : withVersion(pruned(object, schemas(apiVersion)), apiVersion);
  const toStored = (object: JsonObject): JsonObject => inForm(object, stored);
  if (isAsWritten(definition)) return { toStored };
  const fromStored = oncePer((object: JsonObject) => {
    const found = schemas(textAt(object, "apiVersion"));
    return inForm(withSchemaDefaults(pruned(object, found), found?.schema) as JsonObject, served);
  });
  return { toStored, fromStored };
}

/** Everything that is stored was written under the one schema that there ever was. */
function isAsWritten({ metadata, spec: { versions } }: Definition): boolean {
  return versions.length === 1 && (metadata.generation ?? 1) === 1;
}

/** The schema of a version, which may be none. */
interface Found {
  readonly schema: Schema | undefined;
}

/** By `apiVersion`, each read when it is first asked for; undefined for a version that the definition has no more. */
function schemasOf({ spec: { group, versions } }: Definition): (apiVersion: string) => Found | undefined {
  const read = oncePer<Version, Found>(({ schema }) => {
    const written = schema?.openAPIV3Schema;
    return { schema: written === undefined ? undefined : readSchema(written) };
  });
  return (apiVersion) => {
    const version = versions.find(({ name }) => `${group}/${name}` === apiVersion);
    return version === undefined ? undefined : read(version);
  };
}

/** What is stored in a version that is no more stays as it is. */
function pruned(object: JsonObject, found: Found | undefined): JsonObject {
  return found === undefined ? object : pruneObject(object, found.schema).object;
}

function withVersion(object: JsonObject, apiVersion: string): JsonObject {
  return object["apiVersion"] === apiVersion ? object : { ...object, apiVersion };
}

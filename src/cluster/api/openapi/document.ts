/** OpenAPI v3: one document for each group and version, and the index of them. Made when somebody asks. */
import { createHash } from "node:crypto";
import type { Catalog } from "../catalog/catalog.ts";
import type { Resource } from "../catalog/resource.ts";
import { isList, isObject, type Json, type JsonObject } from "../json.ts";
import { groupVersionOf, type Kind } from "../kinds/kind.ts";
import { builtInDefinition, structureOfKind } from "./built-in-schemas.ts";
import { customSchema } from "./custom-schemas.ts";
import { customDefinitionName, definitionName, definitionOf } from "./names.ts";
import { type Described, pathsOf } from "./paths.ts";
import { listSchema, SHARED } from "./shared-schemas.ts";

interface Made {
  readonly document: JsonObject;
  /** Of the document's text. */
  readonly hash: string;
}

/** What was made of the resources of a group and version, for as long as those are what there is. */
interface Kept extends Made {
  readonly resources: readonly Resource[];
}

const kept = new WeakMap<Catalog, { generation: number; byVersion: Map<string, Kept> }>();

/** `GET /openapi/v3`. A document with other content has another URL, so clients may keep what they have for ever. */
export function openApiIndex(catalog: Catalog): JsonObject {
  const versions = [...new Set(catalog.kinds().map(groupVersionOf))];
  const paths = versions.map((version): [string, JsonObject] => {
    const path = version.includes("/") ? `apis/${version}` : `api/${version}`;
    return [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${make(catalog, version)?.hash ?? ""}` }];
  });
  return { paths: Object.fromEntries(paths) };
}

/** `GET /openapi/v3/api/VERSION`, `GET /openapi/v3/apis/GROUP/VERSION`; undefined when there is no such version. */
export function openApiDocument(catalog: Catalog, group: string, version: string): JsonObject | undefined {
  return make(catalog, groupVersionOf({ group, version }))?.document;
}

function make(catalog: Catalog, groupVersion: string): Made | undefined {
  const { byVersion } = keptOf(catalog);
  const known = byVersion.get(groupVersion);
  if (known !== undefined) return known;
  const resources = resourcesOf(catalog, groupVersion);
  if (resources.length === 0) return undefined;
  const document = documentOf(resources);
  const hash = createHash("sha512").update(JSON.stringify(document)).digest("hex").toUpperCase();
  const made = { document, hash, resources };
  byVersion.set(groupVersion, made);
  return made;
}

/** What was made before; of another generation, only what is still made of the same resources. */
function keptOf(catalog: Catalog): { byVersion: Map<string, Kept> } {
  const known = kept.get(catalog);
  if (known?.generation === catalog.generation) return known;
  const still = [...(known?.byVersion ?? [])].filter(([groupVersion, { resources }]) => {
    const now = resourcesOf(catalog, groupVersion);
    return now.length === resources.length && now.every((resource, index) => resource === resources[index]);
  });
  const fresh = { generation: catalog.generation, byVersion: new Map(still) };
  kept.set(catalog, fresh);
  return fresh;
}

function resourcesOf(catalog: Catalog, groupVersion: string): Resource[] {
  return catalog.resources().filter(({ kind }) => groupVersionOf(kind) === groupVersion);
}

function documentOf(resources: readonly Resource[]): JsonObject {
  const schemas: Record<string, JsonObject> = { ...SHARED };
  addBuiltIn(schemas, ["meta.v1.DeleteOptions", "meta.v1.ObjectMeta"]);
  const paths = Object.assign({}, ...resources.map((resource) => pathsOf(describe(resource, schemas)))) as JsonObject;
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes", version: "1.36" },
    paths,
    components: { schemas: reachable(paths, schemas) },
  };
}

/** The definitions that the paths lead to, by name: a kind that is only ever created has no list and no deletion. */
function reachable(paths: JsonObject, schemas: Readonly<Record<string, JsonObject>>): JsonObject {
  const found = new Map<string, JsonObject>();
  const open: Json[] = [paths];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (isList(value)) for (const item of value) open.push(item);
    if (!isObject(value)) continue;
    for (const key of Object.keys(value)) open.push(value[key] ?? null);
    const name = definitionOf(value);
    const schema = name === undefined ? undefined : schemas[name];
    if (name === undefined || schema === undefined || found.has(name)) continue;
    found.set(name, schema);
    open.push(schema);
  }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Adds the definitions of a resource, and tells their names. */
function describe({ kind, custom }: Resource, schemas: Record<string, JsonObject>): Described {
  const spoken: Described["spoken"] = ({ speaks }) => (speaks === undefined ? definition : defineKind(speaks, schemas));
  const listKind = `${kind.kind}List`;
  const definition = custom === undefined ? defineKind(kind, schemas) : customDefinitionName(kind, kind.kind);
  const listDefinition = custom === undefined ? `${definition}List` : customDefinitionName(kind, listKind);
  if (custom !== undefined) schemas[definition] = customSchema(kind, custom.openApiSchema);
  schemas[listDefinition] = listSchema(definition, kind.group, kind.version, listKind);
  // Connections (exec, port-forward) and logs speak nothing that has a schema.
  const subresources = kind.subresources.filter(
    ({ speaks, isText = false }) => !isText && (speaks === undefined || isKnown(speaks)),
  );
  return { kind: { ...kind, subresources }, definition, listDefinition, strategic: custom === undefined, spoken };
}

function isKnown(kind: Pick<Kind, "group" | "version" | "kind">): boolean {
  return structureOfKind(groupVersionOf(kind), kind.kind) !== undefined;
}

function defineKind(kind: Pick<Kind, "group" | "version" | "kind">, schemas: Record<string, JsonObject>): string {
  const structure = structureOfKind(groupVersionOf(kind), kind.kind);
  if (structure === undefined) throw new Error(`there is no schema of ${groupVersionOf(kind)} ${kind.kind}`);
  addBuiltIn(schemas, [structure]);
  return definitionName(structure);
}

/** The definitions of these structures, and of everything that they refer to. */
function addBuiltIn(schemas: Record<string, JsonObject>, structures: readonly string[]): void {
  const open = [...structures];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const full = definitionName(name);
    if (Object.hasOwn(schemas, full)) continue;
    const { schema, refers } = builtInDefinition(name);
    schemas[full] = schema;
    open.push(...refers);
  }
}

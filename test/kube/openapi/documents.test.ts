/** Our documents beside those of a real server: every definition and every path that we tell, field by field. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCatalog } from "../../../src/cluster/api/catalog/catalog.ts";
import type { CustomResource } from "../../../src/cluster/api/catalog/resource.ts";
import { isList, isObject, type Json, type JsonObject, jsonEqual } from "../../../src/cluster/api/json.ts";
import { groupVersionOf, kindsOf } from "../../../src/cluster/api/kinds/kind.ts";
import { openApiDocument, openApiIndex, versionDocument } from "../../../src/cluster/api/openapi/index.ts";
import { builtInPrinter } from "../../../src/cluster/api/table/built-in-printers.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { waitFor } from "../wait.ts";
import differences from "./differences.json" with { type: "json" };

const KNOWN = differences.map(({ where }) => new RegExp(where));
const used = new Set<RegExp>();

const SCHEMA: JsonObject = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      required: ["size"],
      properties: {
        size: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
        mode: { type: "string", enum: ["a", "b"], default: "a" },
        parts: {
          type: "array",
          items: { type: "object", required: ["name"], properties: { name: { type: "string", maxLength: 9 } } },
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
        },
        rest: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        template: {
          type: "object",
          "x-kubernetes-embedded-resource": true,
          "x-kubernetes-preserve-unknown-fields": true,
        },
      },
    },
    status: { type: "object", properties: { ready: { type: "boolean" } } },
  },
};
const NAMES = { kind: "Db", plural: "dbs", singular: "db", listKind: "DbList" };
const CRD: JsonObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "dbs.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: NAMES,
    versions: [
      { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: SCHEMA }, subresources: { status: {} } },
    ],
  },
};

const catalog = createCatalog();
catalog.define(
  kindsOf("example.com/v1", [{ kind: "Db", plural: "dbs", subresources: ["status"] }]).map((kind) => ({
    kind,
    printer: builtInPrinter(kind),
    custom: { openApiSchema: SCHEMA } as unknown as CustomResource,
  })),
);
const VERSIONS = [...new Map(catalog.kinds().map((kind) => [groupVersionOf(kind), kind])).values()];

let plane: ControlPlane;
let index: { paths: Record<string, { serverRelativeURL: string }> };
beforeAll(async () => {
  plane = await startControlPlane({ controllers: [] });
  await plane.api.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", CRD);
  index = await waitFor("the schema of the custom resource", async () => {
    const found = await plane.api.get<typeof index>("/openapi/v3");
    return "apis/example.com/v1" in found.paths && found;
  });
});
afterAll(() => plane?.stop());

/** Lists of parameters by name, a reference alone or among `allOf` as the same, and an operation's parameters where they hold. */
function plain(value: Json): Json {
  if (isList(value)) return value.map(plain);
  if (!isObject(value)) return value;
  const { allOf, ...rest } = value;
  const [only] = isList(allOf) ? allOf : [];
  const alone = isObject(only) && isList(allOf) && allOf.length === 1;
  const flat: JsonObject = alone ? { ...rest, ...only } : value;
  return Object.fromEntries(Object.entries(flat).map(([key, inner]) => [key, plain(inner)]));
}

const METHODS = ["get", "put", "post", "patch", "delete"];

function operationsOf(path: JsonObject): JsonObject {
  const shared = parametersOf(path["parameters"]);
  const operations = METHODS.flatMap((method): [string, JsonObject][] => {
    const operation = path[method];
    if (!isObject(operation)) return [];
    return [[method, { ...operation, parameters: { ...shared, ...parametersOf(operation["parameters"]) } }]];
  });
  return Object.fromEntries(operations);
}

function parametersOf(list: Json | undefined): JsonObject {
  const parameters = isList(list) ? list.filter(isObject) : [];
  return Object.fromEntries(parameters.map((each) => [`${each["in"] as string} ${each["name"] as string}`, each]));
}

/** Where the two differ, but for what is known. */
function compare(path: string, real: Json | undefined, ours: Json | undefined): string[] {
  if (real === ours || (real !== undefined && ours !== undefined && jsonEqual(real, ours))) return [];
  const known = KNOWN.find((where) => where.test(path));
  if (known !== undefined) {
    used.add(known);
    return [];
  }
  if (isObject(real) && isObject(ours)) {
    const keys = [...new Set([...Object.keys(real), ...Object.keys(ours)])];
    return keys.flatMap((key) => compare(`${path}/${key}`, real[key], ours[key]));
  }
  return [`${path}: ${JSON.stringify(real)} there, ${JSON.stringify(ours)} here`];
}

interface Document {
  readonly paths: Readonly<Record<string, JsonObject>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonObject>> };
}

test.each(VERSIONS.map((kind) => [groupVersionOf(kind), kind] as const))("%s", async (name, { group, version }) => {
  const path = group === "" ? `api/${name}` : `apis/${name}`;
  const real = await plane.api.get<Document>(index.paths[path]?.serverRelativeURL ?? "");
  const ours = openApiDocument(catalog, group, version) as unknown as Document;
  const schemas = Object.entries(ours.components.schemas).flatMap(([definition, schema]) =>
    compare(definition, plain(real.components.schemas[definition] ?? null), plain(schema)),
  );
  const paths = Object.entries(ours.paths).flatMap(([each, operations]) =>
    compare(each, plain(operationsOf(real.paths[each] ?? {})), plain(operationsOf(operations))),
  );
  expect([...schemas, ...paths]).toEqual([]);
});

test("the index has the same form", () => {
  const ours = openApiIndex(catalog) as unknown as typeof index;
  const form = ({ paths }: typeof index, path: string) =>
    paths[path]?.serverRelativeURL.replace(/=[0-9A-F]{128}$/, "=HASH");
  expect(Object.keys(ours.paths).map((path) => form(ours, path))).toEqual(
    Object.keys(ours.paths).map((path) => form(index, path)),
  );
});

test("the version has the same fields", async () => {
  const real = await plane.api.get<JsonObject>("/version");
  const ours = versionDocument();
  expect(Object.keys(ours)).toEqual(Object.keys(real));
  const { major, minor, gitVersion } = real as Record<string, string>;
  expect(ours).toMatchObject({ major, minor, gitVersion: `${gitVersion}+outgrow` });
});

test("every difference in the list is one", () => {
  expect(KNOWN.filter((where) => !used.has(where))).toEqual([]);
});

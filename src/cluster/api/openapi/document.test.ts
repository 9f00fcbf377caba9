import { describe, expect, test } from "vitest";
import { type Catalog, createCatalog } from "../catalog/catalog.ts";
import type { CustomResource, Resource } from "../catalog/resource.ts";
import { get, isList, isObject, type Json, type JsonObject } from "../json.ts";
import { groupVersionOf, kindsOf } from "../kinds/kind.ts";
import { builtInPrinter } from "../table/built-in-printers.ts";
import { openApiDocument, openApiIndex, versionDocument } from "./index.ts";

const SCHEMA: JsonObject = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      description: "What the author says.",
      required: ["size"],
      properties: {
        size: { type: "string" },
        template: { type: "object", "x-kubernetes-embedded-resource": true, properties: {} },
      },
    },
  },
};

function database(openApiSchema?: JsonObject): Resource[] {
  return kindsOf("moco.cybozu.com/v1beta2", [
    { kind: "MySQLCluster", plural: "mysqlclusters", subresources: ["status", "scale"] },
  ]).map((kind) => ({ kind, printer: builtInPrinter(kind), custom: { openApiSchema } as unknown as CustomResource }));
}

function documents(catalog: Catalog): [string, JsonObject][] {
  const versions = new Map(
    catalog.kinds().map(({ group, version }) => [groupVersionOf({ group, version }), { group, version }]),
  );
  return [...versions].map(([name, { group, version }]) => [name, openApiDocument(catalog, group, version) ?? {}]);
}

function at(value: Json | undefined, ...keys: string[]): Json | undefined {
  return keys.reduce<Json | undefined>((inner, key) => (isObject(inner) ? get(inner, key) : undefined), value);
}

function walk(value: Json, visit: (object: JsonObject) => void): void {
  if (isList(value)) for (const item of value) walk(item, visit);
  if (!isObject(value)) return;
  visit(value);
  for (const inner of Object.values(value)) walk(inner, visit);
}

const urls = (catalog: Catalog) => at(openApiIndex(catalog), "paths") as Record<string, { serverRelativeURL: string }>;
const builtIn = createCatalog();

describe("the index", () => {
  test("names every group and version, with a hash of its content", () => {
    expect(Object.keys(urls(builtIn))).toContain("apis/storage.k8s.io/v1");
    expect(urls(builtIn)["api/v1"]?.serverRelativeURL).toMatch(/^\/openapi\/v3\/api\/v1\?hash=[0-9A-F]{128}$/);
  });

  test("gives a new URL to what changed, and to nothing else", () => {
    const catalog = createCatalog();
    const before = urls(catalog);
    catalog.define(database());
    const without = urls(catalog);
    catalog.define(database(SCHEMA));
    const { "apis/moco.cybozu.com/v1beta2": custom, ...others } = urls(catalog);
    expect(others).toEqual(before);
    expect(custom).not.toEqual(without["apis/moco.cybozu.com/v1beta2"]);
  });
});

describe("a document", () => {
  test("is the same object for as long as nothing changes in it", () => {
    const catalog = createCatalog();
    const first = openApiDocument(catalog, "apps", "v1");
    catalog.define(database());
    expect(openApiDocument(catalog, "apps", "v1")).toBe(first);
  });

  test("is not there for a version that is not served", () => {
    expect(openApiDocument(builtIn, "apps", "v2")).toBeUndefined();
  });

  test.each(documents(builtIn))("of %s refers to nothing that it does not define", (_, document) => {
    const defined = new Set(Object.keys(at(document, "components", "schemas") as JsonObject));
    const missing = new Set<string>();
    walk(document, ({ $ref }) => {
      const name = typeof $ref === "string" ? $ref.replace("#/components/schemas/", "") : undefined;
      if (name !== undefined && !defined.has(name)) missing.add(name);
    });
    expect([...missing]).toEqual([]);
    expect(defined.size).toBeGreaterThan(10);
  });

  test("tells how templates of claims look, and how lists merge", () => {
    const schemas = at(openApiDocument(builtIn, "apps", "v1"), "components", "schemas");
    expect(at(schemas, "io.k8s.api.apps.v1.StatefulSetSpec", "properties", "volumeClaimTemplates")).toEqual({
      type: "array",
      items: { allOf: [{ $ref: "#/components/schemas/io.k8s.api.core.v1.PersistentVolumeClaim" }], default: {} },
      "x-kubernetes-list-type": "atomic",
    });
    expect(at(schemas, "io.k8s.api.core.v1.PodSpec", "properties", "volumes")).toMatchObject({
      "x-kubernetes-list-map-keys": ["name"],
      "x-kubernetes-list-type": "map",
      "x-kubernetes-patch-merge-key": "name",
      "x-kubernetes-patch-strategy": "merge,retainKeys",
    });
  });
});

describe("a custom resource", () => {
  const catalog = createCatalog();
  catalog.define(database(SCHEMA));
  const document = openApiDocument(catalog, "moco.cybozu.com", "v1beta2");
  const own = at(document, "components", "schemas", "com.cybozu.moco.v1beta2.MySQLCluster");

  test("shows its author's schema, and what every object has", () => {
    expect(at(own, "properties", "spec", "description")).toBe("What the author says.");
    expect(Object.keys(at(own, "properties") as JsonObject)).toEqual(["spec", "apiVersion", "kind", "metadata"]);
    expect(at(own, "x-kubernetes-group-version-kind")).toEqual([
      { group: "moco.cybozu.com", kind: "MySQLCluster", version: "v1beta2" },
    ]);
  });

  test("shows the identity of objects inside of it", () => {
    const template = at(own, "properties", "spec", "properties", "template");
    expect(Object.keys(at(template, "properties") as JsonObject)).toEqual(["apiVersion", "kind", "metadata"]);
    expect(at(template, "required")).toEqual(["kind", "apiVersion"]);
  });

  test("without a schema may have any fields", () => {
    const open = createCatalog();
    open.define(database());
    const schemas = at(openApiDocument(open, "moco.cybozu.com", "v1beta2"), "components", "schemas");
    expect(at(schemas, "com.cybozu.moco.v1beta2.MySQLCluster", "properties")).toBeUndefined();
  });

  test.each([
    ["apps", "v1", "/apis/apps/v1/namespaces/{namespace}/statefulsets/{name}", true],
    ["moco.cybozu.com", "v1beta2", "/apis/moco.cybozu.com/v1beta2/namespaces/{namespace}/mysqlclusters/{name}", false],
  ])("takes no strategic merge patch, as %s/%s would", (group, version, path, strategic) => {
    const patch = at(openApiDocument(catalog, group, version), "paths", path, "patch");
    const types = Object.keys(at(patch, "requestBody", "content") as JsonObject);
    expect(types).toContain("application/apply-patch+yaml");
    expect(types.includes("application/strategic-merge-patch+json")).toBe(strategic);
    expect(JSON.stringify(at(patch, "parameters"))).toContain('"name":"fieldValidation"');
  });
});

test("the version says which Kubernetes this is like, and that it is not that", () => {
  expect(versionDocument()).toMatchObject({ major: "1", minor: "36", gitVersion: "v1.36.3+outgrow" });
});

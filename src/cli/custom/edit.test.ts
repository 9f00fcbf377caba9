import { describe, expect, test } from "vitest";
import { Quantity } from "../../core/quantity.ts";
import type { ExpansionSource } from "../../source/types.ts";
import { changing, edited, patchFor } from "./edit.ts";
import { customOf, placesOf, sizesOf } from "./read-custom.ts";

const source = (spec: Partial<ExpansionSource["spec"]>): ExpansionSource => ({
  metadata: { name: "s" },
  spec: { resource: { group: "example.com", version: "v1", kind: "Store", plural: "stores" }, ...spec },
});
const NODES = source({ claimTemplatesPath: ".spec.nodes[*].templates", statefulSetName: "{name}-{item.name}" });
const ALONE = source({
  claims: [{ template: "data", path: '.spec["pg/data"].size' }],
  statefulSetName: "{name}",
});

const template = (storage: string) => ({ metadata: { name: "data" }, spec: { resources: { requests: { storage } } } });
const object = {
  metadata: { name: "s", namespace: "prod", resourceVersion: "7" },
  spec: {
    nodes: [
      { name: "hot", templates: [template("1Gi")] },
      { name: "cold", templates: [template("2Gi")] },
    ],
    "pg/data": { size: 5, other: true },
  },
};

const wish = (sizes: Record<string, string>) =>
  new Map(Object.entries(sizes).map(([name, size]) => [name, Quantity.parse(size)]));

describe("a size in a list", () => {
  const custom = customOf([NODES], object);

  test("has its set in front of its name, where several have one of that name", () => {
    expect(sizesOf(custom).map(({ name }) => name)).toEqual(["s-hot/data", "s-cold/data"]);
    expect(() => placesOf(custom, wish({ data: "3Gi" }))).toThrow(
      'Store s does not say a size called "data"; it has s-hot/data, s-cold/data',
    );
  });

  test("is written at its place, and nothing beside it", () => {
    const edits = placesOf(custom, wish({ "s-cold/data": "3Gi" }));
    expect(edited(object, edits)).toEqual({
      ...object,
      spec: { ...object.spec, nodes: [object.spec.nodes[0], { name: "cold", templates: [template("3Gi")] }] },
    });
    expect(patchFor(object, edits)).toEqual([
      { op: "replace", path: "/metadata/resourceVersion", value: "7" },
      { op: "replace", path: "/spec/nodes/1/templates/0/spec/resources/requests/storage", value: "3Gi" },
    ]);
  });

  test("that is the same number changes nothing", () => {
    expect(changing(placesOf(custom, wish({ "s-hot/data": "1024Mi", "s-cold/data": "3Gi" })))).toHaveLength(1);
  });
});

test("a size that stands alone needs no name; signs in its path are escaped", () => {
  const custom = customOf([ALONE], object);
  expect(patchFor(object, placesOf(custom, wish({ "": "3Gi" })))[1]).toEqual({
    op: "replace",
    path: "/spec/pg~1data/size",
    value: "3Gi",
  });
});

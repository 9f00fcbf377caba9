import { expect, test } from "vitest";
import type { ExpansionSourceSpec } from "../types.ts";
import { conditionsOf, heldFields, pathsOf } from "./held-fields.ts";

const SPEC: ExpansionSourceSpec = {
  resource: { group: "example.com", version: "v1", kind: "Shop", plural: "shops" },
  claims: [
    { template: "data", path: ".spec.storage.size" },
    { template: "wal", path: ".spec.nodeSets[*].size" },
  ],
  statefulSetName: "{name}",
  paused: { path: '.metadata.annotations["example.com/paused"]' },
};

const WHOLE = {
  metadata: {
    name: "shop",
    namespace: "prod",
    uid: "u",
    resourceVersion: "7",
    generation: 3,
    labels: { app: "shop" },
    annotations: { "example.com/paused": "true", "example.com/other": "much" },
    managedFields: [{ manager: "somebody" }],
  },
  spec: {
    storage: { size: "1Gi", className: "fast" },
    nodeSets: [{ name: "hot", size: "2Gi" }],
    podTemplate: { spec: { containers: [{ name: "main" }] } },
  },
  status: { conditions: [{ type: "Ready", status: "True" }], nodes: 3 },
};

test("who it is, and what stands where the source looks, is all that is held; lists are kept whole", () => {
  expect(heldFields(WHOLE, pathsOf(SPEC))).toEqual({
    metadata: {
      name: "shop",
      namespace: "prod",
      uid: "u",
      resourceVersion: "7",
      generation: 3,
      annotations: { "example.com/paused": "true" },
    },
    spec: { storage: { size: "1Gi" }, nodeSets: [{ name: "hot", size: "2Gi" }] },
    status: { conditions: [{ type: "Ready", status: "True" }] },
  });
});

test("a resource that lacks all of it is held as far as it is there", () => {
  const bare = { metadata: { name: "shop" } };
  expect(heldFields(bare, pathsOf(SPEC))).toEqual(bare);
});

test("conditions are where the source says, and none where something else stands", () => {
  expect(conditionsOf(SPEC, WHOLE)).toEqual([{ type: "Ready", status: "True" }]);
  expect(conditionsOf({ ...SPEC, conditionsPath: ".status.nodes" }, WHOLE)).toEqual([]);
  expect(conditionsOf({ ...SPEC, conditionsPath: ".status.cluster.conditions" }, WHOLE)).toEqual([]);
});

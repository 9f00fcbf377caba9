import { expect, test } from "vitest";
import type { VolumeExpansionSpec } from "../types.ts";
import { desiredSizes } from "./desired-sizes.ts";
import { aSet } from "./fixtures.ts";
import { asking, wishOf } from "./wish-of.ts";

const WISHED_BY = { source: "moco", kind: "MySQLCluster", name: "shop" };

function recordWith(spec: Partial<VolumeExpansionSpec>) {
  return { spec: { statefulSetName: "db", ...spec } };
}

function wanted(set: ReturnType<typeof aSet>, spec: Partial<VolumeExpansionSpec>): string {
  const sizes = desiredSizes(set, wishOf(set, recordWith(spec)));
  return sizes.map(({ template, size, from }) => `${template}=${size} (${from})`).join(", ");
}

test("the sizes of a custom resource are the wish, and the set's annotation does not count", () => {
  const set = aSet({ wish: "data=500Gi,wal=50Gi" });
  const spec = { wishedBy: WISHED_BY, claims: [{ template: "data", storage: "200Gi" }] };
  expect(wanted(set, spec)).toBe("data=200Gi (wish), wal=10Gi (template)");
});

test("a resource that asks for nothing still speaks for the set", () => {
  expect(wanted(aSet({ wish: "data=500Gi" }), { wishedBy: WISHED_BY })).toBe(
    "data=100Gi (template), wal=10Gi (template)",
  );
});

test("what the record shows without a resource is no wish", () => {
  const spec = { claims: [{ template: "data", storage: "200Gi" }] };
  expect(wanted(aSet(), spec)).toBe("data=100Gi (template), wal=10Gi (template)");
  expect(wanted(aSet({ wish: "data=500Gi" }), spec)).toBe("data=500Gi (wish), wal=10Gi (template)");
});

test.each(["lots", "", "0", "-1Gi"])("a size of %j is refused, naming the resource and the way out", (storage) => {
  const spec = { wishedBy: WISHED_BY, claims: [{ template: "data", storage }] };
  expect(() => wanted(aSet(), spec)).toThrow(
    `MySQLCluster shop asks for data ${JSON.stringify(storage)}, which is not a size; write one, for example 200Gi`,
  );
});

test("messages name the resource and what it asks for", () => {
  const claims = [
    { template: "data", storage: "200Gi" },
    { template: "wal", storage: "20Gi" },
  ];
  expect(asking(recordWith({ wishedBy: WISHED_BY, claims }))).toBe("MySQLCluster shop asks for data 200Gi, wal 20Gi");
  expect(asking(recordWith({ wishedBy: WISHED_BY }))).toBe("MySQLCluster shop asks for nothing more");
  expect(asking(recordWith({ claims }))).toBeUndefined();
});

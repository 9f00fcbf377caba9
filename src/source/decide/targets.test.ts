import { describe, expect, test } from "vitest";
import type { KubeObject } from "../../core/types.ts";
import type { ExpansionSourceSpec } from "../types.ts";
import { formatPath } from "./path.ts";
import { targetsOf } from "./targets.ts";

const resource = { group: "example.com", version: "v1", kind: "Database", plural: "databases" };
const template = (name: string, storage: unknown) => ({
  metadata: { name },
  spec: { resources: { requests: { storage } } },
});
const database = (spec: object): KubeObject =>
  ({ kind: "Database", metadata: { name: "shop", namespace: "prod" }, spec }) as KubeObject;

/** Every target on a line: who follows, and which sizes. */
function targets(spec: Omit<ExpansionSourceSpec, "resource">, object: KubeObject): string[] {
  return targetsOf({ resource, ...spec }, object).map(({ statefulSet, claimSelector, templates }) => {
    const sizes = templates.map(({ template: name, size, path }) => `${name}=${size?.toString()} at ${path}`);
    return `${JSON.stringify(statefulSet ?? claimSelector)} ${sizes.join(", ")}`;
  });
}

describe("a list of claim templates", () => {
  const spec = { claimTemplatesPath: ".spec.volumeClaimTemplates", statefulSetName: "moco-{name}" };
  const at = (index: number) => `spec.volumeClaimTemplates[${index}].spec.resources.requests.storage`;

  test("is the wish of the set", () => {
    const volumeClaimTemplates = [template("mysql-data", "20Gi"), template("logs", 1_073_741_824)];
    expect(targets(spec, database({ volumeClaimTemplates }))).toEqual([
      `{"name":"moco-shop"} mysql-data=20Gi at ${at(0)}, logs=1073741824 at ${at(1)}`,
    ]);
  });

  test("comes whole, for the rules that look at more than sizes", () => {
    const [target] = targetsOf({ resource, ...spec }, database({ volumeClaimTemplates: [template("data", "1Gi")] }));
    expect(target?.listPath).toBe("spec.volumeClaimTemplates");
    expect(target?.templates[0]?.claimTemplate).toEqual(template("data", "1Gi"));
    expect(target?.templates.map((each) => formatPath(each.at))).toEqual([`.${at(0)}`]);
  });

  test.each([
    ["no size", { metadata: { name: "data" }, spec: {} }, "data=undefined"],
    ["no spec", { metadata: { name: "data" } }, "data=undefined"],
    ["a size that is none", template("data", "10GB"), "data=undefined"],
    ["no name", { spec: { resources: { requests: { storage: "1Gi" } } } }, "=1Gi"],
    ["nothing at all", null, "=undefined"],
    ["a text", "data", "=undefined"],
  ])("with %s is handed on, to be refused in words", (_, written, expected) => {
    expect(targets(spec, database({ volumeClaimTemplates: [written] }))).toEqual([
      `{"name":"moco-shop"} ${expected} at ${at(0)}`,
    ]);
  });

  test.each([[{}], [{ volumeClaimTemplates: [] }], [{ volumeClaimTemplates: null }], [{ volumeClaimTemplates: {} }]])(
    "that is not there asks for nothing: %j",
    (written) => {
      expect(targets(spec, database(written))).toEqual([]);
    },
  );

  test("per item of a list makes one target each, by the item's name", () => {
    const each = { claimTemplatesPath: ".spec.nodeSets[*].templates", statefulSetName: "{name}-es-{item.name}" };
    const nodeSets = [
      { name: "hot", templates: [template("data", "2Gi")] },
      { name: "none" },
      { name: 7, templates: [template("data", "3Gi")] },
    ];
    expect(targets(each, database({ nodeSets }))).toEqual([
      '{"name":"shop-es-hot"} data=2Gi at spec.nodeSets[0].templates[0].spec.resources.requests.storage',
      '{"name":"shop-es-7"} data=3Gi at spec.nodeSets[2].templates[0].spec.resources.requests.storage',
    ]);
  });

  test("per item that has no name is an error that names the field", () => {
    const each = { claimTemplatesPath: ".spec.nodeSets[*].templates", statefulSetName: "{name}-es-{item.name}" };
    expect(() => targets(each, database({ nodeSets: [{ templates: [template("data", "2Gi")] }] }))).toThrow(
      expect.objectContaining({
        code: "OBJECT_MALFORMED",
        message: "Database prod/shop: spec.nodeSets[0].name: no name stands here, and one is needed",
      }),
    );
  });

  test("is for every set with the labels, where there are several", () => {
    const bySelector = {
      claimTemplatesPath: ".spec.volumeClaimTemplates",
      statefulSetSelector: {
        matchLabels: { app: "{name}" },
        matchExpressions: [
          { key: "zone", operator: "In", values: ["{namespace}-a"] },
          { key: "x", operator: "Exists" },
        ],
      },
    };
    const volumeClaimTemplates = [template("data", "20Gi")];
    const selector = {
      matchLabels: { app: "shop" },
      matchExpressions: [
        { key: "zone", operator: "In", values: ["prod-a"] },
        { key: "x", operator: "Exists" },
      ],
    };
    expect(targetsOf({ resource, ...bySelector }, database({ volumeClaimTemplates }))[0]?.statefulSet).toEqual({
      selector,
    });
  });
});

describe("sizes that stand alone", () => {
  test("of one set are one target, of others one each", () => {
    const spec = {
      statefulSetName: "{name}-db",
      claims: [
        { template: "data", path: ".spec.storage.size" },
        { template: "proxydata", path: ".spec.proxy.size", statefulSetName: "{name}-proxy" },
        { template: "wal", path: ".spec.wal.size" },
      ],
    };
    const written = { storage: { size: "20Gi" }, proxy: { size: "1Gi" }, wal: { size: "2Gi" } };
    expect(targets(spec, database(written))).toEqual([
      '{"name":"shop-db"} data=20Gi at spec.storage.size, wal=2Gi at spec.wal.size',
      '{"name":"shop-proxy"} proxydata=1Gi at spec.proxy.size',
    ]);
  });

  test("are not wished for when they are left out: the operator has a default", () => {
    const spec = { statefulSetName: "{name}", claims: [{ template: "data", path: ".spec.storage.size" }] };
    expect(targets(spec, database({}))).toEqual([]);
    expect(targets(spec, database({ storage: { size: null } }))).toEqual([]);
    expect(targets(spec, database({ storage: { size: "much" } }))).toEqual([
      '{"name":"shop"} data=undefined at spec.storage.size',
    ]);
  });

  test("in two places: the first that is given counts", () => {
    const claims = [
      { template: "data", path: ".spec.size" },
      { template: "data", path: ".spec.old.size" },
    ];
    const spec = { statefulSetName: "{name}", claims };
    expect(targets(spec, database({ size: "2Gi", old: { size: "1Gi" } }))).toEqual([
      '{"name":"shop"} data=2Gi at spec.size',
    ]);
    expect(targets(spec, database({ old: { size: "1Gi" } }))).toEqual(['{"name":"shop"} data=1Gi at spec.old.size']);
  });

  test("are those of claims by label, where there is no set; a claim's own selector beats the source's", () => {
    const spec = {
      claimSelector: { matchLabels: { cluster: "{name}" } },
      claims: [
        { template: "data", path: ".spec.storage.size" },
        {
          template: "wal",
          path: ".spec.wal.size",
          claimSelector: { matchLabels: { cluster: "{name}", role: "wal" } },
        },
      ],
    };
    expect(targets(spec, database({ storage: { size: "20Gi" }, wal: { size: "2Gi" } }))).toEqual([
      '{"matchLabels":{"cluster":"shop"}} data=20Gi at spec.storage.size',
      '{"matchLabels":{"cluster":"shop","role":"wal"}} wal=2Gi at spec.wal.size',
    ]);
  });

  test("per item of a list may name the template", () => {
    const spec = {
      statefulSetName: "{name}-kafka",
      claims: [{ template: "data-{item.id}", path: ".spec.volumes[*].size" }],
    };
    expect(targets(spec, database({ volumes: [{ id: 0, size: "1Gi" }, { id: 1 }, { id: 2, size: "3Gi" }] }))).toEqual([
      '{"name":"shop-kafka"} data-0=1Gi at spec.volumes[0].size, data-2=3Gi at spec.volumes[2].size',
    ]);
  });
});

/** What the plugins make of claims and volumes, apart from limits and quota; and of an Ingress, which has a class as well. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import { claim, clusterObject, createTestCluster, object, PROD, type TestCluster } from "./testing/cluster.ts";

let cluster: TestCluster;
beforeEach(async () => {
  cluster = createTestCluster();
  await cluster.given(PROD);
});
afterEach(() => cluster.close());

const marked = (kind: "storage" | "ingress", creationTimestamp: string): JsonObject => ({
  metadata: { creationTimestamp, annotations: { [`${kind}class.kubernetes.io/is-default-class`]: "true" } },
});
const storageClass = (name: string, fields: JsonObject = {}) =>
  clusterObject("storage.k8s.io/v1", "StorageClass", name, { provisioner: "csi.example.com", ...fields });
const ingressClass = (name: string, fields: JsonObject = {}) =>
  clusterObject("networking.k8s.io/v1", "IngressClass", name, fields);

describe("the default class", () => {
  beforeEach(() =>
    cluster.given(
      storageClass("a", marked("storage", "2026-01-01T00:00:00Z")),
      storageClass("b", marked("storage", "2026-01-02T00:00:00Z")),
      storageClass("c"),
      ingressClass("a", marked("ingress", "2026-01-01T00:00:00Z")),
      ingressClass("b", marked("ingress", "2026-01-02T00:00:00Z")),
      ingressClass("c"),
    ),
  );

  test.each<{ name: string; fields: JsonObject; chosen: string | undefined }>([
    { name: "is the newest that is marked", fields: {}, chosen: "b" },
    { name: "is not for claims that name one", fields: { spec: { storageClassName: "c" } }, chosen: "c" },
    { name: "is not for claims that want none", fields: { spec: { storageClassName: "" } }, chosen: "" },
    {
      name: "is not for claims that name one in the old place",
      fields: { metadata: { annotations: { "volume.beta.kubernetes.io/storage-class": "c" } } },
      chosen: undefined,
    },
  ])("of claims $name", async ({ fields, chosen }) => {
    const { spec } = (await cluster.admit(claim("x", "1Gi", fields))) as { spec: JsonObject };
    expect(spec["storageClassName"]).toBe(chosen);
  });

  test.each<{ name: string; fields: JsonObject; chosen: string | undefined }>([
    { name: "is the newest that is marked", fields: {}, chosen: "b" },
    { name: "is not for those that name one", fields: { spec: { ingressClassName: "c" } }, chosen: "c" },
    {
      name: "is not for those that name one in the old place",
      fields: { metadata: { annotations: { "kubernetes.io/ingress.class": "c" } }, spec: {} },
      chosen: undefined,
    },
  ])("of an Ingress $name", async ({ fields, chosen }) => {
    const admitted = await cluster.admit(object("networking.k8s.io/v1", "Ingress", "x", fields));
    expect((admitted["spec"] as JsonObject)["ingressClassName"]).toBe(chosen);
  });
});

describe("protection", () => {
  const finalizers = async (sent: JsonObject) => (await cluster.admit(sent))["metadata"] as JsonObject;

  test("claims and volumes get a finalizer, once, behind those that they have", async () => {
    expect(await finalizers(claim("x", "1Gi"))).toMatchObject({ finalizers: ["kubernetes.io/pvc-protection"] });
    expect(await finalizers(clusterObject("v1", "PersistentVolume", "x"))).toMatchObject({
      finalizers: ["kubernetes.io/pv-protection"],
    });
    const own = { finalizers: ["example.com/own", "kubernetes.io/pvc-protection"] };
    expect(await finalizers(claim("x", "1Gi", { metadata: own }))).toMatchObject(own);
  });

  test("an update adds none: whoever took it off meant it", async () => {
    const sent = claim("x", "1Gi");
    expect(await cluster.admit(sent, { old: sent })).toBe(sent);
  });
});

describe("growing a claim", () => {
  const status = { phase: "Bound", capacity: { storage: "1Gi" } };
  const bound = (size: string, storageClassName: string) => claim("x", size, { spec: { storageClassName }, status });
  const grow = (name: string) => cluster.answer(bound("2Gi", name), { old: bound("1Gi", name) });

  test("is for classes that allow it", async () => {
    await cluster.given(storageClass("flexible", { allowVolumeExpansion: true }), storageClass("rigid"));
    const refusal =
      '403 Forbidden: persistentvolumeclaims "x" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';
    expect(await grow("flexible")).toBe("admitted");
    expect(await grow("rigid")).toBe(refusal);
    expect(await grow("gone")).toBe(refusal);
  });

  test("asking for less is not the class's business, nor is the status", async () => {
    expect(await cluster.answer(bound("1Gi", "gone"), { old: bound("2Gi", "gone") })).toBe("admitted");
    const written = { old: bound("1Gi", "gone"), subresource: "status" };
    expect(await cluster.answer(bound("2Gi", "gone"), written)).toBe("admitted");
  });
});

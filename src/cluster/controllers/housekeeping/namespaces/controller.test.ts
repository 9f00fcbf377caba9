import { afterAll, beforeAll, expect, test } from "vitest";
import type { KubeObject } from "../../../../core/types.ts";
import { defineResource, isNotFound, PODS } from "../../../../kube/index.ts";
import { until } from "../../../../kube/testing/until.ts";
import type { Controller } from "../../shared/run-controller.ts";
import { type Embedded, startEmbedded } from "../testing/embedded.ts";
import type { Namespace } from "./conditions.ts";
import { startNamespaceController } from "./controller.ts";

const NAMESPACES = defineResource<Namespace>("v1", "Namespace", "namespaces", "Cluster");
const MAPS = defineResource("v1", "ConfigMap", "configmaps");

let cluster: Embedded;
let controller: Controller;
beforeAll(async () => {
  cluster = await startEmbedded();
  controller = startNamespaceController({ client: cluster.client });
});
afterAll(async () => {
  await controller?.stop();
  await cluster?.[Symbol.asyncDispose]();
});

const isGone = (name: string): Promise<boolean> =>
  until(`${name} is gone`, () =>
    cluster.client.get(NAMESPACES, { name }).then(
      () => false,
      (error) => isNotFound(error),
    ),
  );

test("a namespace goes with everything in it", async () => {
  const namespace = await cluster.namespace();
  for (let i = 0; i < 3; i++) await cluster.client.create(MAPS, { metadata: { name: `m${i}`, namespace } });
  await cluster.client.delete(NAMESPACES, { name: namespace });
  expect(await isGone(namespace)).toBe(true);
  expect((await cluster.client.list(MAPS, { namespace })).items).toEqual([]);
});

test("one that is not deleted keeps what it has", async () => {
  const [kept, other] = [await cluster.namespace(), await cluster.namespace()];
  await cluster.client.create(MAPS, { metadata: { name: "m", namespace: kept } });
  await cluster.client.delete(NAMESPACES, { name: other });
  await isGone(other);
  expect((await cluster.client.list(MAPS, { namespace: kept })).items).toHaveLength(1);
});

test("what holds it up is said, and when that lets go, so does the namespace", async () => {
  const namespace = await cluster.namespace();
  const held = { metadata: { name: "held", namespace, finalizers: ["example.com/hold"] } };
  await cluster.client.create(MAPS, held);
  await cluster.client.delete(NAMESPACES, { name: namespace });
  const conditions = await until("conditions", async () => {
    const { status } = await cluster.client.get(NAMESPACES, { name: namespace });
    return status?.conditions?.length === 5 && status.conditions;
  });
  expect(conditions.map(({ type, status, reason, message }) => [type, status, reason, message])).toEqual([
    ["NamespaceDeletionDiscoveryFailure", "False", "ResourcesDiscovered", "All resources successfully discovered"],
    [
      "NamespaceDeletionGroupVersionParsingFailure",
      "False",
      "ParsedGroupVersions",
      "All legacy kube types successfully parsed",
    ],
    [
      "NamespaceDeletionContentFailure",
      "False",
      "ContentDeleted",
      "All content successfully deleted, may be waiting on finalization",
    ],
    [
      "NamespaceContentRemaining",
      "True",
      "SomeResourcesRemain",
      "Some resources are remaining: configmaps. has 1 resource instances",
    ],
    [
      "NamespaceFinalizersRemaining",
      "True",
      "SomeFinalizersRemain",
      "Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances",
    ],
  ]);
  const body = { metadata: { finalizers: null } };
  await cluster.client.patch(MAPS, { namespace, name: "held" }, { type: "merge", body });
  expect(await isGone(namespace)).toBe(true);
});

test("pods go first: what they live on is not taken from under them", async () => {
  const namespace = await cluster.namespace();
  const pod = {
    metadata: { name: "p", namespace, finalizers: ["example.com/hold"] },
    spec: { containers: [{ name: "c", image: "x" }] },
  };
  await cluster.client.create(PODS, pod);
  await cluster.client.create(MAPS, { metadata: { name: "m", namespace } });
  await cluster.client.delete(NAMESPACES, { name: namespace });
  await until("the pod is said to be left", async () => {
    const { status } = await cluster.client.get(NAMESPACES, { name: namespace });
    return status?.conditions?.some(({ message }) => message?.includes("pods. has 1 resource instances"));
  });
  const { metadata } = await cluster.client.get<KubeObject>(MAPS, { namespace, name: "m" });
  expect(metadata.deletionTimestamp).toBeUndefined();
  const body = { metadata: { finalizers: null } };
  await cluster.client.patch(PODS, { namespace, name: "p" }, { type: "merge", body });
  await cluster.client.delete(PODS, { namespace, name: "p" }, { gracePeriodSeconds: 0 }).catch(() => {});
  expect(await isGone(namespace)).toBe(true);
});

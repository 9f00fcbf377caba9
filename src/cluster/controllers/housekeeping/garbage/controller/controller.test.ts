import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { KubeObject, OwnerReference } from "../../../../../core/types.ts";
import { defineResource, EVENTS, isNotFound, type Resource } from "../../../../../kube/index.ts";
import { until } from "../../../../../kube/testing/until.ts";
import type { Controller } from "../../../shared/run-controller.ts";
import { type Embedded, startEmbedded } from "../../testing/embedded.ts";
import { startGarbageCollector } from "./controller.ts";

const MAPS = defineResource("v1", "ConfigMap", "configmaps");
const DEFINITIONS = defineResource(
  "apiextensions.k8s.io/v1",
  "CustomResourceDefinition",
  "customresourcedefinitions",
  "Cluster",
);

let cluster: Embedded;
let collector: Controller;
beforeAll(async () => {
  cluster = await startEmbedded();
  collector = startGarbageCollector({ client: cluster.client });
  await collector.synced;
});
afterAll(async () => {
  await collector?.stop();
  await cluster?.[Symbol.asyncDispose]();
});

const ownedBy = (owner: KubeObject, more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: owner.apiVersion ?? "",
  kind: owner.kind ?? "",
  name: owner.metadata.name,
  uid: owner.metadata.uid ?? "",
  ...more,
});

async function map(namespace: string, name: string, owners: OwnerReference[] = []): Promise<KubeObject> {
  return cluster.client.create(MAPS, { metadata: { name, namespace, ownerReferences: owners } });
}

async function isThere(resource: Resource, namespace: string, name: string): Promise<boolean> {
  try {
    await cluster.client.get(resource, { namespace, name });
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

const gone = (namespace: string, name: string): Promise<boolean> =>
  until(`${name} is gone`, async () => !(await isThere(MAPS, namespace, name)));

describe("against the embedded server", () => {
  test("in the background: what belonged to an owner goes after it, down to the last", async () => {
    const namespace = await cluster.namespace();
    const owner = await map(namespace, "owner");
    const child = await map(namespace, "child", [ownedBy(owner)]);
    await map(namespace, "grandchild", [ownedBy(child)]);
    await map(namespace, "bystander");
    await cluster.client.delete(MAPS, { namespace, name: "owner" }, { propagationPolicy: "Background" });
    await gone(namespace, "grandchild");
    expect(await isThere(MAPS, namespace, "bystander")).toBe(true);
  });

  test("what has another owner stays, and loses the reference to the one that is gone", async () => {
    const namespace = await cluster.namespace();
    const [first, second] = [await map(namespace, "first"), await map(namespace, "second")];
    await map(namespace, "child", [ownedBy(first), ownedBy(second)]);
    await cluster.client.delete(MAPS, { namespace, name: "first" }, { propagationPolicy: "Background" });
    const child = await until("the reference is dropped", async () => {
      const object = await cluster.client.get(MAPS, { namespace, name: "child" });
      return object.metadata.ownerReferences?.length === 1 && object;
    });
    expect(child.metadata.ownerReferences).toEqual([ownedBy(second)]);
  });

  test("in the foreground: an owner stays until those that block it are gone", async () => {
    const namespace = await cluster.namespace();
    const owner = await map(namespace, "owner");
    await map(namespace, "child", [ownedBy(owner, { blockOwnerDeletion: true })]);
    await cluster.client.patch(
      MAPS,
      { namespace, name: "child" },
      { type: "merge", body: { metadata: { finalizers: ["example.com/hold"] } } },
    );
    await cluster.client.delete(MAPS, { namespace, name: "owner" }, { propagationPolicy: "Foreground" });
    await until("the child is being deleted", async () => {
      const { metadata } = await cluster.client.get(MAPS, { namespace, name: "child" });
      return metadata.deletionTimestamp !== undefined;
    });
    expect(await isThere(MAPS, namespace, "owner")).toBe(true);
    await cluster.client.patch(
      MAPS,
      { namespace, name: "child" },
      { type: "merge", body: { metadata: { finalizers: null } } },
    );
    await gone(namespace, "owner");
  });

  test("orphaned: what belonged to the owner stays, without it", async () => {
    const namespace = await cluster.namespace();
    const owner = await map(namespace, "owner");
    await map(namespace, "child", [ownedBy(owner)]);
    await cluster.client.delete(MAPS, { namespace, name: "owner" }, { propagationPolicy: "Orphan" });
    await gone(namespace, "owner");
    const { metadata } = await cluster.client.get(MAPS, { namespace, name: "child" });
    expect(metadata.ownerReferences ?? []).toEqual([]);
  });

  test("an owner in another namespace is none, and that is said", async () => {
    const [here, there] = [await cluster.namespace(), await cluster.namespace()];
    const owner = await map(there, "owner");
    const second = await map(here, "second");
    await map(here, "child", [ownedBy(owner), ownedBy(second)]);
    const event = await until("an event", async () => {
      const { items } = await cluster.client.list(EVENTS, { namespace: here });
      return items.find(({ reason }) => reason === "OwnerRefInvalidNamespace");
    });
    const uid = owner.metadata.uid;
    expect(event.message).toBe(
      `ownerRef [v1/ConfigMap, namespace: ${here}, name: owner, uid: ${uid}] does not exist in namespace "${here}"`,
    );
    expect(await isThere(MAPS, here, "child")).toBe(true);
  });

  test("an owner of a kind that nobody serves may be there: nothing is deleted", async () => {
    const namespace = await cluster.namespace();
    const unknown = { apiVersion: "example.com/v1", kind: "Nothing", name: "x", uid: "no-such-uid" };
    await map(namespace, "kept", [unknown]);
    const owner = await map(namespace, "owner");
    await map(namespace, "child", [ownedBy(owner)]);
    await cluster.client.delete(MAPS, { namespace, name: "owner" });
    await gone(namespace, "child");
    expect(await isThere(MAPS, namespace, "kept")).toBe(true);
  });

  test("custom kinds that come later own and are owned like the others", async () => {
    const namespace = await cluster.namespace();
    const THINGS = defineResource("example.com/v1", "Thing", "things");
    await cluster.client.create(DEFINITIONS, {
      metadata: { name: "things.example.com" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { kind: "Thing", plural: "things", singular: "thing", listKind: "ThingList" },
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
      },
    } as KubeObject);
    const owner = await until("the kind is served", () =>
      cluster.client.create(THINGS, { metadata: { name: "owner", namespace } }).catch(() => undefined),
    );
    const child = await map(namespace, "child", [ownedBy(owner)]);
    await cluster.client.create(THINGS, {
      metadata: { name: "grandchild", namespace, ownerReferences: [ownedBy(child)] },
    });
    await cluster.client.delete(THINGS, { namespace, name: "owner" });
    await gone(namespace, "child");
    await until("the grandchild is gone", async () => !(await isThere(THINGS, namespace, "grandchild")));
    await cluster.client.delete(DEFINITIONS, { name: "things.example.com" });
  });
});

test("what was left undone before it started is done then", async () => {
  await collector.stop();
  const namespace = await cluster.namespace();
  const owner = await map(namespace, "owner");
  await map(namespace, "child", [ownedBy(owner)]);
  await map(namespace, "orphan", [{ ...ownedBy(owner), uid: "another-uid" }]);
  await cluster.client.delete(MAPS, { namespace, name: "owner" }, { propagationPolicy: "Foreground" });
  collector = startGarbageCollector({ client: cluster.client });
  await gone(namespace, "child");
  await gone(namespace, "orphan");
  expect(await gone(namespace, "owner")).toBe(true);
});

import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { StatefulSet } from "../../../core/types.ts";
import { defineResource, type MergePatch, STATEFUL_SETS } from "../../../kube/index.ts";
import { until } from "../../../kube/testing/until.ts";
import { type Embedded, startEmbedded } from "../../controllers/housekeeping/testing/embedded.ts";
import {
  MYSQL_CLUSTER_DEFINITION,
  MYSQL_CLUSTERS,
  type MySQLCluster,
  type MySqlOperatorOptions,
  STOPPED_ANNOTATION,
  startMySqlOperator,
} from "./index.ts";

const DEFINITIONS = defineResource(
  "apiextensions.k8s.io/v1",
  "CustomResourceDefinition",
  "customresourcedefinitions",
  "Cluster",
);

const DEADLINE = 30_000;
vi.setConfig({ testTimeout: 90_000 });

let cluster: Embedded;
beforeAll(async () => {
  cluster = await startEmbedded();
  await cluster.client.create(DEFINITIONS, MYSQL_CLUSTER_DEFINITION);
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

/** A namespace with an operator of its own, and in it the cluster `shop` of 10Gi. */
async function scene(options: Omit<MySqlOperatorOptions, "client" | "namespaces"> = {}) {
  const { client } = cluster;
  const namespace = await cluster.namespace();
  const operator = startMySqlOperator({ client, namespaces: [namespace], ...options });
  const shop = { namespace, name: "shop" };
  const behind = { namespace, name: "moco-shop" };
  await client.create(MYSQL_CLUSTERS, {
    metadata: shop,
    spec: { replicas: 3, volumeClaimTemplates: [dataOf("10Gi")] },
  });
  const edit = (body: MergePatch) => client.patch(MYSQL_CLUSTERS, shop, { type: "merge", body });
  const setThat = (what: string, is: (set: StatefulSet) => boolean) =>
    until(
      what,
      async () => {
        const { items } = await client.list(STATEFUL_SETS, { namespace });
        return items.find(is);
      },
      DEADLINE,
    );
  const conditionThat = (type: string, status: string, message?: string) =>
    until(
      `${type} is ${status}`,
      async () => {
        const { conditions = [] } = (await client.get(MYSQL_CLUSTERS, shop)).status ?? {};
        const found = conditions.find((each) => each.type === type && each.status === status);
        return (message === undefined || found?.message === message) && found;
      },
      DEADLINE,
    );
  return {
    client,
    namespace,
    shop,
    behind,
    edit,
    setThat,
    conditionThat,
    [Symbol.asyncDispose]: () => operator.stop(),
  };
}

const dataOf = (storage: string): MySQLCluster["spec"]["volumeClaimTemplates"][number] => ({
  metadata: { name: "mysql-data" },
  spec: { resources: { requests: { storage } } },
});

const sizeIn = ({ spec }: StatefulSet) => spec.volumeClaimTemplates?.[0]?.spec.resources?.requests?.["storage"];
const resized = (storage: string) => ({ spec: { volumeClaimTemplates: [dataOf(storage)] } });

test("a cluster gets its set, which it controls, and whose claims it owns", async () => {
  await using there = await scene();
  const { metadata, spec } = await there.setThat("the set is there", () => true);
  const owner = { apiVersion: "moco.cybozu.com/v1beta2", kind: "MySQLCluster", name: "shop", controller: true };
  expect(metadata).toMatchObject({ name: "moco-shop", ownerReferences: [owner] });
  expect(spec).toMatchObject({ replicas: 3, podManagementPolicy: "Parallel" });
  expect(spec.volumeClaimTemplates).toMatchObject([
    { metadata: { name: "mysql-data", ownerReferences: [owner] }, spec: { accessModes: ["ReadWriteOnce"] } },
  ]);
});

test("a set that is there keeps its sizes; one that is missing is made again with the cluster's", async () => {
  await using there = await scene();
  const { metadata } = await there.setThat("the set is there", () => true);
  await there.edit({ spec: { ...resized("20Gi").spec, replicas: 5 } });
  const followed = await there.setThat("it has heard of the edit", ({ spec }) => spec.replicas === 5);
  expect(sizeIn(followed)).toBe("10Gi");
  await there.client.delete(STATEFUL_SETS, there.behind);
  const again = await there.setThat("there is another", ({ metadata: { uid } }) => uid !== metadata.uid);
  expect(sizeIn(again)).toBe("20Gi");
});

test("foreign edits of its fields are taken back; what it does not say stays", async () => {
  await using there = await scene();
  await there.setThat("the set is there", () => true);
  const body = {
    metadata: { annotations: { note: "mine" }, labels: { "app.kubernetes.io/name": "mine" } },
    spec: { replicas: 1 },
  };
  await there.client.patch(STATEFUL_SETS, there.behind, { type: "merge", body });
  const after = await there.setThat("it is as it was", ({ metadata, spec }) => {
    return spec.replicas === 3 && metadata.labels?.["app.kubernetes.io/name"] === "mysql";
  });
  expect(after.metadata.annotations).toMatchObject({ note: "mine" });
});

test("while it is stopped it keeps its hands off", async () => {
  await using there = await scene();
  await there.setThat("the set is there", () => true);
  await there.edit({ metadata: { annotations: { [STOPPED_ANNOTATION]: "true" } }, spec: { replicas: 5 } });
  await there.conditionThat("ReconciliationActive", "False");
  await there.client.delete(STATEFUL_SETS, there.behind);
  await there.conditionThat("StatefulSetReady", "False", "there is no StatefulSet moco-shop");
  expect((await there.client.list(STATEFUL_SETS, { namespace: there.namespace })).items).toEqual([]);
  await there.edit({ metadata: { annotations: { [STOPPED_ANNOTATION]: null } } });
  await there.setThat("it goes on", ({ spec }) => spec.replicas === 5);
});

test("one that does not make sets again says so, and leaves it at that", async () => {
  await using there = await scene({ recreates: false });
  await there.setThat("the set is there", () => true);
  await there.conditionThat("Initialized", "True");
  await there.client.delete(STATEFUL_SETS, there.behind);
  await there.edit({ spec: { replicas: 5 } });
  await there.conditionThat("StatefulSetReady", "False", "there is no StatefulSet moco-shop");
  expect((await there.client.list(STATEFUL_SETS, { namespace: there.namespace })).items).toEqual([]);
});

test("conditions of others stay as they are", async () => {
  await using there = await scene();
  await there.conditionThat("Initialized", "True");
  const foreign = {
    type: "VolumeResized",
    status: "True",
    reason: "Resized",
    message: "all volumes have their size",
    lastTransitionTime: "2026-03-01T12:00:00Z",
  };
  const body = { apiVersion: "moco.cybozu.com/v1beta2", kind: "MySQLCluster", status: { conditions: [foreign] } };
  const options = { subresource: "status", fieldManager: "somebody" };
  await there.client.patch(MYSQL_CLUSTERS, there.shop, { type: "apply", body }, options);
  await there.edit({ metadata: { annotations: { [STOPPED_ANNOTATION]: "true" } } });
  await there.conditionThat("ReconciliationActive", "False");
  const { status } = await there.client.get(MYSQL_CLUSTERS, there.shop);
  expect(status?.conditions).toContainEqual(foreign);
});

test("where nothing has changed, nothing is written", async () => {
  await using there = await scene();
  await there.conditionThat("Initialized", "True");
  const version = async () => (await there.client.get(MYSQL_CLUSTERS, there.shop)).metadata.resourceVersion;
  const before = await version();
  const note = { metadata: { annotations: { note: "mine" } } };
  const { metadata } = await there.client.patch(STATEFUL_SETS, there.behind, { type: "merge", body: note });
  // Time for it to look at that.
  await there.client.create(MYSQL_CLUSTERS, {
    metadata: { namespace: there.namespace, name: "other" },
    spec: { volumeClaimTemplates: [dataOf("1Gi")] },
  });
  await there.setThat("the next one has its set", ({ metadata: { name } }) => name === "moco-other");
  expect(await version()).toBe(before);
  const after = await there.client.get(STATEFUL_SETS, there.behind);
  expect(after.metadata.resourceVersion).toBe(metadata.resourceVersion);
});

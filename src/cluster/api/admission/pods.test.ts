/** What the plugins make of a pod, apart from its resources. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import { clusterObject, createTestCluster, object, PROD, pod, type TestCluster } from "./testing/cluster.ts";

let cluster: TestCluster;
beforeEach(async () => {
  cluster = createTestCluster();
  await cluster.given(PROD);
});
afterEach(() => cluster.close());

async function specOf(asked: JsonObject, old?: JsonObject): Promise<JsonObject> {
  const { spec } = (await cluster.admit(asked, old === undefined ? {} : { old })) as { spec: JsonObject };
  return spec;
}

const priorityClass = (name: string, fields: JsonObject) =>
  clusterObject("scheduling.k8s.io/v1", "PriorityClass", name, fields);

describe("service accounts", () => {
  test("a pod runs as default, also before anybody has made that account", async () => {
    expect(await specOf(pod("a"))).toMatchObject({ serviceAccountName: "default", serviceAccount: "default" });
  });

  test("an account that a pod names must be there", async () => {
    expect(await cluster.answer(pod("a", { serviceAccountName: "db" }))).toBe(
      '403 Forbidden: pods "a" is forbidden: error looking up service account prod/db: serviceaccount "db" not found',
    );
  });

  test("a pod without pull secrets gets those of its account", async () => {
    const imagePullSecrets = [{ name: "registry" }];
    await cluster.given(object("v1", "ServiceAccount", "db", { imagePullSecrets }));
    expect(await specOf(pod("a", { serviceAccountName: "db" }))).toMatchObject({ imagePullSecrets });
    const own = [{ name: "own" }];
    expect(await specOf(pod("b", { serviceAccountName: "db", imagePullSecrets: own }))).toMatchObject({
      imagePullSecrets: own,
    });
  });

  test("a pod that a kubelet mirrors is left as it is", async () => {
    const mirror = { ...pod("a"), metadata: { name: "a", annotations: { "kubernetes.io/config.mirror": "x" } } };
    expect(await specOf(mirror)).not.toHaveProperty("serviceAccountName");
  });
});

describe("priority", () => {
  test("is zero where no class is the default", async () => {
    const spec = await specOf(pod("a"));
    expect(spec).toMatchObject({ priority: 0, preemptionPolicy: "PreemptLowerPriority" });
    expect(spec).not.toHaveProperty("priorityClassName");
  });

  test("is that of the default class, of several the lowest", async () => {
    await cluster.given(
      priorityClass("high", { value: 9, globalDefault: true }),
      priorityClass("low", { value: 3, globalDefault: true }),
    );
    expect(await specOf(pod("a"))).toMatchObject({ priority: 3, priorityClassName: "low" });
  });

  test("is that of the class that is named; those of the system are always there", async () => {
    await cluster.given(priorityClass("meek", { value: 5, preemptionPolicy: "Never" }));
    expect(await specOf(pod("a", { priorityClassName: "meek" }))).toMatchObject({
      priority: 5,
      preemptionPolicy: "Never",
    });
    expect(await specOf(pod("b", { priorityClassName: "system-cluster-critical" }))).toMatchObject({
      priority: 2_000_000_000,
    });
  });

  test("cannot be chosen by number", async () => {
    expect(await cluster.answer(pod("a", { priority: 7 }))).toBe(
      '403 Forbidden: pods "a" is forbidden: the integer value of priority (7) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
    );
    expect(await cluster.answer(pod("a", { priorityClassName: "nobody" }))).toBe(
      '403 Forbidden: pods "a" is forbidden: no PriorityClass with name nobody was found',
    );
  });

  test("stays when an update leaves it out", async () => {
    const old = pod("a", { priority: 7, preemptionPolicy: "Never" });
    expect(await specOf(pod("a"), old)).toMatchObject({ priority: 7, preemptionPolicy: "Never" });
  });

  test("only one class can be the default; the one that is may change", async () => {
    const first = priorityClass("first", { value: 1, globalDefault: true });
    await cluster.given(first);
    expect(await cluster.answer(priorityClass("second", { value: 2, globalDefault: true }))).toBe(
      '403 Forbidden: priorityclasses.scheduling.k8s.io "second" is forbidden: PriorityClass first is already marked as default. Only one default can exist',
    );
    expect(await cluster.answer(first, { old: first })).toBe("admitted");
  });
});

describe("tolerations", () => {
  const own = (key: string) => ({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 });
  const [notReady, unreachable] = [own("node.kubernetes.io/not-ready"), own("node.kubernetes.io/unreachable")];

  test.each<{ name: string; given: JsonObject[]; after: JsonObject[] }>([
    { name: "both are added", given: [], after: [notReady, unreachable] },
    {
      name: "one that is there stays",
      given: [{ ...notReady, tolerationSeconds: 1 }],
      after: [{ ...notReady, tolerationSeconds: 1 }, unreachable],
    },
    { name: "who tolerates everything gets nothing", given: [{ operator: "Exists" }], after: [{ operator: "Exists" }] },
    {
      name: "another effect is another matter",
      given: [{ key: notReady.key, effect: "NoSchedule" }],
      after: [{ key: notReady.key, effect: "NoSchedule" }, notReady, unreachable],
    },
  ])("$name", async ({ given, after }) => {
    expect(await specOf(pod("a", { tolerations: given }))).toMatchObject({ tolerations: after });
  });
});

test("a new node takes no pods until somebody has found it ready", async () => {
  const taint = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };
  expect(await specOf(clusterObject("v1", "Node", "n"))).toEqual({ taints: [taint] });
  const tainted = clusterObject("v1", "Node", "n", { spec: { taints: [taint] } });
  expect(await specOf(tainted)).toEqual({ taints: [taint] });
});

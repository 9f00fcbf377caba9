import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../json.ts";
import { BUILT_IN } from "../../kinds/built-in.ts";
import type { Kind } from "../../kinds/kind.ts";
import { claim, createTestCluster, object, PROD, pod, quota, type TestCluster } from "../testing/cluster.ts";

const QUOTA = BUILT_IN.find((each) => each.kind === "ResourceQuota") as Kind;

let cluster: TestCluster;
beforeEach(async () => {
  cluster = createTestCluster();
  await cluster.given(PROD);
});
afterEach(() => cluster.close());

const used = (name = "q") => (cluster.objects.get(QUOTA, "prod", name)["status"] as JsonObject)["used"];
const sized = (requests: JsonObject, limits: JsonObject = {}) => ({
  containers: [{ name: "main", resources: { requests, limits } }],
});

describe("a claim", () => {
  const status = (allocated: string) => ({ phase: "Bound", allocatedResources: { storage: allocated } });
  const hard = { persistentvolumeclaims: "5", "requests.storage": "10Gi" };

  test("is charged for what an edit adds", async () => {
    await cluster.given(quota("q", hard, { persistentvolumeclaims: "1", "requests.storage": "2Gi" }));
    const flexible = { allowVolumeExpansion: true, provisioner: "csi.example.com" };
    const named = { apiVersion: "storage.k8s.io/v1", kind: "StorageClass", metadata: { name: "c" }, ...flexible };
    await cluster.given(named);
    const spec = { storageClassName: "c" };
    await cluster.admit(claim("x", "5Gi", { spec, status: status("2Gi") }), {
      old: claim("x", "2Gi", { spec, status: { phase: "Bound" } }),
    });
    expect(used()).toEqual({ persistentvolumeclaims: "1", "requests.storage": "5Gi" });
  });

  test("is charged for what is allocated, and never refused for it", async () => {
    await cluster.given(quota("q", hard, { persistentvolumeclaims: "1", "requests.storage": "9Gi" }));
    const written = { old: claim("x", "2Gi"), subresource: "status" };
    await cluster.admit(claim("x", "2Gi", { status: status("6Gi") }), written);
    expect(used()).toEqual({ persistentvolumeclaims: "1", "requests.storage": "13Gi" });
  });

  test("frees nothing by asking for less: usage is computed anew later", async () => {
    await cluster.given(quota("q", hard, { persistentvolumeclaims: "1", "requests.storage": "5Gi" }));
    const { revision } = cluster.objects.store;
    await cluster.admit(claim("x", "2Gi"), { old: claim("x", "5Gi") });
    expect(used()).toMatchObject({ "requests.storage": "5Gi" });
    expect(cluster.objects.store.revision).toBe(revision);
  });
});

describe("a pod", () => {
  test("is charged for its requests and limits, under all their names", async () => {
    const names = ["cpu", "requests.cpu", "limits.cpu", "memory", "pods", "count/pods", "requests.example.com/gpu"];
    await cluster.given(quota("q", Object.fromEntries(names.map((name) => [name, "8"]))));
    const requests = { cpu: "1", memory: "2", "example.com/gpu": "1" };
    await cluster.admit(pod("p", { ...sized(requests, { cpu: "2" }), overhead: { cpu: "250m" } }));
    expect(used()).toEqual({
      cpu: "1250m",
      "requests.cpu": "1250m",
      "limits.cpu": "2250m",
      memory: "2",
      pods: "1",
      "count/pods": "1",
      "requests.example.com/gpu": "1",
    });
  });

  test("must say what is limited, each container of it", async () => {
    await cluster.given(quota("q", { "requests.cpu": "8", "limits.memory": "8", "limits.ephemeral-storage": "8" }));
    const containers = [{ name: "b" }, { name: "a", resources: { requests: { cpu: "1" } } }];
    expect(await cluster.answer(pod("p", { containers, initContainers: [{ name: "first" }] }))).toBe(
      '403 Forbidden: pods "p" is forbidden: failed quota: q: must specify limits.memory for: a,b,first; requests.cpu for: b,first',
    );
    const resources = { requests: { cpu: "1" }, limits: { memory: "1" } };
    expect(await cluster.answer(pod("p", { containers: [{ name: "b" }], resources }))).toBe("admitted");
  });

  test("that has ended, or should be gone, takes its place in the store alone", async () => {
    await cluster.given(quota("q", { pods: "5", "count/pods": "5" }, {}, { scopes: ["Terminating"] }));
    const ending = { spec: { activeDeadlineSeconds: 5, containers: [] } };
    const ended = object("v1", "Pod", "a", { ...ending, status: { phase: "Failed" } });
    await cluster.admit(ended, { old: object("v1", "Pod", "a", { spec: { containers: [] } }) });
    expect(used()).toEqual({ pods: "0", "count/pods": "1" });
    const gone = { deletionTimestamp: "2026-03-01T11:00:00Z", deletionGracePeriodSeconds: 30 };
    const stuck = object("v1", "Pod", "b", { ...ending, metadata: gone });
    await cluster.admit(stuck, { old: object("v1", "Pod", "b", { spec: { containers: [] } }) });
    expect(used()).toEqual({ pods: "0", "count/pods": "2" });
  });

  const elsewhere = { topologyKey: "k", namespaces: ["other"] };
  const affinity = { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [elsewhere] } };
  const selector = (operator: string, values?: string[]) => ({
    scopeSelector: { matchExpressions: [{ scopeName: "PriorityClass", operator, ...(values && { values }) }] },
  });
  const critical = { priorityClassName: "system-node-critical" };

  test.each<{ name: string; scope: JsonObject; inside: JsonObject; outside: JsonObject }>([
    { name: "Terminating", scope: { scopes: ["Terminating"] }, inside: { activeDeadlineSeconds: 0 }, outside: {} },
    {
      name: "NotTerminating",
      scope: { scopes: ["NotTerminating"] },
      inside: {},
      outside: { activeDeadlineSeconds: 1 },
    },
    { name: "PriorityClass Exists", scope: { scopes: ["PriorityClass"] }, inside: critical, outside: {} },
    { name: "PriorityClass DoesNotExist", scope: selector("DoesNotExist"), inside: {}, outside: critical },
    { name: "PriorityClass In", scope: selector("In", ["system-node-critical"]), inside: critical, outside: {} },
    { name: "PriorityClass NotIn", scope: selector("NotIn", ["system-node-critical"]), inside: {}, outside: critical },
    { name: "other namespaces", scope: { scopes: ["CrossNamespacePodAffinity"] }, inside: { affinity }, outside: {} },
  ])("is counted by the scope it is in: $name", async ({ scope, inside, outside }) => {
    await cluster.given(quota("q", { pods: "0" }, {}, scope));
    expect(await cluster.answer(pod("p", inside))).toContain("exceeded quota: q, requested: pods=1");
    expect(await cluster.answer(pod("p", outside))).toBe("admitted");
  });

  test.each([
    { scope: "BestEffort", inside: "BestEffort", outside: "Burstable" },
    { scope: "NotBestEffort", inside: "Guaranteed", outside: "BestEffort" },
  ])("is counted by its class of service: $scope", async ({ scope, inside, outside }) => {
    await cluster.given(quota("q", { pods: "0" }, {}, { scopes: [scope] }));
    const classed = (qosClass: string) => ({ ...pod("p"), status: { qosClass } });
    expect(await cluster.answer(classed(inside))).toContain("exceeded quota");
    expect(await cluster.answer(classed(outside))).toBe("admitted");
  });

  test("that changes its scope is charged where it comes to", async () => {
    await cluster.given(quota("q", { pods: "1" }, {}, { scopes: ["Terminating"] }));
    await cluster.admit(pod("p", { activeDeadlineSeconds: 5 }), { old: pod("p") });
    expect(used()).toEqual({ pods: "1" });
    await cluster.admit(pod("p", { activeDeadlineSeconds: 4 }), { old: pod("p", { activeDeadlineSeconds: 5 }) });
    expect(used()).toEqual({ pods: "1" });
  });
});

describe("a service", () => {
  const service = (spec: JsonObject) => object("v1", "Service", "s", { spec });
  const ports = [{ port: 1 }, { port: 2, nodePort: 30_001 }];
  const hard = { services: "9", "services.nodeports": "9", "services.loadbalancers": "9" };

  test.each<{ name: string; spec: JsonObject; nodeports: string; loadbalancers: string }>([
    { name: "in the cluster", spec: { type: "ClusterIP", ports }, nodeports: "0", loadbalancers: "0" },
    { name: "on every node", spec: { type: "NodePort", ports }, nodeports: "2", loadbalancers: "0" },
    { name: "behind a balancer", spec: { type: "LoadBalancer", ports }, nodeports: "2", loadbalancers: "1" },
    {
      name: "behind a balancer that needs no node ports",
      spec: { type: "LoadBalancer", ports, allocateLoadBalancerNodePorts: false },
      nodeports: "1",
      loadbalancers: "1",
    },
  ])("is charged by its type: $name", async ({ spec, nodeports, loadbalancers }) => {
    await cluster.given(quota("q", hard));
    await cluster.admit(service(spec));
    expect(used()).toEqual({ services: "1", "services.nodeports": nodeports, "services.loadbalancers": loadbalancers });
  });

  test("that changes its type is charged the difference", async () => {
    await cluster.given(quota("q", hard, { services: "1" }));
    await cluster.admit(service({ type: "NodePort", ports }), { old: service({ type: "ClusterIP", ports }) });
    expect(used()).toEqual({ services: "1", "services.nodeports": "2", "services.loadbalancers": "0" });
  });
});

describe("everything else", () => {
  test.each<{ sent: JsonObject; hard: string }>([
    { sent: object("v1", "ConfigMap", "x"), hard: "configmaps" },
    { sent: object("v1", "ConfigMap", "x"), hard: "count/configmaps" },
    { sent: object("v1", "Secret", "x"), hard: "secrets" },
    { sent: object("v1", "ResourceQuota", "x"), hard: "resourcequotas" },
    { sent: object("apps/v1", "StatefulSet", "x"), hard: "count/statefulsets.apps" },
  ])("is counted when it is made: $hard", async ({ sent, hard }) => {
    await cluster.given(quota("q", { [hard]: "0" }));
    expect(await cluster.answer(sent)).toContain(
      `exceeded quota: q, requested: ${hard}=1, used: ${hard}=0, limited: ${hard}=0`,
    );
    expect(await cluster.answer(sent, { old: sent })).toBe("admitted");
  });

  test("but events", async () => {
    await cluster.given(quota("q", { "count/events": "0", "count/events.events.k8s.io": "0" }));
    expect(await cluster.answer(object("v1", "Event", "x"))).toBe("admitted");
    expect(await cluster.answer(object("events.k8s.io/v1", "Event", "x"))).toBe("admitted");
  });

  test("is not counted by quotas with scopes, which are about pods", async () => {
    await cluster.given(quota("q", { configmaps: "0" }, {}, { scopes: ["NotTerminating"] }));
    expect(await cluster.answer(object("v1", "ConfigMap", "x"))).toBe("admitted");
  });
});

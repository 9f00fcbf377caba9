/**
 * The real kube-controller-manager with our server for Kubernetes: all of its controllers, with streaming informers, protobuf bodies,
 * leader election, and the roles that a cluster begins with. What it did is looked at in the API alone; that Kubernetes' own server
 * passes as well shows that nothing here is asked of ours alone.
 */
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PersistentVolume, PersistentVolumeClaim, Pod } from "../../../src/core/types.ts";
import { defineKind } from "../custom-kinds.ts";
import { unexpected } from "./manager-log.ts";
import { openStage, type Stage } from "./manager-stage.ts";
import { startOurs, startTheirs } from "./server.ts";
import { claim, configMap, definition, deployment, pod, service, statefulSet, widget } from "./sessions/manifests.ts";

interface List<T> {
  readonly items: readonly T[];
}
interface StatefulSetSeen {
  readonly metadata: { readonly generation: number };
  readonly status: Readonly<Record<string, number | string | undefined>>;
}

const GROUP = "manager.example.com";
const core = (ns: string, what: string) => `/api/v1/namespaces/${ns}/${what}`;
const apps = (ns: string, what: string) => `/apis/apps/v1/namespaces/${ns}/${what}`;
const widgets = (ns: string) => `/apis/${GROUP}/v1/namespaces/${ns}/widgets`;
const names = ({ items }: List<{ metadata: { name: string } }>) =>
  items.map(({ metadata }) => metadata.name).toSorted();

describe.each([
  { title: "controllers under accounts of their own", ownAccounts: true, startServer: startOurs },
  { title: "controllers as the administrator", ownAccounts: false, startServer: startOurs },
  { title: "the same on Kubernetes' own server", ownAccounts: true, startServer: startTheirs },
])("$title", ({ ownAccounts, startServer }) => {
  let stage: Stage;
  beforeAll(async () => {
    const before = ({ api }: Stage["server"]) => defineKind(api, definition(GROUP));
    stage = await openStage({ startServer, ownAccounts, before });
  });
  afterAll(() => stage?.stop());

  /** A namespace of its own, once its default ServiceAccount is there. */
  async function namespace(name: string): Promise<string> {
    await stage.server.api.create("/api/v1/namespaces", { metadata: { name } });
    await stage.until(core(name, "serviceaccounts/default"), "to be there", () => true);
    return name;
  }
  const untilReady = (ns: string, replicas: number) =>
    stage.until<StatefulSetSeen>(apps(ns, "statefulsets/db"), `to have ${replicas} ready`, ({ metadata, status }) => {
      const { observedGeneration, readyReplicas = 0, replicas: all, currentRevision, updateRevision } = status;
      const settled = observedGeneration === metadata.generation && currentRevision === updateRevision;
      return settled && readyReplicas === replicas && all === replicas;
    });

  test("leader election: the manager holds its lease", async () => {
    const lease = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-controller-manager";
    await stage.until<{ spec: { holderIdentity?: string } }>(
      lease,
      "to have a holder",
      ({ spec }) => spec.holderIdentity !== "",
    );
  });

  test("a namespace gets its default account, the root certificate, and tokens that are asked for by Secret", async () => {
    const ns = await namespace("accounts");
    const root = await stage.until<{ data: Record<string, string> }>(
      core(ns, "configmaps/kube-root-ca.crt"),
      "to be there",
      () => true,
    );
    expect(root.data["ca.crt"]).toBe(stage.server.ca);
    await stage.server.api.create(core(ns, "secrets"), {
      metadata: { name: "token", annotations: { "kubernetes.io/service-account.name": "default" } },
      type: "kubernetes.io/service-account-token",
    });
    await stage.until<{ data?: Record<string, string> }>(
      core(ns, "secrets/token"),
      "to have a token",
      ({ data }) => data?.["token"] !== undefined,
    );
  });

  test("a StatefulSet comes up in order, scales, rolls out, and leaves claims as its retention policy says", async () => {
    const ns = await namespace("sets");
    const policy = { persistentVolumeClaimRetentionPolicy: { whenScaled: "Delete", whenDeleted: "Delete" } };
    await stage.server.api.create(apps(ns, "statefulsets"), statefulSet("db", policy));
    await untilReady(ns, 3);
    expect(names(await stage.server.api.get(core(ns, "pods")))).toEqual(["db-0", "db-1", "db-2"]);
    expect(names(await stage.server.api.get(core(ns, "persistentvolumeclaims")))).toEqual([
      "data-db-0",
      "data-db-1",
      "data-db-2",
    ]);

    await stage.server.api.patch(apps(ns, "statefulsets/db/scale"), { spec: { replicas: 1 } });
    await untilReady(ns, 1);
    for (const gone of ["data-db-1", "data-db-2"]) await stage.untilGone(core(ns, `persistentvolumeclaims/${gone}`));
    await stage.server.api.patch(apps(ns, "statefulsets/db/scale"), { spec: { replicas: 2 } });
    await untilReady(ns, 2);

    const template = { spec: { containers: [{ name: "main", image: "registry.example/db:2" }] } };
    await stage.server.api.patch(apps(ns, "statefulsets/db"), { spec: { template } }, "strategic-merge");
    await untilReady(ns, 2);
    const { items } = await stage.server.api.get<List<{ spec: { containers: { image: string }[] } }>>(core(ns, "pods"));
    expect(items.map(({ spec }) => spec.containers[0]?.image)).toEqual([
      "registry.example/db:2",
      "registry.example/db:2",
    ]);
    expect((await stage.server.api.get<List<object>>(apps(ns, "controllerrevisions"))).items).toHaveLength(2);

    await stage.server.api.delete(apps(ns, "statefulsets/db"));
    await stage.until<List<object>>(
      core(ns, "persistentvolumeclaims"),
      "to be empty",
      (list) => list.items.length === 0,
    );
    await stage.until<List<object>>(core(ns, "pods"), "to be empty", (list) => list.items.length === 0);
  });

  test("a Deployment runs and rolls out through its ReplicaSets", async () => {
    const ns = await namespace("deployments");
    const ready = (text: string) =>
      stage.until<StatefulSetSeen>(
        apps(ns, "deployments/web"),
        text,
        ({ metadata, status }) =>
          status["observedGeneration"] === metadata.generation &&
          status["updatedReplicas"] === 2 &&
          status["availableReplicas"] === 2 &&
          status["replicas"] === 2,
      );
    await stage.server.api.create(apps(ns, "deployments"), deployment("web"));
    await ready("to be up");
    const template = { metadata: { annotations: { again: "1" } } };
    await stage.server.api.patch(apps(ns, "deployments/web"), { spec: { template } });
    await ready("to have rolled out");
    expect((await stage.server.api.get<List<object>>(apps(ns, "replicasets"))).items).toHaveLength(2);
  });

  test("a claim is bound to a volume that fits; both are protected while they are used", async () => {
    const ns = await namespace("claims");
    const volume = "/api/v1/persistentvolumes/static";
    await stage.server.api.create("/api/v1/persistentvolumes", {
      metadata: { name: "static" },
      spec: {
        capacity: { storage: "5Gi" },
        accessModes: ["ReadWriteOnce"],
        storageClassName: "elastic",
        csi: { driver: "csi.example.com", volumeHandle: "static" },
      },
    });
    const data = core(ns, "persistentvolumeclaims/data");
    await stage.server.api.create(core(ns, "persistentvolumeclaims"), claim("data"));
    await stage.until<PersistentVolumeClaim>(data, "to be bound", ({ status }) => status?.phase === "Bound");
    await stage.until<PersistentVolume>(volume, "to be bound", ({ status }) => status?.phase === "Bound");

    const uses = { volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }], nodeName: "node" };
    await stage.server.api.create("/api/v1/nodes", { metadata: { name: "node" } });
    await stage.server.api.create(core(ns, "pods"), pod("user", {}, uses));
    await stage.until<Pod>(core(ns, "pods/user"), "to run", ({ status }) => status?.phase === "Running");
    await stage.server.api.delete(data);
    await stage.server.api.delete(volume);
    const kept = await stage.server.api.get<PersistentVolumeClaim>(data);
    expect(kept.metadata.finalizers).toEqual(["kubernetes.io/pvc-protection"]);
    expect((await stage.server.api.get<PersistentVolume>(volume)).metadata.finalizers).toContain(
      "kubernetes.io/pv-protection",
    );
    await stage.server.api.delete(core(ns, "pods/user"));
    await stage.untilGone(data);
    await stage.untilGone(volume);
  });

  test.each([
    { policy: "Background", pods: 0 },
    { policy: "Foreground", pods: 0 },
    { policy: "Orphan", pods: 3 },
  ])("garbage collection: deleting a set with $policy leaves $pods pods", async ({ policy, pods }) => {
    const ns = await namespace(`garbage-${policy.toLowerCase()}`);
    await stage.server.api.create(apps(ns, "statefulsets"), statefulSet("db"));
    await untilReady(ns, 3);
    await stage.server.api.delete(`${apps(ns, "statefulsets/db")}?propagationPolicy=${policy}`);
    await stage.untilGone(apps(ns, "statefulsets/db"));
    if (policy === "Foreground") expect((await stage.server.api.get<List<Pod>>(core(ns, "pods"))).items).toEqual([]);
    await stage.until<List<Pod>>(
      core(ns, "pods"),
      `to be ${pods}, and nobody's`,
      ({ items }) => items.length === pods && items.every(({ metadata }) => metadata.ownerReferences === undefined),
    );
  });

  test("garbage collection and namespace deletion take custom resources along", async () => {
    const ns = await namespace("custom");
    const owner = await stage.server.api.create<{ metadata: { uid: string } }>(widgets(ns), widget(GROUP, "owner"));
    const ownerReferences = [{ apiVersion: `${GROUP}/v1`, kind: "Widget", name: "owner", uid: owner.metadata.uid }];
    await stage.server.api.create(core(ns, "configmaps"), {
      ...configMap("owned", {}),
      metadata: { name: "owned", ownerReferences },
    });
    await stage.server.api.create(widgets(ns), widget(GROUP, "other"));
    await stage.server.api.delete(`${widgets(ns)}/owner`);
    await stage.untilGone(core(ns, "configmaps/owned"));

    await stage.server.api.create(apps(ns, "statefulsets"), statefulSet("db"));
    await untilReady(ns, 3);
    await stage.server.api.delete(`/api/v1/namespaces/${ns}`);
    await stage.untilGone(`/api/v1/namespaces/${ns}`);
    for (const path of [widgets(ns), core(ns, "pods"), core(ns, "persistentvolumeclaims"), core(ns, "secrets")]) {
      expect((await stage.server.api.get<List<object>>(path)).items, path).toEqual([]);
    }
  });

  test("a quota counts what is there", async () => {
    const ns = await namespace("quota");
    await stage.server.api.create(core(ns, "persistentvolumeclaims"), claim("before", "2Gi"));
    // A quota is counted from what the manager has heard of by then, and not again for minutes: it has once it writes on the claim.
    await stage.until<PersistentVolumeClaim>(
      core(ns, "persistentvolumeclaims/before"),
      "to be seen",
      ({ metadata }) => metadata.annotations?.["volume.kubernetes.io/storage-provisioner"] !== undefined,
    );
    const hard = {
      "requests.storage": "10Gi",
      persistentvolumeclaims: "5",
      [`count/widgets.${GROUP}`]: "3",
      pods: "4",
    };
    await stage.server.api.create(core(ns, "resourcequotas"), { metadata: { name: "q" }, spec: { hard } });
    const until = (used: object) =>
      stage.until<{ status: { used?: object } }>(
        core(ns, "resourcequotas/q"),
        `to count ${JSON.stringify(used)}`,
        ({ status }) => isDeepStrictEqual(status.used, used),
      );
    await until({ "requests.storage": "2Gi", persistentvolumeclaims: "1", [`count/widgets.${GROUP}`]: "0", pods: "0" });
    await stage.server.api.create(core(ns, "persistentvolumeclaims"), claim("after", "3Gi"));
    await until({ "requests.storage": "5Gi", persistentvolumeclaims: "2", [`count/widgets.${GROUP}`]: "0", pods: "0" });
    await stage.server.api.delete(core(ns, "persistentvolumeclaims/before"));
    await until({ "requests.storage": "3Gi", persistentvolumeclaims: "1", [`count/widgets.${GROUP}`]: "0", pods: "0" });
  });

  test("a service has the addresses of its pods, and a budget counts them", async () => {
    const ns = await namespace("services");
    await stage.server.api.create(core(ns, "services"), service("web"));
    const annotations = { "test/state": "pending" };
    await stage.server.api.create("/api/v1/nodes", { metadata: { name: "serving" } });
    const serving = pod("web-0", { app: "web" }, { nodeName: "serving" });
    await stage.server.api.create(core(ns, "pods"), {
      ...serving,
      metadata: { name: "web-0", labels: { app: "web" }, annotations },
    });
    const podIPs = [{ ip: "10.1.2.3" }];
    const status = { phase: "Running", podIP: "10.1.2.3", podIPs, conditions: [{ type: "Ready", status: "True" }] };
    await stage.server.api.patch(core(ns, "pods/web-0/status"), { status });
    const slices = `/apis/discovery.k8s.io/v1/namespaces/${ns}/endpointslices`;
    await stage.until<List<{ endpoints?: { addresses: string[] }[] | null }>>(
      slices,
      "to have the address",
      ({ items }) => items.some(({ endpoints }) => endpoints?.[0]?.addresses[0] === "10.1.2.3"),
    );
    await stage.until<{ subsets?: { addresses?: { ip: string }[] }[] }>(
      core(ns, "endpoints/web"),
      "to have the address",
      ({ subsets }) => subsets?.[0]?.addresses?.[0]?.ip === "10.1.2.3",
    );

    await stage.server.api.create(apps(ns, "statefulsets"), statefulSet("db"));
    await untilReady(ns, 3);
    const budgets = `/apis/policy/v1/namespaces/${ns}/poddisruptionbudgets`;
    const spec = { maxUnavailable: 1, selector: { matchLabels: { app: "db" } } };
    await stage.server.api.create(budgets, { metadata: { name: "db" }, spec });
    await stage.until<{ status: Record<string, number> }>(
      `${budgets}/db`,
      "to allow one disruption",
      ({ status: counted }) =>
        counted["expectedPods"] === 3 && counted["currentHealthy"] === 3 && counted["disruptionsAllowed"] === 1,
    );
  });

  test("what is done with is removed when its time is over; nodes get their time to live", async () => {
    const ns = await namespace("ttl");
    await stage.server.api.create("/api/v1/nodes", { metadata: { name: "short-lived" } });
    await stage.until<{ metadata: { annotations?: Record<string, string> } }>(
      "/api/v1/nodes/short-lived",
      "to be annotated",
      ({ metadata }) => metadata.annotations?.["node.alpha.kubernetes.io/ttl"] === "0",
    );
    const template = { spec: { restartPolicy: "Never", containers: [{ name: "main", image: "job:1" }] } };
    const jobs = `/apis/batch/v1/namespaces/${ns}/jobs`;
    await stage.server.api.create(jobs, { metadata: { name: "once" }, spec: { ttlSecondsAfterFinished: 0, template } });
    const { items } = await stage.until<List<Pod>>(
      core(ns, "pods"),
      "to have the job's pod",
      // Who plays the kubelet says that it runs, which must not come behind what is said below.
      (list) => list.items.length === 1 && list.items[0]?.status?.phase === "Running",
    );
    const done = { phase: "Succeeded", conditions: [{ type: "Ready", status: "False" }] };
    await stage.server.api.patch(core(ns, `pods/${items[0]?.metadata.name}/status`), { status: done });
    await stage.untilGone(`${jobs}/once`);
  });

  test("its log has no error that is not expected", () => {
    expect(unexpected(stage.manager.stderr)).toEqual([]);
    expect(stage.kubelet.problems).toEqual([]);
  });
});

/** A wish on a stock API server: the set is re-created around its pods, and nobody can tell afterwards but by its uid. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { stringify } from "yaml";
import type { KubeObject, PersistentVolumeClaim, Pod, StatefulSet } from "../../../src/core/types.ts";
import {
  CLAIMS,
  createClient,
  createTransport,
  type KubeClient,
  loadConfig,
  PODS,
  refOf,
  STATEFUL_SETS,
  startInformer,
  systemTimers,
  type Timers,
} from "../../../src/kube/index.ts";
import {
  CONTROLLER_RULES,
  type GrowthController,
  startGrowth,
  VOLUME_EXPANSION_DEFINITION,
  VOLUME_EXPANSIONS,
} from "../../../src/statefulset/index.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { defineKind } from "../custom-kinds.ts";
import { createBoundClaims, createNamespace, createStorageClass } from "../fixtures.ts";
import { userFor } from "../rbac.ts";
import { connectAsAdmin } from "../resizer/connect.ts";
import { type Kubelet, startKubelet } from "../statefulset-controller/kubelet.ts";
import { waitFor } from "../wait.ts";

const NAMESPACE = "prod";
const DB = { namespace: NAMESPACE, name: "db" };
const CONTROLLERS = ["statefulset-controller", "garbage-collector-controller"];
/** A set must be a minute old before it is re-created. */
const LATER: Timers = { ...systemTimers, now: () => systemTimers.now() + 120_000 };

let plane: ControlPlane;
let admin: KubeClient;
let ours: KubeClient;
let kubelet: Kubelet;
let storage: { stop(): Promise<void> };
let growth: GrowthController;

beforeAll(async () => {
  plane = await startControlPlane({ controllers: CONTROLLERS, audit: false });
  admin = await connectAsAdmin(plane);
  kubelet = startKubelet(admin);
  storage = startStorage(admin);
  await defineKind(plane.api, VOLUME_EXPANSION_DEFINITION);
  const role = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", rules: CONTROLLER_RULES };
  const manifest = stringify({ ...role, metadata: { name: "outgrow-controller" } });
  const { kubeconfig } = await userFor(plane, { namespace: "outgrow-system", account: "outgrow", manifest });
  ours = createClient(createTransport(await loadConfig({ env: {}, kubeconfig })));
  await createStorageClass(plane, "elastic", "csi.example.com");
  growth = startGrowth({ client: ours, timers: LATER });
  await growth.synced;
});

afterAll(async () => {
  await growth?.stop();
  await storage?.stop();
  await kubelet?.stop();
  await ours?.close();
  await admin?.close();
  await plane?.stop();
});

/** Storage that gives everybody what they ask for. */
function startStorage(client: KubeClient): { stop(): Promise<void> } {
  const busy = new Set<Promise<unknown>>();
  const claims = startInformer({ client, resource: CLAIMS, trim: (claim) => claim });
  const look = (claim: PersistentVolumeClaim): void => {
    const storage = claim.spec.resources?.requests?.["storage"];
    if (claim.status?.phase !== "Bound" || claim.status.capacity?.["storage"] === storage) return;
    const body = { status: { capacity: { storage } } };
    const work = client.patch(CLAIMS, refOf(claim), { type: "merge", body }, { subresource: "status" }).finally(() => {
      busy.delete(work);
    });
    busy.add(work);
  };
  claims.addHandler({ added: look, updated: (_, claim) => look(claim) });
  return {
    async stop() {
      await claims.stop();
      await Promise.allSettled(busy);
    },
  };
}

/** As a team keeps it in its repository. */
function manifest(size: string): KubeObject & Readonly<Record<string, unknown>> {
  const labels = { app: "db" };
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { ...DB, annotations: { "example.com/owner": "team" } },
    spec: {
      replicas: 3,
      serviceName: "db",
      selector: { matchLabels: labels },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete", whenScaled: "Delete" },
      template: { metadata: { labels }, spec: { containers: [{ name: "main", image: "database" }] } },
      volumeClaimTemplates: [
        {
          metadata: { name: "data" },
          spec: {
            accessModes: ["ReadWriteOnce"],
            storageClassName: "elastic",
            resources: { requests: { storage: size } },
          },
        },
      ],
    },
  };
}

const apply = (size: string): Promise<StatefulSet> =>
  admin.patch(STATEFUL_SETS, DB, { type: "apply", body: manifest(size) }, { fieldManager: "team" });
const theSet = (): Promise<StatefulSet> => admin.get(STATEFUL_SETS, DB);
const uids = async (): Promise<string[]> => {
  const objects: KubeObject[] = [
    ...(await admin.listAll<Pod>(PODS, { namespace: NAMESPACE })),
    ...(await admin.listAll<PersistentVolumeClaim>(CLAIMS, { namespace: NAMESPACE })),
    ...(await admin.listAll(REVISIONS, { namespace: NAMESPACE })),
  ];
  return objects.map(({ metadata }) => `${metadata.name} ${metadata.uid}`).sort();
};
const REVISIONS = { ...STATEFUL_SETS, kind: "ControllerRevision", plural: "controllerrevisions", object: {} } as never;

test("same pods, claims and revision; the policy is back; every manager has its fields; a second apply changes nothing", async () => {
  await createNamespace(plane, NAMESPACE);
  await createBoundClaims(
    plane,
    [0, 1, 2].map((ordinal) => ({
      name: `data-db-${ordinal}`,
      namespace: NAMESPACE,
      size: "1Gi",
      driver: "csi.example.com",
      className: "elastic",
    })),
  );
  await apply("1Gi");
  const before = await waitFor("three pods", async () => {
    const set = await theSet();
    return set.status?.readyReplicas === 3 && set.status.currentRevision === set.status.updateRevision && set;
  });
  const everything = await uids();
  expect(everything).toHaveLength(7);

  await plane.kubectl(["-n", NAMESPACE, "annotate", "sts", "db", "outgrow.dev/claims=data=2Gi"]);
  await waitFor("the growth to be done", async () => {
    const [record] = await admin.listAll(VOLUME_EXPANSIONS, { namespace: NAMESPACE });
    return record?.status?.phase === "Done" && record;
  });

  const after = await theSet();
  expect(after.metadata.uid).not.toBe(before.metadata.uid);
  expect(await uids()).toEqual(everything);
  expect(after.spec.volumeClaimTemplates?.[0]?.spec.resources?.requests).toEqual({ storage: "2Gi" });
  expect(after.spec.persistentVolumeClaimRetentionPolicy).toEqual({ whenDeleted: "Delete", whenScaled: "Delete" });
  expect(after.spec.template).toEqual(before.spec.template);
  expect(after.metadata.annotations).toEqual({ "example.com/owner": "team" });
  expect(after.metadata.finalizers).toBeUndefined();
  expect(after.status?.currentRevision).toBe(before.status?.currentRevision);
  const claims = await waitFor("the claims to be tied to the new set", async () => {
    const found = await admin.listAll(CLAIMS, { namespace: NAMESPACE });
    return found.every(({ metadata }) => metadata.ownerReferences?.[0]?.uid === after.metadata.uid) && found;
  });
  expect(claims.map(({ spec }) => spec.resources?.requests?.["storage"])).toEqual(["2Gi", "2Gi", "2Gi"]);

  const managers = (
    (after.metadata as { managedFields?: { manager: string; operation: string }[] }).managedFields ?? []
  )
    .filter(({ operation }) => operation === "Apply")
    .map(({ manager }) => manager);
  expect(managers).toEqual(["team"]);
  const record = await admin.get(VOLUME_EXPANSIONS, DB);
  expect(record.metadata.finalizers).toBeUndefined();
  expect(record.status?.savedStatefulSet).toBeUndefined();

  // No conflict, and nothing to do.
  const again = await apply("2Gi");
  expect(again.metadata.generation).toBe(after.metadata.generation);
  expect(again.metadata.uid).toBe(after.metadata.uid);
  expect(kubelet.problems).toEqual([]);
});

import { expect, test } from "vitest";
import { planImport } from "./plan-import.ts";
import type { DumpedObject, ImportPlan, PreparedObject } from "./types.ts";

const NODE = "here";

function plan(dump: readonly DumpedObject[], parameters: ReadonlyMap<string, Record<string, string>> = new Map()) {
  return planImport(dump, { node: NODE, parameters });
}

function find({ stages }: ImportPlan, kind: string, name: string): PreparedObject {
  const found = stages.flat().find(({ object }) => object.kind === kind && object.metadata.name === name);
  if (found === undefined) throw new Error(`${kind} ${name} is not in the plan`);
  return found;
}

function stageOf({ stages }: ImportPlan, kind: string): number {
  return stages.findIndex((stage) => stage.some(({ object }) => object.kind === kind));
}

const GP3: DumpedObject = {
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: { name: "gp3", uid: "c", resourceVersion: "1" },
  provisioner: "ebs.csi.aws.com",
  parameters: { type: "gp3" },
  allowVolumeExpansion: true,
};

function aClaim(name: string, more: Partial<DumpedObject> = {}): DumpedObject {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name, namespace: "shop", uid: `u-${name}`, finalizers: ["kubernetes.io/pvc-protection"] },
    spec: { storageClassName: "gp3", volumeName: `pv-${name}`, resources: { requests: { storage: "10Gi" } } },
    status: { phase: "Bound", capacity: { storage: "10Gi" } },
    ...more,
  };
}

function aVolume(claim: string, spec: Record<string, unknown> = {}, phase = "Bound"): DumpedObject {
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: `pv-${claim}` },
    spec: {
      capacity: { storage: "10Gi" },
      storageClassName: "gp3",
      claimRef: { namespace: "shop", name: claim, uid: `u-${claim}`, resourceVersion: "9" },
      csi: {
        driver: "ebs.csi.aws.com",
        volumeHandle: "vol-1",
        controllerExpandSecretRef: { name: "s", namespace: "n" },
      },
      ...spec,
    },
    status: { phase },
  };
}

function aPod(name: string, more: Partial<DumpedObject> = {}): DumpedObject {
  const metadata = { name, namespace: "shop" };
  return { apiVersion: "v1", kind: "Pod", metadata, spec: { nodeName: "there", priority: 7 }, ...more };
}

const SET: DumpedObject = {
  apiVersion: "apps/v1",
  kind: "StatefulSet",
  metadata: { name: "db", namespace: "shop", uid: "u-set", generation: 4 },
  spec: { template: { spec: { serviceAccountName: "robot", priorityClassName: "high" } } },
  status: { replicas: 1 },
};
const OWNER = { apiVersion: "apps/v1", kind: "StatefulSet", name: "db", uid: "u-set" };

test("a class becomes one of the memory driver, and remembers whose it was", () => {
  const { object } = find(plan([GP3]), "StorageClass", "gp3");
  expect(object).toMatchObject({
    provisioner: "memory.csi.outgrow.dev",
    allowVolumeExpansion: true,
    metadata: { annotations: { "outgrow.dev/provisioner": "ebs.csi.aws.com" } },
  });
  expect(object["parameters"]).toBeUndefined();
  expect(object.metadata).not.toHaveProperty("uid");
});

test("its parameters come from its annotation and from the command line, which wins", () => {
  const annotations = { "outgrow.dev/parameters": "delay=2s, online=false" };
  const annotated = { ...GP3, metadata: { name: "gp3", annotations } };
  const asked = new Map([["gp3", { delay: "1s" }]]);
  const { object } = find(plan([annotated], asked), "StorageClass", "gp3");
  expect(object["parameters"]).toEqual({ delay: "1s", online: "false" });
  expect(() => plan([GP3], new Map([["gp4", {}]]))).toThrow("StorageClass gp4, which is not in the dump");
});

test("a volume gets the memory driver, keeps its size and knows how far the node was", () => {
  const behind = aClaim("a", {
    status: {
      phase: "Bound",
      capacity: { storage: "10Gi" },
      allocatedResources: { storage: "20Gi" },
      resizeStatus: "NodeExpansionPending",
    },
  });
  const made = plan([GP3, behind, aVolume("a", { capacity: { storage: "20Gi" } })]);
  const volume = find(made, "PersistentVolume", "pv-a");
  expect(volume.object.spec).toMatchObject({
    capacity: { storage: "20Gi" },
    csi: { driver: "memory.csi.outgrow.dev", volumeHandle: "pv-a", volumeAttributes: {} },
  });
  expect(JSON.stringify(volume.object)).not.toContain("SecretRef");
  expect(volume).toMatchObject({ boundTo: { namespace: "shop", name: "a" }, status: { phase: "Bound" } });
  const gi = 2n ** 30n;
  expect(made.volumes).toMatchObject([{ volumeId: "pv-a", capacityBytes: 20n * gi, nodeBytes: 10n * gi }]);
  // An older cluster's word for it is said in today's.
  const { status } = find(made, "PersistentVolumeClaim", "a");
  expect(status).toMatchObject({ allocatedResourceStatuses: { storage: "NodeResizePending" } });
});

test("volumes that no driver grows stay what they are", () => {
  const nfs = { csi: undefined, nfs: { server: "x", path: "/" } };
  const made = plan([GP3, aClaim("a"), aVolume("a", nfs)]);
  expect(find(made, "PersistentVolume", "pv-a").object.spec).toMatchObject({ nfs: { server: "x" } });
  expect(made.volumes).toEqual([]);
});

test("a bound claim without its volume gets one; a volume without its claim stays out, unless it was retained", () => {
  const made = plan([GP3, aClaim("a")]);
  expect(find(made, "PersistentVolume", "pv-a").object.spec).toMatchObject({ capacity: { storage: "10Gi" } });
  expect(made.added).toContainEqual({
    what: "PersistentVolume pv-a",
    why: "PersistentVolumeClaim shop/a is bound to it",
  });
  expect(plan([aVolume("a")]).leftOut).toEqual([
    { what: "PersistentVolume pv-a", why: "its claim shop/a is not imported" },
  ]);
  // The name was taken by another claim since.
  const other = aClaim("a", {
    metadata: { name: "a", namespace: "shop", uid: "another" },
    status: { phase: "Pending" },
  });
  expect(plan([other, aVolume("a")]).leftOut).toHaveLength(1);
  const retained = aVolume("a", { persistentVolumeReclaimPolicy: "Retain" }, "Released");
  expect(find(plan([retained]), "PersistentVolume", "pv-a").boundTo).toBeUndefined();
});

test("pods: the set's own stay out, the others come to the one node", () => {
  const owned = aPod("db-0", { metadata: { name: "db-0", namespace: "shop", ownerReferences: [OWNER] } });
  const made = plan([SET, owned, aPod("web"), aPod("job", { status: { phase: "Succeeded" } })]);
  expect(made.leftOut).toEqual([
    { what: "Pod shop/db-0", why: "StatefulSet db makes it anew" },
    { what: "Pod shop/job", why: "it has ended" },
  ]);
  expect(find(made, "Pod", "web").object.spec).toEqual({ nodeName: NODE });
  // Without its set it would be gone.
  expect(find(plan([owned]), "Pod", "db-0").owners).toEqual([]);
});

test.each([
  ["Event", "v1"],
  ["Node", "v1"],
  ["Lease", "coordination.k8s.io/v1"],
  ["ValidatingWebhookConfiguration", "admissionregistration.k8s.io/v1"],
])("%s stays out", (kind, apiVersion) => {
  const metadata = { name: "x" };
  expect(plan([{ apiVersion, kind, metadata }]).leftOut).toHaveLength(1);
  expect(plan([{ apiVersion: "example.com/v1", kind, metadata }]).leftOut).toEqual([]);
});

test("owners are named when they are that very object; others are not, and that is said", () => {
  const claim = (uid: string) =>
    aClaim("a", { metadata: { name: "a", namespace: "shop", ownerReferences: [{ ...OWNER, uid }] } });
  expect(find(plan([SET, claim("u-set")]), "PersistentVolumeClaim", "a").owners).toHaveLength(1);
  const made = plan([SET, claim("of another time")]);
  expect(find(made, "PersistentVolumeClaim", "a").owners).toEqual([]);
  expect(made.changed).toHaveLength(1);
});

test("the order: definitions, namespaces, classes, owners before what they own, claims, volumes, quota", () => {
  const quota = { apiVersion: "v1", kind: "ResourceQuota", metadata: { name: "q", namespace: "shop" } };
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "cacti.example.com" },
    spec: { conversion: { strategy: "Webhook" } },
  };
  const cactus = {
    apiVersion: "example.com/v1",
    kind: "Cactus",
    metadata: { name: "c", namespace: "shop", uid: "u-c" },
  };
  const ofCactus = { apiVersion: "example.com/v1", kind: "Cactus", name: "c", uid: "u-c" };
  const config = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "m", namespace: "shop", ownerReferences: [ofCactus] },
  };
  const made = plan([quota, aVolume("a"), aClaim("a"), SET, config, cactus, GP3, definition]);
  const order = [
    "CustomResourceDefinition",
    "Namespace",
    "StorageClass",
    "Cactus",
    "ConfigMap",
    "StatefulSet",
    "PersistentVolumeClaim",
    "PersistentVolume",
    "ResourceQuota",
  ].map((kind) => stageOf(made, kind));
  expect(order).toEqual([...order].sort((a, b) => a - b));
  expect(new Set(order).size).toBe(order.length);
  expect(find(made, "CustomResourceDefinition", "cacti.example.com").object.spec).toEqual({});
});

test("what a pod names and the dump lacks is added", () => {
  const { added } = plan([SET]);
  expect(added).toEqual([
    { what: "ServiceAccount shop/robot", why: "StatefulSet shop/db names it" },
    { what: "PriorityClass high", why: "StatefulSet shop/db names it" },
  ]);
});

import { describe, expect, test } from "vitest";
import type { PersistentVolume, Pod } from "../../core/types.ts";
import { DRIVER, theClaim } from "../decide/fixtures.ts";
import { claimsOfPod, holdClaim, holdPod, holdVolume } from "./held.ts";

describe("a claim", () => {
  test.each<[string, Parameters<typeof theClaim>[0]]>([
    ["has what it asks for", { S: "10Gi", C: "10Gi" }],
    ["has more than it asks for", { S: "10Gi", C: "12Gi" }],
    ["has what it asks for, and once recorded it", { S: "10Gi", C: "10Gi", A: "10Gi" }],
    ["is not bound", { phase: "Pending" }],
    ["is lost", { phase: "Lost" }],
  ])("at rest is not held: it %s", (_, traits) => {
    expect(holdClaim(theClaim(traits))).toBeUndefined();
  });

  test("that names no volume is not held", () => {
    const claim = theClaim();
    expect(holdClaim({ ...claim, spec: { ...claim.spec, volumeName: "" } })).toBeUndefined();
  });

  test.each<[string, Parameters<typeof theClaim>[0]]>([
    ["asks for more than it has", { S: "20Gi", C: "10Gi" }],
    ["has no capacity that is known", { C: null }],
    ["has a state", { S: "10Gi", C: "10Gi", state: "node-pending" }],
    [
      "has a condition that tells of an expansion",
      { S: "10Gi", C: "10Gi", conditions: [{ kind: "file-system-pending" }] },
    ],
  ])("that %s is held", (_, traits) => {
    expect(holdClaim(theClaim(traits))).toMatchObject({ metadata: { name: "data" } });
  });

  test("that cannot be read is held, so that looking at it says what is wrong", () => {
    const claim = theClaim();
    const odd = { ...claim, spec: { ...claim.spec, resources: { requests: { storage: "much" } } } };
    expect(holdClaim(odd)).toMatchObject({ spec: { resources: { requests: { storage: "much" } } } });
  });

  test("is held without what no rule looks at", () => {
    const claim = theClaim({
      annotations: {
        "volume.kubernetes.io/storage-resizer": "ebs.csi.aws.com",
        "pv.kubernetes.io/bind-completed": "yes",
      },
    });
    const whole = {
      ...claim,
      metadata: { ...claim.metadata, labels: { app: "db" }, finalizers: ["f"], managedFields: [{}] },
      status: { ...claim.status, accessModes: ["ReadWriteOnce"] },
    };
    expect(holdClaim(whole)).toEqual({
      metadata: {
        name: "data",
        namespace: "prod",
        uid: "claim-1",
        resourceVersion: "7",
        annotations: { "volume.kubernetes.io/storage-resizer": "ebs.csi.aws.com" },
      },
      spec: { accessModes: ["ReadWriteOnce"], volumeName: "pv-1", resources: { requests: { storage: "20Gi" } } },
      status: { phase: "Bound", capacity: { storage: "10Gi" } },
    });
  });
});

describe("a volume", () => {
  const claimRef = {
    kind: "PersistentVolumeClaim",
    namespace: "prod",
    name: "data",
    uid: "claim-1",
    resourceVersion: "3",
  };
  const volume = (spec: object, metadata: object = {}): PersistentVolume => ({
    metadata: { name: "pv-1", uid: "volume-1", resourceVersion: "8", ...metadata },
    spec: { capacity: { storage: "10Gi" }, accessModes: ["ReadWriteOnce"], claimRef, ...spec },
  });

  test("of the driver is held without what no rule looks at", () => {
    const csi = { driver: DRIVER, volumeHandle: "vol-1", fsType: "ext4", volumeAttributes: { pool: "a" } };
    const whole = volume(
      { csi, nodeAffinity: {}, mountOptions: ["noatime"], volumeMode: "Filesystem" },
      { labels: { zone: "a" }, annotations: { "pv.kubernetes.io/provisioned-by": DRIVER } },
    );
    expect(holdVolume(DRIVER)(whole)).toEqual({
      metadata: { name: "pv-1", uid: "volume-1", resourceVersion: "8" },
      spec: {
        capacity: { storage: "10Gi" },
        accessModes: ["ReadWriteOnce"],
        volumeMode: "Filesystem",
        mountOptions: ["noatime"],
        claimRef: { namespace: "prod", name: "data", uid: "claim-1" },
        csi: { driver: DRIVER, volumeHandle: "vol-1", fsType: "ext4" },
      },
    });
  });

  test("keeps its secret and the capacity from before", () => {
    const controllerExpandSecretRef = { namespace: "storage", name: "expand" };
    const annotations = { "volume.alpha.kubernetes.io/pre-resize-capacity": "5Gi" };
    const csi = { driver: DRIVER, volumeHandle: "vol-1", controllerExpandSecretRef };
    expect(holdVolume(DRIVER)(volume({ csi }, { annotations }))).toMatchObject({
      metadata: { annotations },
      spec: { csi: { controllerExpandSecretRef } },
    });
  });

  test.each<[string, object]>([
    ["another driver", { csi: { driver: "other.example.com", volumeHandle: "v" } }],
    ["an in-tree plugin that the driver did not take over", { nfs: { server: "a", path: "/" } }],
    ["the driver, but bound to nobody", { csi: { driver: DRIVER, volumeHandle: "v" }, claimRef: undefined }],
  ])("of %s is not held", (_, spec) => {
    expect(holdVolume(DRIVER)(volume(spec))).toBeUndefined();
  });

  test("of an in-tree plugin that the driver took over keeps all that its handle is made of", () => {
    const labels = { "topology.kubernetes.io/zone": "europe-west1-b" };
    const source = { gcePersistentDisk: { pdName: "disk-1" } };
    expect(holdVolume("pd.csi.storage.gke.io")(volume(source, { labels, finalizers: ["f"] }))).toMatchObject({
      metadata: { name: "pv-1", labels },
      spec: source,
    });
    const annotations = {
      "openstorage.io/auth-secret-name": "px",
      "openstorage.io/auth-secret-namespace": "kube-system",
      "kubernetes.io/azure-file-resource-group": "group",
    };
    const held = holdVolume("pxd.portworx.com")(
      volume({ portworxVolume: {} }, { annotations: { ...annotations, a: "b" } }),
    );
    expect(held?.metadata.annotations).toEqual(annotations);
  });

  test("of another driver is not held by one that took over a plugin", () => {
    expect(holdVolume("ebs.csi.aws.com")(volume({ csi: { driver: DRIVER, volumeHandle: "v" } }))).toBeUndefined();
  });
});

describe("a pod", () => {
  const pod = (phase: string, volumes: object[] | undefined): Pod => ({
    metadata: { namespace: "prod", name: "db-0", uid: "pod-1", resourceVersion: "4", labels: { app: "db" } },
    spec: { nodeName: "node-1", containers: [{}], ...(volumes === undefined ? {} : { volumes: volumes as never }) },
    status: { phase },
  });
  const DATA = { name: "data", persistentVolumeClaim: { claimName: "data-db-0", readOnly: true } };
  const WAL = { name: "wal", persistentVolumeClaim: { claimName: "wal-db-0" } };
  const SCRATCH = { name: "scratch", emptyDir: {} };

  test.each(["Pending", "Running", "Unknown", ""])(
    "in phase %j is held: who it is, and the claims that it mentions",
    (phase) => {
      const held = holdPod(pod(phase, [DATA, SCRATCH, WAL]));
      expect(held?.metadata).toEqual({ namespace: "prod", name: "db-0", uid: "pod-1", resourceVersion: "4" });
      expect(held && claimsOfPod(held)).toEqual(["prod/data-db-0", "prod/wal-db-0"]);
      expect(JSON.stringify(held)).not.toMatch(/node-1|scratch|app/);
    },
  );

  test.each(["Succeeded", "Failed"])("in phase %s uses nothing any more", (phase) => {
    expect(holdPod(pod(phase, [DATA]))).toBeUndefined();
  });

  test("that only a finalizer keeps uses nothing any more", () => {
    const going = { deletionTimestamp: "2026-03-01T12:00:00Z", finalizers: ["example.com/wait"] };
    const one = pod("Running", [DATA]);
    const after = (seconds: number): Pod => ({
      ...one,
      metadata: { ...one.metadata, ...going, deletionGracePeriodSeconds: seconds } as Pod["metadata"],
    });
    expect(holdPod(after(0))).toBeUndefined();
    expect(holdPod(after(30))).toBeDefined();
  });

  test.each([[undefined], [[]], [[SCRATCH]]])("with volumes %j uses no claim", (volumes) => {
    expect(holdPod(pod("Running", volumes))).toBeUndefined();
  });
});

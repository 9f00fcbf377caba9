/** The volume controllers on the embedded cluster, with a real driver on a real socket. */
import { afterEach, describe, expect, test } from "vitest";
import { CLAIMS, type KubeClient, PODS, STORAGE_CLASSES, VOLUMES } from "../../../kube/index.ts";
import { until } from "../../../kube/testing/until.ts";
import { VOLUME_ATTACHMENTS } from "./attacher/attacher.ts";
import { PROVISIONED_BY, PROVISIONER_FINALIZER, SELECTED_NODE, VOLUME_PROTECTION } from "./decide/names.ts";
import { startVolumes, type VolumesOptions } from "./start-volumes.ts";
import { type Bench, startBench } from "./testing/bench.ts";
import { aClaim, aClass, aVolume, type ClaimSketch } from "./testing/objects.ts";

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]();
});

async function start(options: Partial<VolumesOptions> = {}): Promise<Bench> {
  const bench = await startBench();
  open.push(bench);
  await work(bench, options);
  return bench;
}

async function work(bench: Bench, options: Partial<VolumesOptions> = {}): Promise<() => Promise<void>> {
  const provisioning = { backoff: { base: 5, max: 50 } };
  const client = await bench.connect();
  const volumes = startVolumes({ client, drivers: [bench.driver], provisioning, ...options });
  open.push({ [Symbol.asyncDispose]: () => volumes.stop() });
  await volumes.synced;
  return () => volumes.stop();
}

const fromMemory = (name: string, sketch: ClaimSketch = {}) =>
  aClaim(name, { ...sketch, spec: { storageClassName: "memory", ...sketch.spec } });
const bound = (bench: Bench, name: string) =>
  until(`${name} to be bound`, async () => {
    const claim = await bench.claim(name);
    return claim?.status?.phase === "Bound" && claim;
  });
const told = (bench: Bench, name: string, text: string) =>
  until(`${name}: ${text}`, async () => (await bench.told(name)).some((each) => each.includes(text)));

/** A pod as a scheduler leaves it, on a node that runs nothing. */
async function createPod(client: KubeClient, name: string, claimName: string): Promise<void> {
  await client.create(PODS, {
    metadata: { name, namespace: "default" },
    spec: {
      nodeName: "node",
      containers: [{ name: "c", image: "busybox" }],
      volumes: [{ name: "data", persistentVolumeClaim: { claimName } }],
    },
  });
}

describe("a claim of a class with a driver", () => {
  test("gets a volume, as external-provisioner and the binder write it", async () => {
    const bench = await start();
    await bench.startDriver();
    const mountOptions = ["noatime"];
    await bench.client.create(
      STORAGE_CLASSES,
      aClass("fast", {
        provisioner: bench.driver.name,
        mountOptions,
        parameters: { "csi.storage.k8s.io/fstype": "xfs", roundTo: "1Gi" },
      }),
    );
    await bench.client.create(CLAIMS, fromMemory("data", { size: "1500Mi", spec: { storageClassName: "fast" } }));
    const claim = await bound(bench, "data");
    const name = `pvc-${claim.metadata.uid}`;
    expect(claim.metadata.annotations).toEqual({
      "pv.kubernetes.io/bind-completed": "yes",
      "pv.kubernetes.io/bound-by-controller": "yes",
      "volume.beta.kubernetes.io/storage-provisioner": bench.driver.name,
      "volume.kubernetes.io/storage-provisioner": bench.driver.name,
    });
    expect(claim.spec.volumeName).toBe(name);
    expect(claim.status).toEqual({ phase: "Bound", accessModes: ["ReadWriteOnce"], capacity: { storage: "2Gi" } });
    const volume = await bench.volume(name);
    expect(volume?.metadata).toMatchObject({
      annotations: { [PROVISIONED_BY]: bench.driver.name },
      finalizers: [PROVISIONER_FINALIZER, VOLUME_PROTECTION],
    });
    expect(volume?.spec).toMatchObject({
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "2Gi" },
      claimRef: { namespace: "default", name: "data", uid: claim.metadata.uid },
      csi: { driver: bench.driver.name, fsType: "xfs", volumeAttributes: { roundTo: "1Gi" } },
      mountOptions,
      persistentVolumeReclaimPolicy: "Delete",
      storageClassName: "fast",
      volumeMode: "Filesystem",
    });
    expect(volume?.status?.phase).toBe("Bound");
    await told(bench, "data", "ProvisioningSucceeded");
    expect(await bench.told("data")).toEqual([
      `Normal ExternalProvisioning: Waiting for a volume to be created either by the external provisioner '${bench.driver.name}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`,
      'Normal Provisioning: External provisioner is provisioning volume for claim "default/data"',
      `Normal ProvisioningSucceeded: Successfully provisioned volume ${name}`,
    ]);
  });

  test("gives everything back when it goes", async () => {
    const bench = await start();
    await bench.startDriver();
    await bench.client.create(CLAIMS, fromMemory("data"));
    const { spec } = await bound(bench, "data");
    await bench.client.delete(CLAIMS, { namespace: "default", name: "data" });
    await until("the volume to go", async () => (await bench.volume(spec.volumeName ?? "")) === undefined);
    expect(await bench.claim("data")).toBeUndefined();
  });

  test("keeps its volume when the class retains", async () => {
    const bench = await start();
    await bench.startDriver();
    const retaining = aClass("kept", { provisioner: bench.driver.name, reclaimPolicy: "Retain" });
    await bench.client.create(STORAGE_CLASSES, retaining);
    await bench.client.create(CLAIMS, fromMemory("data", { spec: { storageClassName: "kept" } }));
    const { spec } = await bound(bench, "data");
    await bench.client.delete(CLAIMS, { namespace: "default", name: "data" });
    const volume = await until("the volume to be released", async () => {
      const now = await bench.volume(spec.volumeName ?? "");
      return now?.status?.phase === "Released" && now;
    });
    expect(volume.metadata.finalizers).toEqual([VOLUME_PROTECTION]);
  });

  test("is provisioned when the driver comes, and people are told what was in the way", async () => {
    const bench = await start();
    await bench.client.create(CLAIMS, fromMemory("data"));
    await told(bench, "data", 'Warning ProvisioningFailed: failed to provision volume with StorageClass "memory"');
    await bench.startDriver();
    await bound(bench, "data");
  });

  test("that the driver refuses stays pending with the driver's words", async () => {
    const bench = await start();
    await bench.startDriver();
    const wrong = aClass("wrong", { provisioner: bench.driver.name, parameters: { delay: "soon" } });
    await bench.client.create(STORAGE_CLASSES, wrong);
    await bench.client.create(CLAIMS, fromMemory("data", { spec: { storageClassName: "wrong" } }));
    await told(bench, "data", "rpc error: code = InvalidArgument desc = ");
    expect((await bench.claim("data"))?.status?.phase).toBe("Pending");
  });

  test("waits for its first consumer, then for the scheduler, when the class says so", async () => {
    const bench = await start();
    await bench.startDriver();
    const late = aClass("late", { provisioner: bench.driver.name, volumeBindingMode: "WaitForFirstConsumer" });
    await bench.client.create(STORAGE_CLASSES, late);
    await bench.client.create(CLAIMS, fromMemory("data", { spec: { storageClassName: "late" } }));
    await told(bench, "data", "WaitForFirstConsumer: waiting for first consumer to be created before binding");
    await bench.client.create(PODS, {
      metadata: { name: "web", namespace: "default" },
      spec: {
        containers: [{ name: "c", image: "busybox" }],
        volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }],
      },
    });
    await told(bench, "data", "WaitForPodScheduled: waiting for pod web to be scheduled");
    const body = { metadata: { annotations: { [SELECTED_NODE]: "node" } } };
    await bench.client.patch(CLAIMS, { namespace: "default", name: "data" }, { type: "merge", body });
    await bound(bench, "data");
  });

  test("that names no class gets the default one, even if that comes later", async () => {
    const bench = await start();
    await bench.startDriver();
    const { storageClassName: _, ...spec } = aClaim("data").spec;
    await bench.client.create(CLAIMS, { ...aClaim("data"), spec });
    await told(
      bench,
      "data",
      "FailedBinding: no persistent volumes available for this claim and no storage class is set",
    );
    const annotations = { "storageclass.kubernetes.io/is-default-class": "true" };
    const body = { metadata: { annotations } };
    await bench.client.patch(STORAGE_CLASSES, { name: "memory" }, { type: "merge", body });
    expect((await bound(bench, "data")).spec.storageClassName).toBe("memory");
  });
});

describe("protection", () => {
  test("a claim stays while a pod on a node uses it", async () => {
    const bench = await start();
    await bench.client.create(VOLUMES, aVolume("disk"));
    await bench.client.create(CLAIMS, aClaim("data"));
    await bound(bench, "data");
    await createPod(bench.client, "web", "data");
    await bench.client.delete(CLAIMS, { namespace: "default", name: "data" });
    // A claim that nobody uses goes, deleted later than the other: by then that one has been looked at.
    await bench.client.create(CLAIMS, aClaim("unused", { spec: { storageClassName: "none" } }));
    await bench.client.delete(CLAIMS, { namespace: "default", name: "unused" });
    await until("the unused claim to go", async () => (await bench.claim("unused")) === undefined);
    expect((await bench.claim("data"))?.metadata.deletionTimestamp).toBeDefined();
    await bench.client.delete(PODS, { namespace: "default", name: "web" }, { gracePeriodSeconds: 0 });
    await until("the claim to go", async () => (await bench.claim("data")) === undefined);
  });

  test("a volume stays while it is bound", async () => {
    const bench = await start();
    await bench.client.create(VOLUMES, aVolume("disk"));
    await bench.client.create(CLAIMS, aClaim("data"));
    await bound(bench, "data");
    await bench.client.delete(VOLUMES, { name: "disk" });
    await bench.client.create(VOLUMES, aVolume("unused"));
    await bench.client.delete(VOLUMES, { name: "unused" });
    await until("the unused volume to go", async () => (await bench.volume("unused")) === undefined);
    expect((await bench.volume("disk"))?.status?.phase).toBe("Bound");
    await bench.client.delete(CLAIMS, { namespace: "default", name: "data" });
    await until("the volume to go", async () => (await bench.volume("disk")) === undefined);
  });
});

describe("attachments", () => {
  test("of our drivers are there as soon as somebody asks; those of others are theirs", async () => {
    const bench = await start();
    const ask = (name: string, attacher: string) =>
      bench.client.create(VOLUME_ATTACHMENTS, {
        metadata: { name },
        spec: { attacher, nodeName: "node", source: { persistentVolumeName: "disk" } },
      });
    await ask("theirs", "x.example.com");
    await ask("ours", bench.driver.name);
    await until("the answer", async () => {
      const { status } = await bench.client.get(VOLUME_ATTACHMENTS, { name: "ours" });
      return status?.attached === true;
    });
    const theirs = await bench.client.get(VOLUME_ATTACHMENTS, { name: "theirs" });
    expect(theirs.status?.attached ?? false).toBe(false);
  });
});

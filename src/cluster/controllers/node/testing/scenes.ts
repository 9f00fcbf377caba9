/** What a scheduler and a node do with pods and their volumes, told in scenes that can be played on any API server. */
import { expect } from "vitest";
import { openCsiClient, volumeCapability } from "../../../../csi/index.ts";
import { defineResource, LEASES, NODES, STORAGE_CLASSES, VOLUMES } from "../../../../kube/index.ts";
import { until } from "../../../../kube/testing/until.ts";
import { MEMORY_DRIVER } from "../../../drivers/index.ts";
import type { CSINode, Node, NodePod } from "../decide/types.ts";
import { NODE, NODE_PODS, type Scene } from "./stage.ts";

export interface PlayedScene {
  readonly name: string;
  readonly play: (scene: Scene) => Promise<void>;
}

const CSI_NODES = defineResource<CSINode>("storage.k8s.io/v1", "CSINode", "csinodes", "Cluster");
const conditionOf = ({ status }: NodePod, type: string): string | undefined =>
  status?.conditions?.find((condition) => condition.type === type)?.status;
const isReady = (pod: NodePod): boolean => conditionOf(pod, "Ready") === "True";
const isRunning = ({ status }: NodePod): boolean => status?.phase === "Running";

/** A pod that runs with one claim of 1Gi. */
async function runWithClaim(scene: Scene): Promise<NodePod> {
  await scene.createClaim("data");
  await scene.bind("data");
  await scene.createPod("db", { claims: ["data"] });
  return scene.until("db", "to be ready", isReady);
}

export const SCENES: readonly PlayedScene[] = [
  {
    name: "a node is in the API: ready, without a taint, with its drivers and a lease",
    async play({ stage: { client } }) {
      const node = (await client.get(NODES, { name: NODE })) as Node;
      expect(node.status?.conditions?.find(({ type }) => type === "Ready")?.status).toBe("True");
      expect(node.spec?.taints ?? []).toEqual([]);
      expect(node.metadata.labels?.["kubernetes.io/os"]).toBe("linux");
      const { spec } = await until("the drivers", () => client.get(CSI_NODES, { name: NODE }).catch(() => undefined));
      expect(spec.drivers.map(({ name, nodeID }) => [name, nodeID])).toEqual([[MEMORY_DRIVER, NODE]]);
      const ref = { namespace: "kube-node-lease", name: NODE };
      const lease = await until("the lease", () => client.get(LEASES, ref).catch(() => undefined));
      expect(lease.spec?.holderIdentity).toBe(NODE);
    },
  },
  {
    name: "a pod without volumes gets the node, an address, and runs",
    async play(scene) {
      await scene.createPod("web", { spec: { initContainers: [{ name: "first", image: "init:1" }] } });
      const pod = await scene.until("web", "to be ready", isReady);
      expect(pod.spec.nodeName).toBe(NODE);
      expect(pod.status?.podIP).toMatch(/^10\.244\./);
      expect(pod.status?.containerStatuses?.map(({ name, ready, state }) => [name, ready, Object.keys(state)])).toEqual(
        [["main", true, ["running"]]],
      );
      expect(pod.status?.initContainerStatuses?.[0]?.state.terminated?.reason).toBe("Completed");
      expect(conditionOf(pod, "PodScheduled")).toBe("True");
      const { message } = await scene.untilTold("web", "Scheduled");
      expect(message).toBe(`Successfully assigned ${scene.namespace}/web to ${NODE}`);
      await scene.untilTold("web", "Started");
    },
  },
  {
    name: "volumes are published before a pod runs, and given back when it is deleted",
    async play(scene) {
      const { client } = scene.stage;
      const { metadata } = await runWithClaim(scene);
      const entry = `${metadata.uid}.pv-${scene.namespace}-data.json`;
      expect(await scene.stage.publications()).toContain(entry);
      await client.delete(NODE_PODS, { namespace: scene.namespace, name: "db" });
      await scene.untilGone("db");
      expect(await scene.stage.publications()).not.toContain(entry);
    },
  },
  {
    name: "a pod with a finalizer stays after its volumes are given back, until the finalizer goes",
    async play(scene) {
      const { client } = scene.stage;
      const ref = { namespace: scene.namespace, name: "held" };
      await scene.createPod("held", { finalizers: ["example.com/hold"] });
      await scene.until("held", "to run", isRunning);
      await client.delete(NODE_PODS, ref);
      const held = await scene.until(
        "held",
        "to be let go of",
        ({ metadata }) => metadata.deletionGracePeriodSeconds === 0,
      );
      // Whoever looks for pods that use a volume must not find one that has stopped.
      expect(held.status?.phase).toBe("Succeeded");
      await client.patch(NODE_PODS, ref, { type: "merge", body: { metadata: { finalizers: null } } });
      await scene.untilGone("held");
    },
  },
  {
    name: "a volume that has grown is grown on the node, while its pod runs",
    async play(scene) {
      await runWithClaim(scene);
      await growOnController(scene);
      await untilGrown(scene);
      expect((await scene.claim("data")).status?.allocatedResourceStatuses).toBeUndefined();
      const { message } = await scene.untilTold("db", "FileSystemResizeSuccessful");
      expect(message).toBe(`MountVolume.NodeExpandVolume succeeded for volume "pv-${scene.namespace}-data" ${NODE}`);
      await scene.untilTold("data", "FileSystemResizeSuccessful");
    },
  },
  {
    name: "a volume that has grown while no pod had it is grown before the next one runs; raw block as well",
    async play(scene) {
      await scene.createClaim("data", { volumeMode: "Block" });
      await scene.bind("data");
      await growOnController(scene);
      await scene.createPod("db", { claims: ["data"] });
      await scene.until("db", "to be ready", isReady);
      expect((await scene.claim("data")).status?.capacity).toEqual({ storage: "2Gi" });
    },
  },
  {
    name: "a pod that mounts its volume read-only is told that it does not grow through that, and runs",
    async play(scene) {
      await scene.createClaim("data");
      await scene.bind("data");
      const persistentVolumeClaim = { claimName: "data", readOnly: true };
      await scene.createPod("reader", { spec: { volumes: [{ name: "data", persistentVolumeClaim }] } });
      await scene.until("reader", "to be ready", isReady);
      await growOnController(scene);
      const { message } = await scene.untilTold("data", "FileSystemResizeFailed");
      expect(message).toMatch(/^MountVolume\.NodeExpandVolume failed for volume ".*" requested read-only file system$/);
      expect((await scene.claim("data")).status?.capacity).toEqual({ storage: "1Gi" });
    },
  },
  {
    name: "a claim that waits for its first consumer is told the node, and the pod follows when it is bound",
    async play(scene) {
      const { client } = scene.stage;
      const className = `late-${scene.namespace}`;
      await client.create(STORAGE_CLASSES, {
        metadata: { name: className },
        provisioner: MEMORY_DRIVER,
        volumeBindingMode: "WaitForFirstConsumer",
      });
      await scene.createClaim("data", { storageClassName: className });
      await scene.createPod("db", { claims: ["data"] });
      await until("the node on the claim", async () => {
        const { metadata } = await scene.claim("data");
        return metadata.annotations?.["volume.kubernetes.io/selected-node"] === NODE;
      });
      expect((await scene.pod("db")).spec.nodeName).toBeUndefined();
      await scene.bind("data");
      await scene.until("db", "to be ready", isReady);
    },
  },
  {
    name: "a pod that fits no node says so, and goes when it does",
    async play(scene) {
      const { client } = scene.stage;
      const label = `scene-${scene.namespace}`;
      await scene.createPod("picky", { spec: { nodeSelector: { [label]: "yes" } } });
      const pod = await scene.until("picky", "to say why", (each) => conditionOf(each, "PodScheduled") === "False");
      const condition = pod.status?.conditions?.find(({ type }) => type === "PodScheduled");
      expect(condition?.reason).toBe("Unschedulable");
      expect(condition?.message).toMatch(
        /^0\/1 nodes are available: 1 node\(s\) didn't match Pod's node affinity\/selector\. preemption: /,
      );
      await scene.untilTold("picky", "FailedScheduling");
      const body = { metadata: { labels: { [label]: "yes" } } };
      await client.patch(NODES, { name: NODE }, { type: "merge", body });
      await scene.until("picky", "to be ready", isReady);
    },
  },
  {
    name: "a pod of another scheduler is left to it",
    async play(scene) {
      await scene.createPod("foreign", { spec: { schedulerName: "another" } });
      await scene.createPod("own");
      await scene.until("own", "to be ready", isReady);
      const pod = await scene.pod("foreign");
      expect(pod.spec.nodeName).toBeUndefined();
      expect(conditionOf(pod, "PodScheduled")).toBeUndefined();
    },
  },
  {
    name: "a pod whose annotation says so runs and is not ready, until it is taken away",
    async play(scene) {
      await scene.createPod("slow", { annotations: { "outgrow.dev/ready": "false" } });
      const pod = await scene.until("slow", "to run", isRunning);
      const ready = pod.status?.conditions?.find(({ type }) => type === "Ready");
      expect([ready?.status, ready?.reason, ready?.message]).toEqual([
        "False",
        "ContainersNotReady",
        "containers with unready status: [main]",
      ]);
      const body = { metadata: { annotations: { "outgrow.dev/ready": null } } };
      await scene.stage.client.patch(NODE_PODS, { namespace: scene.namespace, name: "slow" }, { type: "merge", body });
      await scene.until("slow", "to be ready", isReady);
    },
  },
  {
    name: "a volume that its driver does not have keeps the pod from running, and is tried again",
    async play(scene) {
      await scene.createClaim("data");
      await scene.bind("data", "1Gi", false);
      await scene.createPod("db", { claims: ["data"] });
      const { message } = await scene.untilTold("db", "FailedMount");
      expect(message).toMatch(/^MountVolume\.MountDevice failed for volume ".*" : rpc error: code = NotFound/);
      const { status } = await scene.pod("db");
      expect([status?.phase, status?.containerStatuses?.[0]?.state.waiting?.reason]).toEqual([
        "Pending",
        "ContainerCreating",
      ]);
      await scene.stage.driver.adopt({ volumeId: `pv-${scene.namespace}-data`, capacityBytes: 2n ** 30n });
      await scene.until("db", "to be ready", isReady);
    },
  },
  {
    name: "how full a volume is can be read as a metric; for a rehearsal the claim says it",
    async play(scene) {
      await scene.createClaim("data");
      await scene.patchClaim("data", { metadata: { annotations: { "outgrow.dev/usage": "300Mi" } } });
      await scene.bind("data");
      await scene.createPod("db", { claims: ["data"] });
      await scene.until("db", "to be ready", isReady);
      await scene.stage.node.measure();
      const labels = { namespace: scene.namespace, persistentvolumeclaim: "data" };
      const value = (name: string): number | undefined =>
        scene.stage.metrics.value(`kubelet_volume_stats_${name}_bytes`, labels);
      expect(value("capacity")).toBe(2 ** 30);
      await until("the usage", () => value("used") === 300 * 2 ** 20);
      await scene.patchClaim("data", { metadata: { annotations: { "outgrow.dev/usage": "900Mi" } } });
      await until("the new usage", () => value("used") === 900 * 2 ** 20 && value("available") === 124 * 2 ** 20);
    },
  },
  {
    name: "a node that was restarted finds its pods and volumes again, and gives back what is nobody's any more",
    async play(scene) {
      const { stage } = scene;
      const { client } = stage;
      const stays = await runWithClaim(scene);
      await scene.createClaim("other");
      await scene.bind("other");
      await scene.createPod("goes", { claims: ["other"] });
      await scene.until("goes", "to be ready", isReady);
      await stage.down();
      await client.delete(NODE_PODS, { namespace: scene.namespace, name: "goes" }, { gracePeriodSeconds: 0 });
      await scene.untilGone("goes");
      await stage.up();
      const entries = [`${stays.metadata.uid}.pv-${scene.namespace}-data.json`];
      const own = async (): Promise<string[]> =>
        (await stage.publications()).filter((name) => name.includes(`pv-${scene.namespace}-`));
      await until("what is left to be given back", async () => (await own()).join() === entries.join());
      const labels = { namespace: scene.namespace, persistentvolumeclaim: "data" };
      await until("the volume to be published again", () =>
        stage.metrics.value("kubelet_volume_stats_capacity_bytes", labels),
      );
      const found = await scene.pod("db");
      expect([isReady(found), found.status?.podIP]).toEqual([true, stays.status?.podIP]);
      await client.delete(NODE_PODS, { namespace: scene.namespace, name: "db" });
      await scene.untilGone("db");
      expect(await own()).toEqual([]);
    },
  },
];

/** The controller's half of growing the claim `data` to 2Gi, by hand. */
async function growOnController(scene: Scene): Promise<void> {
  const { stage, namespace } = scene;
  const volumeId = `pv-${namespace}-data`;
  const volumeMode = (await scene.claim("data")).spec.volumeMode === "Block" ? "Block" : "Filesystem";
  const csi = openCsiClient({ address: stage.driver.socketPath });
  const capability = volumeCapability({ accessModes: ["ReadWriteOnce"], volumeMode }, false);
  await csi.controllerExpand({ volumeId, requiredBytes: 2n * 2n ** 30n, capability });
  csi.stop();
  const capacity = { spec: { capacity: { storage: "2Gi" } } };
  await stage.client.patch(VOLUMES, { name: volumeId }, { type: "merge", body: capacity });
  const allocatedResourceStatuses = { storage: "NodeResizePending" };
  const status = { allocatedResources: { storage: "2Gi" }, allocatedResourceStatuses };
  await scene.patchClaim("data", { status }, "status");
}

async function untilGrown(scene: Scene): Promise<void> {
  await until("the claim to have 2Gi", async () => (await scene.claim("data")).status?.capacity?.["storage"] === "2Gi");
}

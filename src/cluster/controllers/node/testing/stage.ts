/**
 * A node and a scheduler on some API server, with the memory driver: what the scenes are played on. What the controllers
 * for volumes would do is done by hand: claims are bound when a scene says so.
 */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Quantity } from "../../../../core/quantity.ts";
import type { PersistentVolumeClaim } from "../../../../core/types.ts";
import {
  CLAIMS,
  defineResource,
  EVENTS,
  type Event,
  isAlreadyExists,
  type KubeClient,
  type KubeError,
  type MergePatch,
  NAMESPACES,
  VOLUMES,
} from "../../../../kube/index.ts";
import { type RecordedMetrics, recordMetrics } from "../../../../kube/testing/recorded-metrics.ts";
import { until } from "../../../../kube/testing/until.ts";
import { MEMORY_DRIVER, type MemoryDriver, startMemoryDriver } from "../../../drivers/index.ts";
import { startScheduler } from "../../scheduler/index.ts";
import type { NodePod } from "../decide/types.ts";
import { type RunningNode, startNode, thisMachine } from "../index.ts";

export const NODE = "outgrow-node";
export const NODE_PODS = defineResource<NodePod>("v1", "Pod", "pods");
const SERVICE_ACCOUNTS = defineResource("v1", "ServiceAccount", "serviceaccounts");

export interface Stage {
  readonly client: KubeClient;
  readonly folder: string;
  readonly driver: MemoryDriver;
  readonly metrics: RecordedMetrics;
  readonly node: RunningNode;
  /** Stops the node and its driver. */
  down(): Promise<void>;
  /** Starts both again. */
  up(): Promise<void>;
  /** What is written down as published, as `pod uid.volume.json`. */
  publications(): Promise<string[]>;
  stop(): Promise<void>;
}

/** The caller stops it, and closes the client. */
export async function startStage(client: KubeClient): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), "node-"));
  const metrics = recordMetrics();
  const scheduler = startScheduler({ client });
  let parts: { driver: MemoryDriver; node: RunningNode } | undefined;

  async function up(): Promise<void> {
    const address = join(folder, "csi.sock");
    const driver = await startMemoryDriver({ address, folder: join(folder, "volumes"), version: "1", nodeId: NODE });
    const drivers = [{ name: MEMORY_DRIVER, address, setUsage: driver.setUsage.bind(driver) }];
    const machine = thisMachine("v1.36.4+outgrow");
    const node = await startNode({ client, name: NODE, machine, folder: join(folder, "node"), drivers, metrics });
    parts = { driver, node };
    await node.ready;
  }
  async function down(): Promise<void> {
    const stopping = parts;
    parts = undefined;
    await stopping?.node.stop();
    await stopping?.driver.stop();
  }
  const need = (): NonNullable<typeof parts> => {
    if (parts === undefined) throw new Error("the node is down");
    return parts;
  };
  await up();
  return {
    client,
    folder,
    metrics,
    get driver() {
      return need().driver;
    },
    get node() {
      return need().node;
    },
    up,
    down,
    publications: () => readdir(join(folder, "node", "published")),
    async stop() {
      await scheduler.stop();
      await down();
      await rm(folder, { recursive: true });
    },
  };
}

/** A namespace of one scene, with what pods and claims need there. */
export interface Scene {
  readonly stage: Stage;
  readonly namespace: string;
  createPod(name: string, change?: ScenePod): Promise<NodePod>;
  pod(name: string): Promise<NodePod>;
  /** Waits until the pod is so. */
  until(name: string, what: string, is: (pod: NodePod) => boolean): Promise<NodePod>;
  untilGone(name: string): Promise<void>;
  createClaim(name: string, spec?: PersistentVolumeClaim["spec"]): Promise<PersistentVolumeClaim>;
  claim(name: string): Promise<PersistentVolumeClaim>;
  patchClaim(name: string, body: MergePatch, subresource?: string): Promise<void>;
  /** Does what binder and provisioner would: a volume of this size, on the driver and in the API. */
  bind(name: string, size?: string, onDriver?: boolean): Promise<void>;
  untilTold(object: string, reason: string): Promise<Event>;
}

export interface ScenePod {
  readonly annotations?: Record<string, string>;
  readonly finalizers?: string[];
  readonly claims?: readonly string[];
  readonly spec?: object;
}

export async function openScene(stage: Stage, namespace: string): Promise<Scene> {
  const { client } = stage;
  await client.create(NAMESPACES, { metadata: { name: namespace } });
  await client.create(SERVICE_ACCOUNTS, { metadata: { name: "default", namespace } }).catch((error: KubeError) => {
    if (!isAlreadyExists(error)) throw error;
  });
  const volumeOf = (claim: string): string => `pv-${namespace}-${claim}`;
  const isGone = (error: KubeError): undefined => {
    if (error.status !== 404) throw error;
    return undefined;
  };

  const scene: Scene = {
    stage,
    namespace,
    createPod(name, { annotations = {}, finalizers = [], claims = [], spec = {} } = {}) {
      const volumes = claims.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } }));
      return client.create(NODE_PODS, {
        metadata: { name, namespace, annotations, finalizers },
        spec: { containers: [{ name: "main", image: "db:1" }], volumes, ...spec },
      });
    },
    pod: (name) => client.get(NODE_PODS, { namespace, name }),
    until: (name, what, is) =>
      until(`pod ${name} ${what}`, async () => {
        const pod = await client.get(NODE_PODS, { namespace, name }).catch(isGone);
        return pod !== undefined && is(pod) && pod;
      }),
    async untilGone(name) {
      await until(`pod ${name} to be gone`, async () => {
        const pod = await client.get(NODE_PODS, { namespace, name }).catch(isGone);
        return pod === undefined;
      });
    },
    createClaim: (name, spec = {}) =>
      client.create(CLAIMS, {
        metadata: { name, namespace },
        spec: {
          accessModes: ["ReadWriteOnce"],
          storageClassName: "",
          resources: { requests: { storage: "1Gi" } },
          ...spec,
        },
      }),
    claim: (name) => client.get(CLAIMS, { namespace, name }),
    async patchClaim(name, body, subresource) {
      const options = subresource === undefined ? {} : { subresource };
      await client.patch(CLAIMS, { namespace, name }, { type: "merge", body }, options);
    },
    async bind(name, size = "1Gi", onDriver = true) {
      const claim = await client.get(CLAIMS, { namespace, name });
      const volumeHandle = volumeOf(name);
      const { volumeMode = "Filesystem" } = claim.spec;
      const access = volumeMode === "Block" ? "block" : "mount";
      const capacityBytes = Quantity.parse(size).toBytes();
      if (onDriver) await stage.driver.adopt({ volumeId: volumeHandle, capacityBytes, access });
      const capacity = { storage: size };
      await client.create(VOLUMES, {
        metadata: { name: volumeHandle },
        spec: {
          capacity,
          accessModes: ["ReadWriteOnce"],
          volumeMode,
          storageClassName: claim.spec.storageClassName ?? "",
          persistentVolumeReclaimPolicy: "Retain",
          claimRef: { kind: "PersistentVolumeClaim", namespace, name, uid: claim.metadata.uid ?? "" },
          csi: { driver: MEMORY_DRIVER, volumeHandle },
        },
      });
      const annotations = { "pv.kubernetes.io/bind-completed": "yes" };
      await scene.patchClaim(name, { metadata: { annotations }, spec: { volumeName: volumeHandle } });
      await scene.patchClaim(name, { status: { phase: "Bound", accessModes: ["ReadWriteOnce"], capacity } }, "status");
    },
    untilTold: (object, reason) =>
      until(`${object} to be told ${reason}`, async () => {
        const { items } = await client.list(EVENTS, { namespace });
        return items.find((event) => event.reason === reason && event.involvedObject.name === object);
      }),
  };
  return scene;
}

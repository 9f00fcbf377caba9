/**
 * What the node half lives with, for tests: a simulated API server and a scripted driver, each on a real socket of this
 * machine, claims of that driver with a volume each, and pods that have them.
 */
import { TODAY } from "../../core/dialect.ts";
import { Quantity } from "../../core/quantity.ts";
import type { KubeObject, PersistentVolume, PersistentVolumeClaim, Pod } from "../../core/types.ts";
import { openCsiClient } from "../../csi/index.ts";
import { type Rule, type Script, type ScriptedDriver, startScriptedDriver } from "../../csi/testing/index.ts";
import { tempDir } from "../../csi/testing/temp-dir.ts";
import { CLAIMS, type KubeClient, PODS, VOLUMES } from "../../kube/index.ts";
import { type ApiServer, startApiServer } from "../../kube/testing/api-server.ts";
import { storeKey } from "../../kube/testing/api-store.ts";
import { connect } from "../../kube/testing/connect.ts";
import { createManualTimers, type ManualTimers } from "../../kube/testing/manual-timers.ts";
import { type RecordedMetrics, recordMetrics } from "../../kube/testing/recorded-metrics.ts";
import { applyMergePatch } from "../../kube/testing/requests.ts";
import { csiGrower } from "../apply/grower.ts";
import { kubeletLayout } from "../apply/layout.ts";
import { type NodeGrowth, startNodeGrowth } from "../controller/controller.ts";
import { type ClaimTraits, theClaim } from "../decide/fixtures.ts";

export const DRIVER = "scripted.csi.outgrow.dev";
export const NODE = "node-1";
const NAMESPACE = "prod";
const LAYOUT = kubeletLayout("/var/lib/kubelet");

export interface WorldTraits extends ClaimTraits {
  /** @default data */
  readonly name?: string;
  /** The volume's capacity. @default 20Gi */
  readonly volume?: string;
  readonly volumeSpec?: Partial<PersistentVolume["spec"]>;
}

export interface NodeWorld {
  readonly server: ApiServer;
  readonly client: KubeClient;
  readonly driver: ScriptedDriver;
  readonly timers: ManualTimers;
  readonly metrics: RecordedMetrics;
  /** What people were told, as `Pod db-0 FileSystemResizeSuccessful`. */
  readonly told: string[];
  /** Whether what pods use is mounted. */
  mounted: boolean;
  /** How often somebody has looked where a volume is. */
  looked: number;
  /** How often a claim was put back after a failure. */
  readonly retries: number;
  /** A claim of 10Gi whose volume has 20Gi, on which it is the node's turn, unless told otherwise. */
  add(traits?: WorldTraits): void;
  /** A pod of the node, which has the claim. */
  addPod(claim?: string, readOnly?: boolean, name?: string): Pod;
  removePod(name?: string): void;
  claim(name?: string): PersistentVolumeClaim;
  volume(name?: string): PersistentVolume;
  patch(plural: string, name: string, patch: object): void;
  answer(...rules: Rule[]): void;
  /** The sizes that the driver was asked for on the node, in order. */
  expansions(): string[];
  growth(): NodeGrowth;
  stop(): Promise<void>;
}

/** The caller stops it; that stops every growth, too. */
export async function createNodeWorld(script: Script = {}): Promise<NodeWorld> {
  const dir = tempDir();
  const address = dir.file("csi.sock");
  const driver = await startScriptedDriver({ address, script: { name: DRIVER, adoptUnknown: true, ...script } });
  const server = await startApiServer();
  const client = connect(server.url);
  const csi = openCsiClient({ address });
  const timers = createManualTimers();
  const metrics = recordMetrics();
  const told: string[] = [];
  const started: NodeGrowth[] = [];
  const find = (plural: string, name: string): KubeObject => {
    const object = server.store(plural).get(keyIn(plural, name));
    if (object === undefined) throw new Error(`${plural} ${name} is not there`);
    return object;
  };

  const world: NodeWorld = {
    server,
    client,
    driver,
    timers,
    metrics,
    told,
    mounted: true,
    looked: 0,
    get retries() {
      return metrics.value("workqueue_retries_total", { name: "node-growth" }) ?? 0;
    },
    add(traits = {}) {
      const { name = "data", volume = "20Gi", volumeSpec = {} } = traits;
      const described = theClaim(traits);
      const claim = server.store(CLAIMS.plural).put({
        ...described,
        metadata: { ...described.metadata, name, namespace: NAMESPACE },
        spec: { ...described.spec, volumeName: `pv-${name}` },
        status: { ...described.status, phase: "Bound" },
      } as PersistentVolumeClaim);
      const { accessModes = [], volumeMode = "Filesystem" } = described.spec;
      server.store(VOLUMES.plural).put({
        metadata: { name: `pv-${name}` },
        spec: {
          capacity: { storage: volume },
          accessModes,
          volumeMode,
          claimRef: { namespace: NAMESPACE, name, uid: claim.metadata.uid ?? "" },
          csi: { driver: DRIVER, volumeHandle: `vol-${name}` },
          ...volumeSpec,
        },
      } as PersistentVolume);
      driver.setVolume(`vol-${name}`, { backendBytes: Quantity.parse(volume).toBytes() });
    },
    addPod(claimName = "data", readOnly = false, name = "db-0") {
      const volumes = [{ name: "data", persistentVolumeClaim: { claimName, readOnly } }];
      const pod = { metadata: { namespace: NAMESPACE, name }, spec: { nodeName: NODE, volumes } };
      return server.store(PODS.plural).put({ ...pod, status: { phase: "Running" } } as Pod) as Pod;
    },
    removePod: (name = "db-0") => void server.store(PODS.plural).remove(keyIn(PODS.plural, name)),
    claim: (name = "data") => find(CLAIMS.plural, name) as PersistentVolumeClaim,
    volume: (name = "data") => find(VOLUMES.plural, `pv-${name}`) as PersistentVolume,
    patch: (plural, name, patch) =>
      void server.store(plural).put(applyMergePatch(find(plural, name), patch) as KubeObject),
    answer: (...rules) => driver.setRules(rules.map((rule) => ({ method: "NodeExpandVolume", ...rule }))),
    expansions: () =>
      driver
        .calls()
        .filter(({ method }) => method === "NodeExpandVolume")
        .map(({ requiredBytes }) => Quantity.bytes(requiredBytes).toString()),
    growth() {
      const growth = startNodeGrowth({
        client,
        nodeName: NODE,
        growers: new Map([[DRIVER, csiGrower(csi, client)]]),
        places: {
          find(podUid, volume, readOnly) {
            world.looked++;
            const paths = { volumePath: LAYOUT.publishPath(podUid, volume), stagingPath: LAYOUT.stagingPath(volume) };
            return Promise.resolve(world.mounted ? { ...paths, readOnly } : undefined);
          },
        },
        recorder: {
          event: ({ kind, name }, _, reason) => void told.push(`${kind} ${name} ${reason}`),
        },
        dialect: TODAY,
        workers: 1,
        timers,
        metrics,
      });
      started.push(growth);
      return growth;
    },
    async stop() {
      await Promise.all(started.map((each) => each.stop()));
      csi.stop();
      await client.close();
      await driver.stop();
      await server.close();
      dir.remove();
    },
  };
  return world;
}

function keyIn(plural: string, name: string): string {
  return storeKey(plural === VOLUMES.plural ? { name } : { namespace: NAMESPACE, name });
}

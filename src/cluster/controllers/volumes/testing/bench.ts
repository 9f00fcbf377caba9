/** An embedded cluster without controllers, and a driver in memory: what the tests of volume controllers work on. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_GATES } from "../../../../core/gates.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "../../../../core/types.ts";
import {
  CLAIMS,
  createClient,
  createTransport,
  EVENTS,
  isNotFound,
  type KubeClient,
  loadConfig,
  STORAGE_CLASSES,
  silentLogger,
  VOLUMES,
} from "../../../../kube/index.ts";
import { MEMORY_DRIVER, type MemoryDriver, startMemoryDriver } from "../../../drivers/index.ts";
import { startCluster } from "../../../start-cluster.ts";
import { aClass } from "./objects.ts";

export interface Bench extends AsyncDisposable {
  readonly client: KubeClient;
  readonly driver: { readonly name: string; readonly address: string };
  /** Another client, for a controller that is to have its own. Closed with the bench. */
  connect(): Promise<KubeClient>;
  /** Starts the driver; it is not there from the beginning. Stopped with the bench. */
  startDriver(): Promise<MemoryDriver>;
  /** The claim of this name in `default`; undefined when there is none. */
  claim(name: string): Promise<PersistentVolumeClaim | undefined>;
  volume(name: string): Promise<PersistentVolume | undefined>;
  /** Everything that people were told about objects of this name: `Normal Provisioning: ...`, once each, sorted. */
  told(name: string): Promise<readonly string[]>;
}

/** With the class `memory`, served by the driver. */
export async function startBench(): Promise<Bench> {
  await using cleanup = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "outgrow-volumes-"));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  const options = { folder: join(folder, "cluster"), port: 0, gates: DEFAULT_GATES, logger: silentLogger };
  const cluster = cleanup.adopt(await startCluster(options), (each) => each.stop());
  const connect = async (): Promise<KubeClient> => {
    const config = await loadConfig({ env: {}, kubeconfig: cluster.kubeconfig });
    return owned.adopt(createClient(createTransport(config)), (each) => each.close());
  };
  const owned = cleanup.move();
  const client = await connect();
  await client.create(STORAGE_CLASSES, aClass("memory", { provisioner: MEMORY_DRIVER }));
  const address = join(folder, "csi.sock");
  const unlessGone = async <T>(asked: Promise<T>): Promise<T | undefined> => {
    try {
      return await asked;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  };
  return {
    client,
    driver: { name: MEMORY_DRIVER, address },
    connect,
    startDriver: async () =>
      owned.adopt(await startMemoryDriver({ address, version: "1", nodeId: "node" }), (each) => each.stop()),
    claim: (name) => unlessGone(client.get(CLAIMS, { namespace: "default", name })),
    volume: (name) => unlessGone(client.get(VOLUMES, { name })),
    async told(name) {
      const { items } = await client.list(EVENTS);
      const texts = items
        .filter(({ involvedObject }) => involvedObject.name === name)
        .map(({ type, reason, message }) => `${type} ${reason}: ${message}`);
      return [...new Set(texts)].sort();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

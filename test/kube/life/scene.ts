/** An embedded cluster with everything that lives in it, in this process, and people at work there. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Cluster, type ControllerName, type DriverName, startCluster } from "../../../src/cluster/index.ts";
import { DEFAULT_GATES, type Gates } from "../../../src/core/gates.ts";
import {
  createClient,
  createTransport,
  type KubeClient,
  loadConfig,
  NAMESPACES,
  silentLogger,
} from "../../../src/kube/index.ts";
import { createPeople, NAMESPACE, type People } from "./people.ts";

export { type ClaimLook, type ClaimWish, lookOf, NAMESPACE, type SetWish, waitFor } from "./people.ts";

export interface SceneOptions {
  readonly driver?: DriverName;
  readonly gates?: Partial<Gates>;
  readonly without?: readonly ControllerName[];
}

export interface Scene extends People, AsyncDisposable {
  readonly folder: string;
  readonly client: KubeClient;
  readonly cluster: Cluster;
  /** Stops it and starts it anew on the same folder, with these gates from now on. */
  restart(gates?: Partial<Gates>): Promise<void>;
}

/** With namespace `prod`. Everything is given back when it is disposed of. */
export async function openScene({ driver = "memory", gates = {}, without = [] }: SceneOptions = {}): Promise<Scene> {
  await using cleanup = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "outgrow-life-"));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const start = async (more: Partial<Gates>): Promise<[Cluster, KubeClient]> => {
    const life = { driver, sample: false, without: new Set(without) };
    const options = { folder, port: 0, gates: { ...DEFAULT_GATES, ...more }, logger: silentLogger, life };
    const begun = await startCluster(options);
    const config = await loadConfig({ env: {}, kubeconfig: begun.kubeconfig });
    return [begun, createClient(createTransport(config))];
  };
  let [cluster, client] = await start(gates);
  const stop = async (): Promise<void> => {
    await client.close();
    await cluster.stop();
  };
  cleanup.defer(() => stop());
  const owned = cleanup.move();

  const people = createPeople(() => client);
  const scene: Scene = {
    ...people,
    folder,
    get client() {
      return client;
    },
    get cluster() {
      return cluster;
    },
    async restart(more = gates) {
      await stop();
      [cluster, client] = await start(more);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
  await client.create(NAMESPACES, { metadata: { name: NAMESPACE } });
  return scene;
}

/** Where the resizers are measured: a real control plane, a driver that answers at once, and claims of it. */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectControl, type DriverControl } from "../../src/csi/testing/index.ts";
import { createClient, createTransport, type KubeClient, loadConfig } from "../../src/kube/index.ts";
import { type ControlPlane, startControlPlane } from "../../test/kube/control-plane.ts";
import { type ClaimFixture, createBoundClaims, createStorageClass } from "../../test/kube/fixtures.ts";
import { type Keeper, startKeeper } from "../../test/kube/keeper.ts";
import { waitFor } from "../../test/kube/wait.ts";

export const DRIVER = "bench.csi.outgrow.dev";
const CLASS = "elastic";
/** Objects that are made at the same time. */
const BATCH = 500;

export interface Scene {
  readonly plane: ControlPlane;
  /** What watches as the administrator, beside the resizer that is measured. */
  readonly client: KubeClient;
  /** Of processes and files that go away at the end. */
  readonly keeper: Keeper;
  readonly folder: string;
  readonly driver: DriverControl;
  readonly socket: string;
  stop(): Promise<void>;
}

/** `users` are who the resizers are to the API server, so that their requests can be told apart. */
export async function setScene(users: readonly string[]): Promise<Scene> {
  const plane = await startControlPlane({
    controllers: [],
    durable: true,
    users: users.map((name) => ({ name, groups: ["system:masters"] })),
  });
  const folder = await mkdtemp(join(tmpdir(), "outgrow-bench-"));
  const keeper = startKeeper(folder);
  try {
    const socket = join(folder, "csi.sock");
    const driver = await startDriver(keeper, folder, socket);
    const config = await loadConfig({ env: {}, kubeconfig: plane.admin.kubeconfig });
    const client = createClient(createTransport(config));
    await createStorageClass(plane, CLASS, DRIVER);
    return {
      plane,
      client,
      keeper,
      folder,
      driver,
      socket,
      async stop() {
        driver.close();
        await client.close();
        await keeper.stop();
        await plane.stop();
      },
    };
  } catch (error) {
    await keeper.stop();
    await plane.stop();
    throw error;
  }
}

async function startDriver(keeper: Keeper, folder: string, socket: string) {
  const main = join(import.meta.dirname, "../../src/csi/testing/scripted-driver-main.ts");
  const control = `${socket}.control`;
  const script = JSON.stringify({ name: DRIVER, adoptUnknown: true });
  await keeper.start({
    command: process.execPath,
    args: [main, "--socket", socket, "--control", control, "--script", script],
    log: join(folder, "driver.log"),
  });
  await waitFor("the driver", () => existsSync(control));
  return connectControl(control);
}

/** Makes bound claims of 1Gi with their volumes, `claim-0` and so on; those that `ours` says are of the driver. */
export async function addClaims(
  { plane }: Scene,
  count: number,
  ours: (index: number) => boolean = () => true,
): Promise<string[]> {
  const fixtures = Array.from(
    { length: count },
    (_, index): ClaimFixture => ({
      name: `claim-${index}`,
      size: "1Gi",
      driver: ours(index) ? DRIVER : "another.csi.outgrow.dev",
      className: CLASS,
      metadata: { labels: { app: "db", "apps.kubernetes.io/pod-index": String(index) } },
    }),
  );
  for (let done = 0; done < count; done += BATCH) await createBoundClaims(plane, fixtures.slice(done, done + BATCH));
  return fixtures.filter((_, index) => ours(index)).map(({ name }) => name);
}

/** Makes a pod for each claim: a database and its backup, as a StatefulSet would make it. */
export async function addPods({ plane }: Scene, count: number): Promise<void> {
  for (let done = 0; done < count; done += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - done) }, (_, index) => pod(done + index));
    await Promise.all(batch.map((each) => plane.api.create("/api/v1/namespaces/default/pods", each)));
  }
}

function pod(index: number): object {
  const container = (name: string): object => ({
    name,
    image: "registry.example.com/team/postgres:16.4",
    args: ["--listen=0.0.0.0:5432", "--data=/var/lib/data"],
    env: Array.from({ length: 12 }, (_, setting) => ({ name: `SETTING_${setting}`, value: `value ${setting}` })),
    livenessProbe: { httpGet: { path: "/healthz", port: 8080 } },
    resources: { requests: { cpu: "1", memory: "4Gi" }, limits: { cpu: "2", memory: "4Gi" } },
    volumeMounts: [{ name: "data", mountPath: "/var/lib/data" }],
  });
  return {
    metadata: {
      name: `db-${index}`,
      labels: { app: "db", "apps.kubernetes.io/pod-index": String(index), "controller-revision-hash": "db-6f5d4c" },
      ownerReferences: [
        { apiVersion: "apps/v1", kind: "StatefulSet", name: "db", uid: randomUUID(), controller: true },
      ],
    },
    spec: {
      nodeName: `node-${index % 100}`,
      automountServiceAccountToken: false,
      containers: [container("db"), container("backup")],
      volumes: [{ name: "data", persistentVolumeClaim: { claimName: `claim-${index}` } }],
    },
  };
}

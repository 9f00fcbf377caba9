/** The operator as its README runs it: its own process, on the embedded cluster, where nobody else grows anything. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { type Cluster, startCluster } from "../../src/cluster/index.ts";
import { until } from "../../src/kube/testing/until.ts";
import {
  CLAIMS,
  type Condition,
  createClient,
  createTransport,
  DEFAULT_GATES,
  defineResource,
  type KubeClient,
  type KubeObject,
  loadConfig,
  PODS,
  STATEFUL_SETS,
  STORAGE_CLASSES,
  silentLogger,
} from "../../src/library/index.ts";

const DEFINITIONS = defineResource(
  "apiextensions.k8s.io/v1",
  "CustomResourceDefinition",
  "customresourcedefinitions",
  "Cluster",
);
const NOTEBOOKS = defineResource<KubeObject & { status?: { conditions?: Condition[] } }>(
  "example.com/v1",
  "Notebook",
  "notebooks",
);
const LAB = { namespace: "default", name: "lab" };
const DEADLINE = 60_000;

const folder = mkdtempSync(join(tmpdir(), "outgrow-operator-"));
let cluster: Cluster;
let client: KubeClient;
const operators = new Set<ChildProcess>();

beforeAll(async () => {
  const life = { driver: "memory", sample: false, without: new Set(["growth"] as const) } as const;
  cluster = await startCluster({ folder, port: 0, gates: DEFAULT_GATES, logger: silentLogger, life });
  client = createClient(createTransport(await loadConfig({ env: {}, kubeconfig: cluster.kubeconfig })));
  await client.create(DEFINITIONS, document("notebook.crd.yaml"));
});
afterAll(async () => {
  await Promise.all([...operators].map(kill));
  await client?.close();
  await cluster?.stop();
  rmSync(folder, { recursive: true });
});

const document = (name: string): KubeObject => parse(readFileSync(join(import.meta.dirname, name), "utf8"));

function startOperator(): ChildProcess {
  const program = join(import.meta.dirname, "operator.ts");
  const env = { ...process.env, KUBECONFIG: cluster.kubeconfig };
  const child = spawn(process.execPath, ["--conditions=outgrow-checkout", program], { env, stdio: "ignore" });
  operators.add(child);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  operators.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

const resized = (storage: string) =>
  until(
    `the condition says ${storage}`,
    async () => {
      const { status } = await client.get(NOTEBOOKS, LAB);
      const found = status?.conditions?.find(({ type }) => type === "VolumeResized");
      return found?.status === "True" && found.message?.includes(`work ${storage}`) === true && found;
    },
    DEADLINE,
  );
const edit = (size: string) => client.patch(NOTEBOOKS, LAB, { type: "merge", body: { spec: { size } } });
const claim = () => client.get(CLAIMS, { namespace: "default", name: "work-lab-0" });
const podUid = async () => (await client.get(PODS, { namespace: "default", name: "lab-0" })).metadata.uid;
const templateSize = async () => {
  const { spec } = await client.get(STATEFUL_SETS, LAB);
  return spec.volumeClaimTemplates?.[0]?.spec.resources?.requests?.["storage"];
};

test("a Notebook's volume follows its size, though the operator is killed in the middle, and its pod stays", async () => {
  // Time enough to be killed in.
  await client.patch(STORAGE_CLASSES, { name: "standard" }, { type: "merge", body: notDefault });
  await client.create(STORAGE_CLASSES, {
    metadata: { name: "slow", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
    provisioner: "memory.csi.outgrow.dev",
    allowVolumeExpansion: true,
    parameters: { delay: "3s" },
  });
  const first = startOperator();
  await client.create(NOTEBOOKS, document("lab.yaml"));
  await resized("1Gi");
  await until("the pod is ready", isReady, DEADLINE);
  const before = await podUid();

  await edit("2Gi");
  const isAsked = async () => (await claim()).spec.resources?.requests?.["storage"] === "2Gi";
  await until("the claim is asked for more", isAsked, DEADLINE);
  await kill(first);
  expect(await templateSize()).toBe("1Gi");

  const second = startOperator();
  await resized("2Gi");
  expect(await templateSize()).toBe("2Gi");
  expect((await claim()).status?.capacity?.["storage"]).toBe("2Gi");
  expect(await podUid()).toBe(before);

  const ended = once(second, "exit");
  second.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
}, 180_000);

const notDefault = { metadata: { annotations: { "storageclass.kubernetes.io/is-default-class": "false" } } };

async function isReady(): Promise<boolean> {
  const { items } = await client.list(PODS, { namespace: "default" });
  return items.some(({ status }) =>
    status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True"),
  );
}

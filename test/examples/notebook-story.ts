/** What the example promises, played on any cluster: the operator is a process of its own there, and the only one that grows. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { parse } from "yaml";
import { isNotFound } from "../../src/kube/index.ts";
import { until } from "../../src/kube/testing/until.ts";
import {
  CLAIMS,
  type Condition,
  defineResource,
  type KubeClient,
  type KubeObject,
  PODS,
  STATEFUL_SETS,
  STORAGE_CLASSES,
} from "../../src/library/index.ts";

const FOLDER = join(import.meta.dirname, "..", "..", "examples", "operator");
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
/** On a stock API server a set is created again only when it is a minute old. */
const DEADLINE = 150_000;

/** A size is edited, the operator is killed in the middle and started again: the volume follows, and the pod stays. */
export async function playNotebook(client: KubeClient, kubeconfig: string): Promise<void> {
  await using operators = new AsyncDisposableStack();
  const startOperator = (): ChildProcess => operators.adopt(spawnOperator(kubeconfig), kill);
  await client.create(DEFINITIONS, document("notebook.crd.yaml"));
  await client.create(STORAGE_CLASSES, SLOW);
  const first = startOperator();
  // A kind is told of before it is served.
  const make = () => client.create(NOTEBOOKS, document("lab.yaml")).catch(unlessMissing);
  await until("there are Notebooks", async () => (await client.serves(NOTEBOOKS)) && make(), DEADLINE);
  await resized(client, "1Gi");
  await until("the pod is ready", () => isReady(client), DEADLINE);
  const before = await podUid(client);

  await client.patch(NOTEBOOKS, LAB, { type: "merge", body: { spec: { size: "2Gi" } } });
  const isAsked = async (): Promise<boolean> => (await claim(client)).spec.resources?.requests?.["storage"] === "2Gi";
  await until("the claim is asked for more", isAsked, DEADLINE);
  await kill(first);
  expect(await templateSize(client)).toBe("1Gi");

  const second = startOperator();
  await resized(client, "2Gi");
  expect(await templateSize(client)).toBe("2Gi");
  expect((await claim(client)).status?.capacity?.["storage"]).toBe("2Gi");
  expect(await podUid(client)).toBe(before);

  const ended = once(second, "exit");
  second.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
}

function unlessMissing(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

/** The default, and slow enough to be killed in. */
const SLOW = {
  metadata: { name: "slow", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
  provisioner: "memory.csi.outgrow.dev",
  allowVolumeExpansion: true,
  parameters: { delay: "8s" },
};

const document = (name: string): KubeObject => parse(readFileSync(join(FOLDER, name), "utf8"));

function spawnOperator(kubeconfig: string): ChildProcess {
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  const args = ["--conditions=outgrow-checkout", join(FOLDER, "operator.ts")];
  return spawn(process.execPath, args, { env, stdio: "ignore" });
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

const resized = (client: KubeClient, storage: string): Promise<Condition> =>
  until(
    `the condition says ${storage}`,
    async () => {
      const { status } = await client.get(NOTEBOOKS, LAB);
      const found = status?.conditions?.find(({ type }) => type === "VolumeResized");
      return found?.status === "True" && found.message?.includes(`work ${storage}`) === true && found;
    },
    DEADLINE,
  );

const claim = (client: KubeClient) => client.get(CLAIMS, { namespace: "default", name: "work-lab-0" });

async function podUid(client: KubeClient): Promise<string | undefined> {
  return (await client.get(PODS, { namespace: "default", name: "lab-0" })).metadata.uid;
}

async function templateSize(client: KubeClient): Promise<string | undefined> {
  const { spec } = await client.get(STATEFUL_SETS, LAB);
  return spec.volumeClaimTemplates?.[0]?.spec.resources?.requests?.["storage"];
}

async function isReady(client: KubeClient): Promise<boolean> {
  const { items } = await client.list(PODS, { namespace: "default" });
  return items.some((pod) => pod.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True"));
}

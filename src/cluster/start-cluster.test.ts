import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DEFAULT_GATES, type Gates } from "../core/gates.ts";
import type { PersistentVolumeClaim, StatefulSet } from "../core/types.ts";
import {
  CLAIMS,
  createClient,
  createTransport,
  defineResource,
  type KubeClient,
  loadConfig,
  STATEFUL_SETS,
  STORAGE_CLASSES,
  startInformer,
} from "../kube/index.ts";
import { silentLogger } from "../kube/logger.ts";
import { type Cluster, startCluster } from "./start-cluster.ts";

const NAMESPACES = defineResource("v1", "Namespace", "namespaces", "Cluster");
let folder: string;
const open: { stop(): Promise<void> }[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "outgrow-cluster-"));
});
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.stop();
  await rm(folder, { recursive: true });
});

async function start(gates: Gates = DEFAULT_GATES, port = 0): Promise<Cluster> {
  const cluster = await startCluster({ folder, port, gates, logger: silentLogger });
  open.push(cluster);
  return cluster;
}

async function connect({ kubeconfig }: Cluster): Promise<KubeClient> {
  const client = createClient(createTransport(await loadConfig({ env: {}, kubeconfig })));
  open.push({ stop: () => client.close() });
  return client;
}

const CLAIM: PersistentVolumeClaim = {
  metadata: { name: "data", namespace: "default" },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
};

const SET = {
  metadata: { name: "db", namespace: "default" },
  spec: {
    serviceName: "db",
    selector: { matchLabels: { app: "db" } },
    template: { metadata: { labels: { app: "db" } }, spec: { containers: [{ name: "c", image: "busybox" }] } },
    volumeClaimTemplates: [{ metadata: { name: "data" }, spec: { ...CLAIM.spec, storageClassName: "fast" } }],
  },
} as unknown as StatefulSet;

describe("a cluster", () => {
  test("has the namespaces that every cluster has", async () => {
    const client = await connect(await start());
    const { items } = await client.list(NAMESPACES);
    expect(items.map(({ metadata }) => metadata.name)).toEqual([
      "default",
      "kube-node-lease",
      "kube-public",
      "kube-system",
    ]);
  });

  test("goes on from where it was, under another port, with the same identity", async () => {
    const first = await start();
    const created = await (await connect(first)).create(CLAIMS, CLAIM);
    await first.stop();
    const second = await start();
    expect(await (await connect(second)).get(CLAIMS, { namespace: "default", name: "data" })).toEqual(created);
  });

  test("lets clients that watched go on after a restart, without a gap", async () => {
    const first = await start();
    const client = await connect(first);
    const stopping = new AbortController();
    const claims = startInformer(
      { client, resource: CLAIMS, trim: ({ metadata, spec, status }) => ({ metadata, spec, status }) },
      stopping.signal,
    );
    open.push({ stop: async () => stopping.abort() });
    await claims.synced;
    await client.create(CLAIMS, CLAIM);
    const port = Number(new URL(first.url).port);
    await first.stop();
    const again = await connect(await start(DEFAULT_GATES, port));
    await again.create(CLAIMS, { ...CLAIM, metadata: { name: "more", namespace: "default" } });
    await expect
      .poll(() => [...claims.values()].map(({ metadata }) => metadata.name).sort(), { timeout: 20_000 })
      .toEqual(["data", "more"]);
  });

  test("is one process's alone", async () => {
    await start();
    await expect(start()).rejects.toMatchObject({ code: "STORE_IN_USE" });
  });

  test("keeps its kubeconfig to its owner", async () => {
    const { kubeconfig } = await start();
    expect((await stat(kubeconfig)).mode & 0o777).toBe(0o600);
  });

  test("stops twice", async () => {
    const cluster = await start();
    await cluster.stop();
    await expect(cluster.stop()).resolves.toBeUndefined();
  });
});

describe("the size in a StatefulSet's template", () => {
  async function edit(gates: Gates): Promise<StatefulSet> {
    const client = await connect(await start(gates));
    await client.create(STORAGE_CLASSES, {
      metadata: { name: "fast" },
      provisioner: "x.example.com",
      allowVolumeExpansion: true,
    });
    await client.create(STATEFUL_SETS, SET);
    const path = "/spec/volumeClaimTemplates/0/spec/resources/requests/storage";
    const body = [{ op: "replace", path, value: "2Gi" }] as const;
    return client.patch(STATEFUL_SETS, { namespace: "default", name: "db" }, { type: "json", body });
  }

  test("can be raised with the gate on", async () => {
    const { spec } = await edit(DEFAULT_GATES);
    expect(spec.volumeClaimTemplates?.[0]?.spec.resources?.requests?.["storage"]).toBe("2Gi");
  });

  test("cannot with the gate off, in Kubernetes' words", async () => {
    await expect(edit({ ...DEFAULT_GATES, StatefulSetVolumeExpansion: false })).rejects.toThrow(
      "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
    );
  });
});

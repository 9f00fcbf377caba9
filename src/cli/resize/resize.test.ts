import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Cluster, startCluster } from "../../cluster/index.ts";
import { DEFAULT_GATES, type Gates } from "../../core/gates.ts";
import type { StatefulSet } from "../../core/types.ts";
import {
  CLAIMS,
  createClient,
  createTransport,
  type KubeClient,
  loadConfig,
  STATEFUL_SETS,
  STORAGE_CLASSES,
} from "../../kube/index.ts";
import { silentLogger } from "../../kube/logger.ts";
import { runOutgrow } from "../fake-terminal.ts";

let folder: string;
let cluster: Cluster | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "outgrow-resize-"));
});
afterEach(async () => {
  await cluster?.stop();
  await rm(folder, { recursive: true });
});

const SPEC = {
  accessModes: ["ReadWriteOnce"],
  storageClassName: "fast",
  resources: { requests: { storage: "1Gi" } },
};
const SET = {
  metadata: { name: "db", namespace: "default" },
  spec: {
    serviceName: "db",
    selector: { matchLabels: { app: "db" } },
    template: { metadata: { labels: { app: "db" } }, spec: { containers: [{ name: "c", image: "busybox" }] } },
    volumeClaimTemplates: ["data", "wal"].map((name) => ({ metadata: { name }, spec: SPEC })),
  },
} as unknown as StatefulSet;

async function setUp(gates: Gates = DEFAULT_GATES): Promise<{ client: KubeClient; run: typeof runOutgrow }> {
  const { kubeconfig } = (cluster = await startCluster({ folder, port: 0, gates, logger: silentLogger }));
  const client = createClient(createTransport(await loadConfig({ env: {}, kubeconfig })));
  await client.create(STORAGE_CLASSES, {
    metadata: { name: "fast" },
    provisioner: "x.example.com",
    allowVolumeExpansion: true,
  });
  await client.create(STATEFUL_SETS, SET);
  await client.create(CLAIMS, {
    metadata: { name: "data", namespace: "default" },
    spec: { ...SPEC, volumeName: "pv" },
  });
  return { client, run: (words) => runOutgrow([...words, "--kubeconfig", kubeconfig]) };
}

async function sizes(client: KubeClient): Promise<unknown> {
  const { spec } = await client.get(STATEFUL_SETS, { namespace: "default", name: "db" });
  return spec.volumeClaimTemplates?.map((template) => template.spec.resources?.requests?.["storage"]);
}

test("a StatefulSet is asked for more where its size is written: in its templates", async () => {
  const { client, run } = await setUp();
  expect(await run(["resize", "sts/db", "wal=3Gi", "data=2Gi"])).toMatchObject({ code: 0, err: "" });
  expect(await sizes(client)).toEqual(["2Gi", "3Gi"]);
  await client.close();
});

test("where templates cannot be edited, that is said, and nothing is done", async () => {
  const { client, run } = await setUp({ ...DEFAULT_GATES, StatefulSetVolumeExpansion: false });
  const { code, err } = await run(["resize", "sts/db", "data=2Gi"]);
  expect({ code, err }).toEqual({
    code: 1,
    err: "outgrow: this cluster does not take another size in the templates of sts/db; ask its claims one by one (outgrow plan says which)\n",
  });
  expect(await sizes(client)).toEqual(["1Gi", "1Gi"]);
  await client.close();
});

test("a claim is asked for more once it is bound", async () => {
  const { client, run } = await setUp();
  const early = await run(["resize", "pvc/data", "2Gi"]);
  expect(early.code).toBe(1);
  expect(early.err).toContain("Forbidden");
  const ref = { namespace: "default", name: "data" };
  const status = { phase: "Bound", accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" } };
  await client.patch(CLAIMS, ref, { type: "merge", body: { status } }, { subresource: "status" });
  expect(await run(["resize", "pvc/data", "2Gi"])).toMatchObject({ code: 0, err: "" });
  expect((await client.get(CLAIMS, ref)).spec.resources?.requests?.["storage"]).toBe("2Gi");
  await client.close();
});

test("what makes no sense is one line, and nothing is done", async () => {
  const { client, run } = await setUp();
  for (const [words, err] of [
    [["sts/db", "logs=2Gi"], /has no claim template "logs"; it has data, wal/],
    [["sts/db", "much"], /is not a template and its size/],
    [["pvc/data", "1Gi", "2Gi"], /is not a size for a claim/],
    [["deploy/db", "1Gi"], /is nothing that grows/],
    [["sts/none", "data=2Gi"], /"none" not found/],
  ] as const) {
    const done = await run(["resize", ...words]);
    expect(done.code).not.toBe(0);
    expect(done.err).toMatch(err);
    expect(done.err.trimEnd()).not.toContain("\n");
  }
  expect(await sizes(client)).toEqual(["1Gi", "1Gi"]);
  await client.close();
});

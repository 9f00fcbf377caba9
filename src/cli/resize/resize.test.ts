import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Cluster, startCluster } from "../../cluster/index.ts";
import { DEFAULT_GATES } from "../../core/gates.ts";
import { WISH_ANNOTATION } from "../../core/names.ts";
import type { StatefulSet } from "../../core/types.ts";
import {
  CLAIMS,
  createClient,
  createTransport,
  defineResource,
  type KubeClient,
  LEASES,
  loadConfig,
  QUOTAS,
  STATEFUL_SETS,
  STORAGE_CLASSES,
} from "../../kube/index.ts";
import { silentLogger } from "../../kube/logger.ts";
import { VOLUME_EXPANSION_DEFINITION } from "../../statefulset/install/definition.ts";
import { VOLUME_EXPANSIONS } from "../../statefulset/resource.ts";
import { type Run, runOutgrow } from "../fake-terminal.ts";

const DEFINITIONS = defineResource(
  "apiextensions.k8s.io/v1",
  "CustomResourceDefinition",
  "customresourcedefinitions",
  "Cluster",
);
const NAMESPACE = "default";
const DB = { namespace: NAMESPACE, name: "db" };
const SPEC = {
  accessModes: ["ReadWriteOnce"],
  storageClassName: "fast",
  resources: { requests: { storage: "1Gi" } },
};
const SET = {
  metadata: DB,
  spec: {
    serviceName: "db",
    replicas: 1,
    selector: { matchLabels: { app: "db" } },
    template: { metadata: { labels: { app: "db" } }, spec: { containers: [{ name: "c", image: "busybox" }] } },
    volumeClaimTemplates: ["data", "wal"].map((name) => ({ metadata: { name }, spec: SPEC })),
  },
} as unknown as StatefulSet;

let folder: string;
let cluster: Cluster | undefined;
let client: KubeClient;
let run: (...words: string[]) => Promise<Run>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "outgrow-resize-"));
});
afterEach(async () => {
  await client.close();
  await cluster?.stop();
  await rm(folder, { recursive: true });
});

/** A cluster in which nobody works. `edits`: whether it takes another size in a template; stock Kubernetes does not. */
async function setUp({ edits = true, installed = false } = {}): Promise<void> {
  const gates = { ...DEFAULT_GATES, StatefulSetVolumeExpansion: edits };
  const { kubeconfig } = (cluster = await startCluster({ folder, port: 0, gates, logger: silentLogger }));
  client = createClient(createTransport(await loadConfig({ env: {}, kubeconfig })));
  run = (...words) => runOutgrow([...words, "--kubeconfig", kubeconfig]);
  const provisioner = "x.example.com";
  await client.create(STORAGE_CLASSES, { metadata: { name: "fast" }, provisioner, allowVolumeExpansion: true });
  await client.create(STORAGE_CLASSES, { metadata: { name: "rigid" }, provisioner });
  await client.create(STATEFUL_SETS, SET);
  for (const name of ["data-db-0", "wal-db-0", "data"]) await createClaim(name);
  if (installed && !(await client.serves(VOLUME_EXPANSIONS))) {
    await client.create(DEFINITIONS, VOLUME_EXPANSION_DEFINITION);
    await expect.poll(() => client.serves(VOLUME_EXPANSIONS), { timeout: 30_000 }).toBe(true);
  }
}

async function createClaim(name: string, storageClassName = "fast"): Promise<void> {
  const metadata = { name, namespace: NAMESPACE, labels: { app: "db" } };
  await client.create(CLAIMS, { metadata, spec: { ...SPEC, storageClassName, volumeName: `pv-${name}` } });
  const status = { phase: "Bound", accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" } };
  await client.patch(
    CLAIMS,
    { namespace: NAMESPACE, name },
    { type: "merge", body: { status } },
    { subresource: "status" },
  );
}

async function sizes(): Promise<unknown> {
  const { spec } = await client.get(STATEFUL_SETS, DB);
  return spec.volumeClaimTemplates?.map((template) => template.spec.resources?.requests?.["storage"]);
}

async function wish(): Promise<string | undefined> {
  return (await client.get(STATEFUL_SETS, DB)).metadata.annotations?.[WISH_ANNOTATION];
}

async function write(text: string): Promise<void> {
  const body = { metadata: { annotations: { [WISH_ANNOTATION]: text } } };
  await client.patch(STATEFUL_SETS, DB, { type: "merge", body });
}

describe("where templates can be edited", () => {
  test("a set is asked for more where its size is written: in its templates", async () => {
    await setUp();
    expect(await run("resize", "sts/db", "wal=3Gi", "data=2Gi")).toEqual({
      code: 0,
      out: "sts/db asks for data=2Gi wal=3Gi now, and its claims follow; see outgrow watch sts/db -n default\n",
      err: expect.stringContaining("no pod uses data-db-0, wal-db-0") as string,
    });
    expect(await sizes()).toEqual(["2Gi", "3Gi"]);
    expect(await wish()).toBeUndefined();
  });

  test("a wish that stands beside them would count before them, so it goes", async () => {
    await setUp();
    await write("data=5Gi,wal=4Gi");
    expect((await run("resize", "sts/db", "data=2Gi")).code).toBe(0);
    expect([await sizes(), await wish()]).toEqual([["2Gi", "1Gi"], "wal=4Gi"]);
    expect((await run("resize", "sts/db", "wal=2Gi")).code).toBe(0);
    expect([await sizes(), await wish()]).toEqual([["2Gi", "2Gi"], undefined]);
  });
});

describe("where they cannot", () => {
  test("without Outgrow in the cluster that is said with the way out, and nothing is done", async () => {
    await setUp({ edits: false });
    // An embedded cluster that has it from the start would not show this.
    if (await client.serves(VOLUME_EXPANSIONS)) {
      await client.delete(DEFINITIONS, { name: "volumeexpansions.outgrow.dev" });
      await expect.poll(() => client.serves(VOLUME_EXPANSIONS), { timeout: 30_000 }).toBe(false);
    }
    const said =
      "outgrow: Outgrow is not installed in this cluster; install it with: outgrow manifests | kubectl apply -f -, ";
    for (const words of [["data=2Gi"], ["--one-by-one"]]) {
      const { code, out, err } = await run("resize", "sts/db", ...words);
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err.startsWith(said)).toBe(true);
    }
    expect([await sizes(), await wish()]).toEqual([["1Gi", "1Gi"], undefined]);
  });

  test("the wish is noted on the set, beside the wishes for other templates, until it is taken back", async () => {
    await setUp({ edits: false, installed: true });
    expect((await run("resize", "sts/db", "data=2Gi")).code).toBe(0);
    expect((await run("resize", "sts/db", "wal=3Gi")).code).toBe(0);
    expect(await wish()).toBe("data=2Gi,wal=3Gi");
    expect(await run("resize", "sts/db", "data=2Gi")).toMatchObject({
      code: 0,
      out: "sts/db asks for data=2Gi already; see outgrow watch sts/db -n default\n",
    });
    expect(await sizes()).toEqual(["1Gi", "1Gi"]);
    expect(await run("resize", "sts/db", "--cancel")).toEqual({
      code: 0,
      out: "sts/db no longer asks for data=2Gi,wal=3Gi\nstay as they are: data-db-0, wal-db-0\n",
      err: "",
    });
    expect(await wish()).toBeUndefined();
    expect((await run("resize", "sts/db", "--cancel")).out).toContain("has no wish to take back");
  });

  test("a controller that has gone away is missed", async () => {
    await setUp({ edits: false, installed: true });
    const namespace = "default";
    // The clock of these runs stands still, in 2025.
    const lease = (renewTime: string) => ({ metadata: { name: "outgrow-controller", namespace }, spec: { renewTime } });
    const { metadata } = await client.create(LEASES, lease("2025-03-02T12:00:00.000000Z"));
    expect((await run("resize", "sts/db", "data=2Gi")).err).toContain(
      "warning: nobody holds the lease outgrow-controller: the controller is not running",
    );
    await client.update(LEASES, { ...lease("2025-03-02T23:59:50.000000Z"), metadata });
    expect((await run("resize", "sts/db", "data=3Gi")).err).not.toContain("lease");
    expect(await wish()).toBe("data=3Gi");
  });

  test("a wish that cannot be read is in the way of another, and can be taken back", async () => {
    await setUp({ edits: false, installed: true });
    await write("much");
    const { code, err } = await run("resize", "sts/db", "data=2Gi");
    expect(code).toBe(2);
    expect(err).toContain(
      'StatefulSet default/db: annotation outgrow.dev/claims: "much" is not a template and its size',
    );
    expect((await run("resize", "sts/db", "--cancel")).code).toBe(0);
    expect(await wish()).toBeUndefined();
  });

  test("how it is to be done goes into the record, which is made or keeps what it has", async () => {
    await setUp({ edits: false, installed: true });
    expect((await run("resize", "sts/db", "data=2Gi", "--one-by-one", "--canary", "1")).code).toBe(0);
    expect((await client.get(VOLUME_EXPANSIONS, DB)).spec).toEqual({
      statefulSetName: "db",
      rollout: { mode: "OneByOne", canary: 1 },
    });
    expect((await run("resize", "sts/db", "--restart-pods", "--max-concurrent", "3", "--include-unused")).code).toBe(0);
    expect((await client.get(VOLUME_EXPANSIONS, DB)).spec).toEqual({
      statefulSetName: "db",
      rollout: { mode: "Parallel", maxConcurrent: 3, canary: 1 },
      restartPods: "WhenNeeded",
      beyondReplicas: "Grow",
    });
    expect(await wish()).toBe("data=2Gi");
  });
});

describe("a claim", () => {
  test("is asked for more, and its set is mentioned", async () => {
    await setUp();
    const { code, out, err } = await run("resize", "pvc/data-db-0", "2Gi");
    expect({ code, out }).toEqual({
      code: 0,
      out: "pvc/data-db-0 asks for 2Gi now; see outgrow watch pvc/data-db-0 -n default\n",
    });
    expect(err).toContain("warning: data-db-0 is a claim of StatefulSet db; its template and its other claims stay");
    const { spec } = await client.get(CLAIMS, { namespace: NAMESPACE, name: "data-db-0" });
    expect(spec.resources?.requests?.["storage"]).toBe("2Gi");
  });

  test("as data", async () => {
    await setUp();
    const { out, err } = await run("resize", "pvc/data", "2Gi", "-o", "json");
    expect(JSON.parse(out)).toMatchObject({
      target: { kind: "PersistentVolumeClaim", namespace: "default", name: "data" },
      sizes: [{ from: "1Gi", to: "2Gi" }],
      way: "claim",
    });
    expect(err).toBe("");
  });
});

test("what a plan would refuse is refused in one line, and nothing is done", async () => {
  await setUp();
  await createClaim("stiff", "rigid");
  const quota = { metadata: { name: "storage", namespace: NAMESPACE }, spec: { hard: { "requests.storage": "10Gi" } } };
  await client.create(QUOTAS, quota);
  for (const [words, err] of [
    [["pvc/stiff", "2Gi"], /storage class "rigid" does not allow expansion; set allowVolumeExpansion: true on it/],
    [["pvc/data", "1Ti"], /exceeded quota: storage, .*; raise quota "storage"/],
    [["sts/db", "data=1Ti"], /exceeded quota: storage, .*; raise quota "storage"/],
    [["sts/db", "data=500Mi"], /volumes never shrink; ask for more than 1Gi/],
    [["sts/db", "logs=2Gi"], /has no claim template "logs"; it has data, wal/],
    [["sts/db", "much"], /is not a template and its size/],
    [["sts/db"], /which size\? write TEMPLATE=SIZE after the name/],
    [["sts/db", "data=2Gi", "--cancel"], /--cancel takes everything back/],
    [["pvc/data"], /which size\? write SIZE after the name/],
    [["pvc/data", "1Gi", "2Gi"], /is not a size for a claim/],
    [["pvc/data", "2Gi", "--canary", "1"], /a claim grows by itself/],
    [["deploy/db", "1Gi"], /is nothing that grows/],
    [["sts/none", "data=2Gi"], /there is no StatefulSet "none" in namespace default; there is default\/db/],
  ] as const) {
    const done = await run("resize", ...words);
    expect(done.code).not.toBe(0);
    expect(done.err).toMatch(err);
    expect(done.err.trimEnd()).not.toContain("\n");
  }
  expect(await sizes()).toEqual(["1Gi", "1Gi"]);
});

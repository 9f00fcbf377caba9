/** The verbs on custom resources: a cluster in which nobody works, and two kinds that sources know. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type Cluster, startCluster } from "../../cluster/index.ts";
import { DEFAULT_GATES } from "../../core/gates.ts";
import type { KubeObject, PersistentVolumeClaim, StatefulSet } from "../../core/types.ts";
import {
  CLAIMS,
  createClient,
  createTransport,
  defineResource,
  type KubeClient,
  loadConfig,
  PODS,
  STATEFUL_SETS,
  STORAGE_CLASSES,
} from "../../kube/index.ts";
import { silentLogger } from "../../kube/logger.ts";
import { EXPANSION_SOURCE_DEFINITION } from "../../source/install/definition.ts";
import { EXPANSION_SOURCES } from "../../source/resource.ts";
import { VOLUME_EXPANSION_DEFINITION } from "../../statefulset/install/definition.ts";
import { VOLUME_EXPANSIONS } from "../../statefulset/resource.ts";
import { type Run, runOutgrow } from "../fake-terminal.ts";

const DEFINITIONS = defineResource(
  "apiextensions.k8s.io/v1",
  "CustomResourceDefinition",
  "customresourcedefinitions",
  "Cluster",
);
interface Custom extends KubeObject {
  spec: object;
  status?: object;
}
const SHOPS = defineResource<Custom>("databases.example.com/v1", "ShopDatabase", "shopdatabases");
const CACHES = defineResource<Custom>("databases.example.com/v1", "Cache", "caches");
const namespace = "default";

function definitionOf({ kind, plural, group }: typeof SHOPS, shortNames: string[]): KubeObject {
  const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec: open, status: open } } };
  const spec = {
    group,
    scope: "Namespaced",
    names: { kind, plural, singular: kind.toLowerCase(), shortNames },
    versions: [{ name: "v1", served: true, storage: true, subresources: { status: {} }, schema }],
  };
  return { metadata: { name: `${plural}.${group}` }, spec } as KubeObject;
}

let folder: string;
let cluster: Cluster;
let client: KubeClient;
let run: (...words: string[]) => Promise<Run>;
/** The resource of the test, and its set. */
let shop: string;
let count = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "outgrow-custom-"));
  // As a stock server is: it takes no edits of templates.
  const gates = { ...DEFAULT_GATES, StatefulSetVolumeExpansion: false };
  cluster = await startCluster({ folder, port: 0, gates, logger: silentLogger });
  const { kubeconfig } = cluster;
  client = createClient(createTransport(await loadConfig({ env: {}, kubeconfig })));
  run = (...words) => runOutgrow([...words, "--kubeconfig", kubeconfig]);
  for (const [name, allowVolumeExpansion] of [["fast", true] as const, ["rigid", false] as const]) {
    await client.create(STORAGE_CLASSES, { metadata: { name }, provisioner: "x.example.com", allowVolumeExpansion });
  }
  const definitions = [
    VOLUME_EXPANSION_DEFINITION,
    EXPANSION_SOURCE_DEFINITION,
    definitionOf(SHOPS, ["shop"]),
    definitionOf(CACHES, []),
  ];
  for (const definition of definitions) await client.create(DEFINITIONS, definition);
  const kinds = [VOLUME_EXPANSIONS, EXPANSION_SOURCES, SHOPS, CACHES];
  await vi.waitUntil(async () => (await Promise.all(kinds.map((kind) => client.serves(kind)))).every(Boolean), 30_000);
  const { group, version, kind, plural } = SHOPS;
  await client.create(EXPANSION_SOURCES, {
    metadata: { name: "shops" },
    spec: {
      resource: { group, version, kind, plural },
      claimTemplatesPath: ".spec.volumeClaimTemplates",
      statefulSetName: "own-{name}",
      condition: "VolumeResized",
    },
  });
});
afterAll(async () => {
  await client?.close();
  await cluster?.stop();
  await rm(folder, { recursive: true });
});

const template = (storage: string, storageClassName = "fast", name = "data") => ({
  metadata: { name },
  spec: { accessModes: ["ReadWriteOnce"], storageClassName, resources: { requests: { storage } } },
});

/** A resource with this size and a set with that, with the claim of one pod. */
async function given({ asks = "1Gi", has = "1Gi", storageClass = "fast", more = [] as object[] } = {}): Promise<void> {
  shop = `shop-${++count}`;
  const name = `own-${shop}`;
  const labels = { app: shop };
  const owner = {
    apiVersion: "databases.example.com/v1",
    kind: "ShopDatabase",
    name: shop,
    uid: shop,
    controller: true,
  };
  await client.create(SHOPS, {
    metadata: { name: shop, namespace },
    spec: { replicas: 1, volumeClaimTemplates: [template(asks, storageClass), ...more] },
  });
  await client.create(STATEFUL_SETS, {
    metadata: { name, namespace, ownerReferences: [owner] },
    spec: {
      serviceName: name,
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "busybox" }] } },
      volumeClaimTemplates: [template(has, storageClass)],
    },
  } as unknown as StatefulSet);
  await client.create(CLAIMS, {
    metadata: { name: `data-${name}-0`, namespace, labels },
    spec: { ...template(has, storageClass).spec, volumeName: `pv-${shop}` },
  });
  await claimStatus({ phase: "Bound", accessModes: ["ReadWriteOnce"], capacity: { storage: has } });
}

async function claimStatus(status: PersistentVolumeClaim["status"]): Promise<void> {
  const ref = { namespace, name: `data-own-${shop}-0` };
  await client.patch(CLAIMS, ref, { type: "merge", body: { status } }, { subresource: "status" });
}

/** The driver has said no to 9Gi, as the resizer records it. */
async function failed(): Promise<void> {
  await given({ asks: "9Gi" });
  const ref = { namespace, name: `data-own-${shop}-0` };
  const spec = { resources: { requests: { storage: "9Gi" } } };
  await client.patch(CLAIMS, ref, { type: "merge", body: { spec } });
  await claimStatus({
    allocatedResources: { storage: "9Gi" },
    allocatedResourceStatuses: { storage: "ControllerResizeInfeasible" },
    conditions: [{ type: "ControllerResizeError", status: "True", message: "no room" }],
  });
}

async function written(): Promise<unknown> {
  return (await client.get(SHOPS, { namespace, name: shop })).spec;
}

describe("the kind, as kubectl takes it", () => {
  beforeEach(() => given());
  test.each(["shopdatabase", "ShopDatabase", "shopdatabases", "shopdatabase.databases.example.com", "shop"])(
    "%s",
    async (word) => {
      expect(await run("plan", `${word}/${shop}`)).toMatchObject({
        code: 0,
        out: expect.stringContaining(`ShopDatabase default/${shop}: data stays at 1Gi`),
      });
    },
  );

  test.each([
    [["plan", "unheard/x"], 'the cluster has no kind called "unheard"'],
    [["plan", "cache/x", "1Gi"], "no ExpansionSource knows Cache; outgrow sources list shows"],
    [["resize", "configmap/x", "1Gi"], "no ExpansionSource knows ConfigMap; outgrow sources list shows"],
    [["status", "shopdatabase/none"], 'there is no ShopDatabase "none" in namespace default'],
    [["plan", "-f", "-", "cache/x", "1Gi"], "files do not tell what cache is"],
  ])("%j is refused", async (words, message) => {
    expect(await run(...words)).toMatchObject({ code: 2, out: "", err: expect.stringContaining(message) });
  });
});

describe("plan", () => {
  test("shows the edit, what follows it, and what comes of it; that an operator owns the set is no obstacle", async () => {
    await given();
    const { code, out } = await run("plan", `shopdatabase/${shop}`, "data=2Gi");
    expect(out).toContain(`ShopDatabase default/${shop}: data from 1Gi to 2Gi\n`);
    expect(out).toContain("WRITTEN   spec.volumeClaimTemplates[0].spec.resources.requests.storage\nSOURCE    shops\n");
    expect(out).toContain(`StatefulSet default/own-${shop}: data from 1Gi to 2Gi\n`);
    expect(out).toMatch(new RegExp(`data-own-${shop}-0 +1Gi +2Gi +1Gi +1 +grow`));
    expect(out).not.toContain("owner-reverts");
    expect(out).toMatch(`Would be done.\nDo it: outgrow resize shopdatabase/${shop} data=2Gi -n default\n`);
    expect(code).toBe(0);
  });

  test("refuses what admission would, in the same words, and names every size by its template", async () => {
    await given({ storageClass: "rigid" });
    const { code, out } = await run("plan", `shopdatabase/${shop}`, "2Gi");
    expect(out).toContain(
      'Would be refused: spec.volumeClaimTemplates[0].spec.resources.requests.storage: Forbidden: storage class "rigid" of template "data" does not allow expansion',
    );
    expect(code).toBe(1);
  });

  test("as data", async () => {
    await given();
    const { out } = await run("plan", `shopdatabase/${shop}`, "2Gi", "-o", "json");
    expect(JSON.parse(out)).toMatchObject({
      target: { kind: "ShopDatabase", namespace, name: shop },
      verdict: "would-be-done",
      sources: ["shops"],
      grownBy: "Outgrow",
      sizes: [{ name: "data", from: "1Gi", to: "2Gi", because: "asked" }],
      parts: [{ target: { kind: "StatefulSet", name: `own-${shop}` }, verdict: "would-be-done" }],
    });
  });

  test("a size that the resource does not say is named with those that it does", async () => {
    await given();
    expect(await run("plan", `shopdatabase/${shop}`, "wal=2Gi")).toMatchObject({
      code: 2,
      err: `outgrow: ShopDatabase ${shop} does not say a size called "wal"; it has data\n`,
    });
    await given({ more: [template("1Gi", "fast", "wal")] });
    expect(await run("plan", `shopdatabase/${shop}`, "2Gi")).toMatchObject({
      code: 2,
      err: `outgrow: ShopDatabase ${shop} has several sizes; say which, for example data=2Gi\n`,
    });
  });
});

describe("resize", () => {
  test("writes the size where it stands, and nothing else", async () => {
    await given();
    expect(await run("resize", `shopdatabase/${shop}`, "2Gi")).toMatchObject({
      code: 0,
      out: `shopdatabase/${shop} asks for data=2Gi now, and its claims follow; see outgrow watch shopdatabase/${shop} -n default\n`,
    });
    expect(await written()).toEqual({ replicas: 1, volumeClaimTemplates: [template("2Gi")] });
    const { metadata } = await client.get(STATEFUL_SETS, { namespace, name: `own-${shop}` });
    expect(metadata.annotations).toBeUndefined();
    expect(await run("resize", `shopdatabase/${shop}`, "2Gi")).toMatchObject({
      code: 0,
      out: expect.stringContaining("already"),
    });
  });

  test("what admission would refuse is not sent", async () => {
    await given({ asks: "3Gi", has: "3Gi" });
    expect(await run("resize", `shopdatabase/${shop}`, "2Gi")).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining(`storage can only grow: 2Gi is less than the 3Gi of StatefulSet "own-${shop}"`),
    });
    expect(await written()).toMatchObject({ volumeClaimTemplates: [template("3Gi")] });
  });

  test("in which order goes into the record of the set", async () => {
    await given();
    expect(await run("resize", `shopdatabase/${shop}`, "2Gi", "--one-by-one")).toMatchObject({ code: 0 });
    const { spec } = await client.get(VOLUME_EXPANSIONS, { namespace, name: `own-${shop}` });
    expect(spec.rollout).toEqual({ mode: "OneByOne" });
  });

  test("a set that has its sizes from a resource is asked there", async () => {
    await given();
    const wishedBy = { source: "shops", kind: "ShopDatabase", name: shop };
    const name = `own-${shop}`;
    await client.create(VOLUME_EXPANSIONS, {
      metadata: { namespace, name },
      spec: { statefulSetName: name, wishedBy },
    });
    expect(await run("resize", `sts/${name}`, "data=2Gi")).toEqual({
      code: 1,
      out: "",
      err: `outgrow: sts/${name} has its sizes from ShopDatabase ${shop}; ask that: outgrow resize shopdatabase/${shop} data=2Gi -n default\n`,
    });
  });

  test("--cancel says how a size is taken back", async () => {
    await given({ asks: "2Gi" });
    expect(await run("resize", `shopdatabase/${shop}`, "--cancel")).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining(`go back with: outgrow resize shopdatabase/${shop} data=1Gi -n default`),
    });
    await given();
    expect(await run("resize", `shopdatabase/${shop}`, "--cancel")).toMatchObject({
      code: 0,
      out: `shopdatabase/${shop} asks for nothing that its StatefulSets do not have\n`,
    });
  });
});

describe("status and watch", () => {
  test("measure the claims by what the resource asks for, before anybody has passed it on", async () => {
    await given({ asks: "2Gi" });
    const { code, out } = await run("status", `shopdatabase/${shop}`);
    expect(out).toMatch(new RegExp(`^data-own-${shop}-0 +1Gi +2Gi +1Gi +Pending +is yet to be asked for 2Gi$`, "m"));
    expect(code).toBe(0);
  });

  test("the resource's condition is told, and what it refuses is stuck", async () => {
    await given({ asks: "2Gi" });
    const condition = {
      type: "VolumeResized",
      status: "False",
      reason: "ValidationFailed",
      message: "Validation failed: no",
    };
    const ref = { namespace, name: shop };
    const body = { status: { conditions: [condition] } };
    await client.patch(SHOPS, ref, { type: "merge", body }, { subresource: "status" });
    expect((await run("status", `shopdatabase/${shop}`)).out).toContain(
      `shopdatabase/${shop} VolumeResized=False: Validation failed: no\n`,
    );
    const { code, out } = await run("watch", `shopdatabase/${shop}`);
    expect(out).toContain(`sts/own-${shop} is stuck: Validation failed: no`);
    expect(code).toBe(1);
  });

  test("watch ends when everything has its size", async () => {
    await given({ asks: "1Gi" });
    const { code, out } = await run("watch", `shopdatabase/${shop}`);
    expect(out).toContain(`sts/own-${shop} is done: it has 1Gi.`);
    expect(code).toBe(0);
  });
});

describe("recover", () => {
  test("says what failed and which sizes are legal, and writes the one that is chosen into the resource", async () => {
    await failed();
    const open = await run("recover", `shopdatabase/${shop}`);
    expect(open.out).toContain(`FAILED  data: 1 claim (data-own-${shop}-0): asked for 9Gi, has 1Gi`);
    expect(open.out).toContain("LEGAL   any size of more than 1Gi; for example 2Gi");
    expect(open).toMatchObject({
      code: 1,
      err: expect.stringContaining(`outgrow recover shopdatabase/${shop} --to data=2Gi`),
    });
    expect(await run("recover", `shopdatabase/${shop}`, "--to", "3Gi")).toMatchObject({ code: 0 });
    expect(await written()).toMatchObject({ volumeClaimTemplates: [template("3Gi")] });
  });

  test("of a set whose sizes come from a resource, that is recovered", async () => {
    await failed();
    const name = `own-${shop}`;
    const spec = {
      statefulSetName: name,
      wishedBy: { source: "shops", kind: "ShopDatabase", name: shop },
      claims: [{ template: "data", storage: "9Gi" }],
    };
    await client.create(VOLUME_EXPANSIONS, { metadata: { namespace, name }, spec });
    expect(await run("recover", `sts/${name}`, "--to", "data=2Gi")).toMatchObject({
      code: 1,
      err: `outgrow: sts/${name} has its sizes from ShopDatabase ${shop}; recover that: outgrow recover shopdatabase/${shop} -n default\n`,
    });
  });

  test("--go-on names what failed, and lets the others take their turn", async () => {
    await failed();
    const name = `own-${shop}`;
    const labels = { app: shop };
    // A second member, which waits for the first.
    await client.patch(STATEFUL_SETS, { namespace, name }, { type: "merge", body: { spec: { replicas: 2 } } });
    await client.create(CLAIMS, {
      metadata: { name: `data-${name}-1`, namespace, labels },
      spec: { ...template("1Gi").spec, volumeName: `pv-${shop}-1` },
    });
    const status = { phase: "Bound", capacity: { storage: "1Gi" } };
    const second = { namespace, name: `data-${name}-1` };
    await client.patch(CLAIMS, second, { type: "merge", body: { status } }, { subresource: "status" });
    const rollout = { mode: "OneByOne" as const };
    await client.create(VOLUME_EXPANSIONS, { metadata: { namespace, name }, spec: { statefulSetName: name, rollout } });

    const told = `sts/${name} goes on despite data-${name}-0; see outgrow watch sts/${name} -n default\n`;
    expect(await run("recover", `shopdatabase/${shop}`, "--go-on")).toEqual({ code: 0, out: told, err: "" });
    const { spec } = await client.get(VOLUME_EXPANSIONS, { namespace, name });
    expect(spec.rollout).toEqual({ mode: "OneByOne", goOnDespite: [`data-${name}-0`] });
    expect(await run("recover", `shopdatabase/${shop}`, "--go-on")).toMatchObject({
      code: 0,
      out: "nothing is kept back by a failure\n",
    });
    expect((await client.listAll(PODS, { namespace })).length).toBe(0);
  });

  test.each([[["pvc/x", "--go-on"]], [["sts/x", "--go-on", "--to", "1Gi"]]])("%j is not understood", async (words) => {
    expect(await run("recover", ...words)).toMatchObject({ code: 2, err: expect.stringContaining("--go-on leaves") });
  });
});

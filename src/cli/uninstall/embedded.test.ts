/** On the embedded cluster: what `outgrow manifests` prints is taken there, too, and `outgrow uninstall` sees it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Cluster, startCluster } from "../../cluster/index.ts";
import { DEFAULT_GATES } from "../../core/gates.ts";
import { WISH_ANNOTATION } from "../../core/names.ts";
import {
  createClient,
  createTransport,
  type KubeClient,
  loadConfig,
  refOf,
  STATEFUL_SETS,
  silentLogger,
} from "../../kube/index.ts";
import { VOLUME_EXPANSIONS } from "../../statefulset/index.ts";
import { runOutgrow } from "../fake-terminal.ts";
import { findKind } from "../get/find-kind.ts";
import { installation } from "../manifests/installation.ts";
import { type Admission, DEFAULTS } from "../manifests/options.ts";
import type { Manifest } from "../manifests/part.ts";

let folder: string;
let cluster: Cluster;
let client: KubeClient;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "outgrow-uninstall-"));
  cluster = await startCluster({ folder, port: 0, gates: DEFAULT_GATES, logger: silentLogger });
  client = createClient(createTransport(await loadConfig({ env: {}, kubeconfig: cluster.kubeconfig })));
});
afterAll(async () => {
  await client?.close();
  await cluster?.stop();
  await rm(folder, { recursive: true });
});

const uninstall = (...words: string[]) => runOutgrow(["uninstall", ...words, "--kubeconfig", cluster.kubeconfig]);

async function apply(object: Manifest): Promise<string | undefined> {
  const { kind, apiVersion } = object;
  const [group] = apiVersion.includes("/") ? apiVersion.split("/") : [""];
  const found = await findKind(client, group === "" ? kind : `${kind}.${group}`);
  const { metadata } = await client.patch(
    { ...found, kind },
    refOf(object),
    { type: "apply", body: object },
    { fieldManager: "test" },
  );
  return metadata.resourceVersion;
}

test("nothing of ours is there at first, and nothing is in flight", async () => {
  expect(await uninstall("--check")).toEqual({
    code: 0,
    out: "Nothing is in flight: Outgrow can go, and nothing is lost.\n\nNothing of Outgrow is installed in this cluster.\n",
    err: "",
  });
});

const applyAll = async (admission: Admission) => {
  const versions: (string | undefined)[] = [];
  for (const { objects } of installation({ ...DEFAULTS, admission })) {
    for (const { object } of objects) versions.push(await apply(object));
  }
  return versions;
};

test("what outgrow manifests prints is taken, and a second time changes nothing", async () => {
  const first = await applyAll("policies");
  expect(first.length).toBeGreaterThan(10);
  // Until then the server itself writes on the definition.
  await vi.waitFor(async () => expect(await client.serves(VOLUME_EXPANSIONS)).toBe(true), { timeout: 15_000 });
  expect(await applyAll("policies")).toEqual(await applyAll("policies"));
});

test("so is the webhook, conditions and all", async () => {
  expect(await applyAll("webhook")).toEqual(await applyAll("webhook"));
});

test("a wish that nobody has fulfilled, and a record that nobody has looked at, are in flight", async () => {
  const metadata = { name: "db", namespace: "default" };
  const requests = { storage: "1Gi" };
  await client.create(STATEFUL_SETS, {
    metadata: { ...metadata, annotations: { [WISH_ANNOTATION]: "data=2Gi" } },
    spec: {
      serviceName: "db",
      selector: { matchLabels: { app: "db" } },
      template: { metadata: { labels: { app: "db" } }, spec: { containers: [{ name: "db", image: "db" }] } },
      volumeClaimTemplates: [
        { metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"], resources: { requests } } },
      ],
    },
  });
  await client.create(VOLUME_EXPANSIONS, { metadata, spec: { statefulSetName: "db" } });
  const { code, out, err } = await uninstall("--check", "-o", "json");
  expect({ code, err }).toEqual({ code: 1, err: "" });
  expect(JSON.parse(out)).toMatchObject({
    inFlight: [
      { weight: "unfinished", namespace: "default", object: "sts/db", what: "wants data=2Gi (now 1Gi)" },
      { weight: "unfinished", namespace: "default", object: "vx/db", what: "growing: not looked at yet" },
    ],
    commands: [
      expect.stringMatching(/^outgrow manifests .*\| kubectl delete --ignore-not-found -f -$/),
      "kubectl annotate statefulsets --all --all-namespaces outgrow.dev/claims-",
    ],
  });
});

test("without --check it refuses, in a sentence", async () => {
  expect(await uninstall()).toEqual({
    code: 2,
    out: "",
    err: "outgrow: Outgrow does not remove itself; outgrow uninstall --check says whether it can go, and the commands for it\n",
  });
});

test("a cluster that cannot be reached is one line", async () => {
  const { code, out, err } = await runOutgrow(["uninstall", "--check", "--kubeconfig", join(folder, "nowhere")]);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toMatch(/^outgrow: .*nowhere.*\n$/);
});

test("a webhook is taken as well, and in nobody's way while nothing runs behind it", async () => {
  expect((await applyAll("webhook")).length).toBeGreaterThan(10);
  const labels = { app: "changed" };
  const ref = { namespace: "default", name: "db" };
  const body = { metadata: { labels } };
  await expect(client.patch(STATEFUL_SETS, ref, { type: "merge", body })).resolves.toMatchObject({
    metadata: { labels },
  });
});

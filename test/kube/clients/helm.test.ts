/**
 * Helm, as released, installing, upgrading, rolling back and removing a chart with a StatefulSet on our server, with the controllers of
 * kube-controller-manager at work.
 */
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findTool } from "../tools.ts";
import { openStage, type Stage } from "./manager-stage.ts";
import { type Ended, run } from "./run.ts";
import type { Home } from "./server.ts";
import { words } from "./words.ts";

interface StatefulSetSeen {
  readonly spec: {
    readonly replicas: number;
    readonly template: { readonly spec: { readonly containers: { image: string }[] } };
  };
  readonly status: { readonly readyReplicas?: number };
}
interface Release {
  readonly name: string;
  readonly revision: string;
  readonly status: string;
}

const CHART = join(import.meta.dirname, "testdata", "chart");
const set = "/apis/apps/v1/namespaces/charts/statefulsets/store";
const inCharts = (what: string) => `/api/v1/namespaces/charts/${what}`;
let stage: Stage;
let home: Home;
beforeAll(async () => {
  stage = await openStage({ ownAccounts: true });
  home = await stage.server.home("helm", "charts");
});
afterAll(() => stage?.stop());

function tryHelm(line: string): Promise<Ended> {
  const env = { KUBECONFIG: home.kubeconfig };
  return run(findTool("helm"), words(line.replace("CHART", CHART)), { cwd: home.folder, env, timeoutMs: 280_000 });
}

async function helm(line: string): Promise<string> {
  const { code, stdout, stderr } = await tryHelm(line);
  expect(code, `helm ${line}: ${stderr}`).toBe(0);
  return stdout;
}

const read = <T>(path: string) => stage.server.api.get<T>(path);
const imageOf = ({ spec }: StatefulSetSeen) => spec.template.spec.containers[0]?.image;
const history = async () =>
  (JSON.parse(await helm("history store -o json")) as { revision: number; status: string }[]).map(
    ({ revision, status }) => `${revision} ${status}`,
  );

test("install --wait brings definitions, hooks and everything else, and ends when the set is ready", async () => {
  const said = await helm("install store CHART --create-namespace --wait --timeout=240s");
  expect(said).toContain("STATUS: deployed");
  expect(said).toContain("store says hello, at revision 1.");
  const { spec, status } = await read<StatefulSetSeen>(set);
  expect([spec.replicas, status.readyReplicas]).toEqual([2, 2]);
  const { data } = await read<{ data: Record<string, string> }>(inCharts("configmaps/store"));
  expect(data).toEqual({ greeting: "hello", known: "true", server: expect.stringMatching(/^v1\.36\.3/) });
  expect(await stage.find(inCharts("configmaps/store-pre-install"))).toBeDefined();
  expect(await stage.find("/apis/store.example.com/v1/namespaces/charts/backups/store")).toBeDefined();
});

test("what is installed can be listed, shown and got", async () => {
  const [listed] = JSON.parse(await helm("list -o json")) as Release[];
  expect(listed).toMatchObject({ name: "store", namespace: "charts", revision: "1", status: "deployed" });
  expect(await helm("list -A -q")).toBe("store\n");
  expect(await helm("status store --show-resources")).toMatch(/StatefulSet\nNAME .*\nstore +2\/2/);
  expect(await helm("get values store --all")).toContain("greeting: hello");
  expect(await helm("get manifest store")).toContain("kind: StatefulSet");
  expect(await helm("get hooks store")).toContain("helm.sh/hook: pre-install");
  expect(await helm("get notes store")).toContain("store says hello");
  expect(await helm("get metadata store -o json")).toContain('"chart":"store"');
});

test("a dry run on the server shows the manifests and leaves nothing behind", async () => {
  const shown = await helm("install other CHART --dry-run=server");
  for (const kind of ["StatefulSet", "Service", "Ingress", "PodDisruptionBudget", "RoleBinding", "Secret"]) {
    expect(shown).toContain(`kind: ${kind}`);
  }
  expect(shown).toContain('known: "true"');
  expect(await helm("list -q")).toBe("store\n");
  expect(await stage.find(inCharts("services/other"))).toBeUndefined();
});

test("upgrade --wait rolls the set out, rollback takes it back, and history tells of both", async () => {
  await helm("upgrade store CHART --set image=registry.example/db:2,replicas=3,greeting=bye --wait --timeout=240s");
  expect(imageOf(await read(set))).toBe("registry.example/db:2");
  expect((await read<StatefulSetSeen>(set)).status.readyReplicas).toBe(3);
  expect(await stage.find(inCharts("configmaps/store-post-upgrade"))).toBeDefined();
  await helm("rollback store 1 --wait --timeout=240s");
  expect(imageOf(await read(set))).toBe("registry.example/db:1");
  expect((await read<{ data: { greeting: string } }>(inCharts("configmaps/store"))).data.greeting).toBe("hello");
  expect(await history()).toEqual(["1 superseded", "2 superseded", "3 deployed"]);
});

test("an upgrade that does not become ready in time is taken back with --atomic", async () => {
  const { code, stderr } = await tryHelm(
    "upgrade store CHART --set image=registry.example/db:3,podAnnotations.test/state=unready --atomic --timeout=20s",
  );
  expect(code).toBe(1);
  expect(stderr).toContain("release store failed, and has been rolled back due to atomic being set");
  expect(imageOf(await read(set))).toBe("registry.example/db:1");
});

test("a size of the template can be changed by an upgrade, as by any other client", async () => {
  await helm("upgrade store CHART --set size=2Gi");
  const { spec } = await read<{
    spec: { volumeClaimTemplates: { spec: { resources: { requests: { storage: string } } } }[] };
  }>(set);
  expect(spec.volumeClaimTemplates[0]?.spec.resources.requests.storage).toBe("2Gi");
});

test("an upgrade to something invalid is refused in the server's words, and nothing of it stays", async () => {
  const { code, stderr } = await tryHelm("upgrade store CHART --set replicas=-1");
  expect(code).toBe(1);
  expect(stderr).toContain(
    'StatefulSet.apps "store" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  );
});

test("uninstall removes what was installed, and leaves claims and definitions", async () => {
  expect(await helm("uninstall store --wait --timeout=240s")).toContain('release "store" uninstalled');
  for (const path of [set, inCharts("services/store"), inCharts("secrets/store"), inCharts("serviceaccounts/store")]) {
    expect(await stage.find(path), path).toBeUndefined();
  }
  const claims = await read<{ items: object[] }>(inCharts("persistentvolumeclaims"));
  expect(claims.items.length).toBeGreaterThan(0);
  expect(
    await stage.find("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/backups.store.example.com"),
  ).toBeDefined();
  expect(await helm("list -q")).toBe("");
});

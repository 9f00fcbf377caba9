/** A size that is edited in a custom resource, through the whole embedded cluster. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  MYSQL_CLUSTER_DEFINITION,
  MYSQL_CLUSTERS,
  type MySQLCluster,
  startMySqlOperator,
} from "../../src/cluster/sample/mysql/index.ts";
import { type Cluster, startCluster } from "../../src/cluster/start-cluster.ts";
import { temporaryFolder } from "../../src/cluster/store/testing/temporary-folder.ts";
import { DEFAULT_GATES } from "../../src/core/gates.ts";
import {
  CLAIMS,
  createClient,
  createTransport,
  defineResource,
  type KubeClient,
  loadConfig,
  STATEFUL_SETS,
  silentLogger,
} from "../../src/kube/index.ts";
import { until } from "../../src/kube/testing/until.ts";
import { EXPANSION_SOURCES } from "../../src/source/index.ts";
import { MOCO } from "../../src/source/presets/moco.ts";
import { VOLUME_EXPANSIONS } from "../../src/statefulset/index.ts";

const DEFINITIONS = defineResource(
  "apiextensions.k8s.io/v1",
  "CustomResourceDefinition",
  "customresourcedefinitions",
  "Cluster",
);
const DEADLINE = 60_000;
const SHOP = { namespace: "default", name: "shop" };
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const stack = new AsyncDisposableStack();
let cluster: Cluster;
let client: KubeClient;
beforeAll(async () => {
  const folder = stack.use(temporaryFolder());
  const life = { driver: "memory", sample: false, without: new Set<never>() } as const;
  const options = { folder: folder.path, port: 0, gates: DEFAULT_GATES, logger: silentLogger, life };
  cluster = stack.adopt(await startCluster(options), (each) => each.stop());
  const config = await loadConfig({ env: {}, kubeconfig: cluster.kubeconfig });
  client = stack.adopt(createClient(createTransport(config)), (each) => each.close());
  await client.create(DEFINITIONS, MYSQL_CLUSTER_DEFINITION);
  for (const kind of [MYSQL_CLUSTERS, EXPANSION_SOURCES])
    await until(`${kind.plural} to be served`, () => client.serves(kind), DEADLINE);
  stack.adopt(startMySqlOperator({ client }), (each) => each.stop());
  await client.create(EXPANSION_SOURCES, { metadata: { name: "moco" }, spec: MOCO.spec });
  await client.create(MYSQL_CLUSTERS, { metadata: SHOP, spec: { replicas: 2, ...templates("1Gi") } });
});
afterAll(() => stack.disposeAsync());

function templates(storage: string): Pick<MySQLCluster["spec"], "volumeClaimTemplates"> {
  const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } };
  return { volumeClaimTemplates: [{ metadata: { name: "mysql-data" }, spec }] };
}

async function resize(storage: string): Promise<void> {
  await client.patch(MYSQL_CLUSTERS, SHOP, { type: "merge", body: { spec: templates(storage) } });
}

async function untilSaid(text: string): Promise<void> {
  const said = async () => {
    const { status } = await client.get(MYSQL_CLUSTERS, SHOP);
    const { status: is, message } = status?.conditions?.find(({ type }) => type === "VolumeResized") ?? {};
    return `${is}: ${message}` === text || undefined;
  };
  await until(`the condition to say "${text}"`, said, DEADLINE);
}

/** Sizes of the set's template, and of its claims: asked for and had. */
async function sizes(): Promise<readonly string[]> {
  const { items: claims } = await client.list(CLAIMS, { namespace: SHOP.namespace });
  const set = await client.get(STATEFUL_SETS, { ...SHOP, name: "moco-shop" });
  const [template] = set.spec.volumeClaimTemplates ?? [];
  return [
    template?.spec.resources?.requests?.["storage"] ?? "",
    ...claims.flatMap(({ spec, status }) => [spec.resources?.requests?.["storage"], status?.capacity?.["storage"]]),
  ].map(String);
}

test("a larger size in the resource reaches every claim, the set and the condition; and a controller that starts anew goes on", async () => {
  await untilSaid("True: every claim has its size: mysql-data 1Gi");
  await resize("2Gi");
  await cluster.restart("growth");
  await untilSaid("True: every claim has its size: mysql-data 2Gi");
  expect(await sizes()).toEqual(["2Gi", "2Gi", "2Gi", "2Gi", "2Gi"]);
  const { spec } = await client.get(VOLUME_EXPANSIONS, { ...SHOP, name: "moco-shop" });
  expect(spec.wishedBy).toEqual({ source: "moco", kind: "MySQLCluster", name: "shop" });
});

test("a source that goes takes its wishes along, and one that comes back asks again", async () => {
  await client.delete(EXPANSION_SOURCES, { name: "moco" });
  const wishedBy = async () => (await client.get(VOLUME_EXPANSIONS, { ...SHOP, name: "moco-shop" })).spec.wishedBy;
  await until("the wish to be gone", async () => (await wishedBy()) === undefined || undefined, DEADLINE);
  await resize("3Gi");
  await client.create(EXPANSION_SOURCES, { metadata: { name: "moco" }, spec: MOCO.spec });
  await untilSaid("True: every claim has its size: mysql-data 3Gi");
  expect(await sizes()).toEqual(["3Gi", "3Gi", "3Gi", "3Gi", "3Gi"]);
});

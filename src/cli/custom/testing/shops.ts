/** For tests: an API in which nobody works, and resources of a kind that a source knows, each with the set that an operator would make. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startCluster } from "../../../cluster/index.ts";
import { DEFAULT_GATES } from "../../../core/gates.ts";
import type { ClaimTemplate, KubeObject, PersistentVolumeClaim } from "../../../core/types.ts";
import {
  CLAIMS,
  createClient,
  createTransport,
  defineResource,
  type KubeClient,
  loadConfig,
  STATEFUL_SETS,
  STORAGE_CLASSES,
} from "../../../kube/index.ts";
import { silentLogger } from "../../../kube/logger.ts";
import { EXPANSION_SOURCE_DEFINITION } from "../../../source/install/definition.ts";
import { EXPANSION_SOURCES } from "../../../source/resource.ts";
import { VOLUME_EXPANSION_DEFINITION } from "../../../statefulset/install/definition.ts";
import { VOLUME_EXPANSIONS } from "../../../statefulset/resource.ts";
import { type Run, runOutgrow } from "../../fake-terminal.ts";

export interface Shop extends KubeObject {
  spec: object;
  status?: object;
}

export const NAMESPACE = "default";
export const SHOPS = defineResource<Shop>("databases.example.com/v1", "ShopDatabase", "shopdatabases");
/** A kind that no source knows. */
const CACHES = defineResource("databases.example.com/v1", "Cache", "caches");
const DEFINITIONS = defineResource(
  "apiextensions.k8s.io/v1",
  "CustomResourceDefinition",
  "customresourcedefinitions",
  "Cluster",
);

export interface ShopTraits {
  /** What the resource asks for, and what its set and the claim of its one pod have. */
  readonly asks?: string;
  readonly has?: string;
  readonly storageClass?: string;
  /** More templates of the resource. */
  readonly more?: readonly object[];
}

export interface Shops {
  readonly client: KubeClient;
  /** Runs `outgrow` on this cluster. */
  run(...words: string[]): Promise<Run>;
  /** What a shell is told that asks how these words could go on. */
  complete(verb: string, ...words: string[]): Promise<readonly string[]>;
  /** A resource, a set called own-NAME with one claim; gives back the name. */
  given(traits?: ShopTraits): Promise<string>;
  /** One that asks for 9Gi and has 1Gi: the driver has said no, as the resizer records it. */
  failed(): Promise<string>;
  /** The resource's spec. */
  written(name: string): Promise<object>;
  stop(): Promise<void>;
}

export function template(storage: string, storageClassName = "fast", name = "data"): ClaimTemplate {
  const resources = { requests: { storage } };
  return { metadata: { name }, spec: { accessModes: ["ReadWriteOnce"], storageClassName, resources } };
}

/** On a cluster of its own. */
export async function startShops(): Promise<Shops> {
  await using cleanup = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "outgrow-custom-"));
  cleanup.defer(() => rm(folder, { recursive: true }));
  // As a stock server is: it takes no edits of templates.
  const gates = { ...DEFAULT_GATES, StatefulSetVolumeExpansion: false };
  const cluster = await startCluster({ folder, port: 0, gates, logger: silentLogger });
  cleanup.defer(() => cluster.stop());
  const shops = await openShops(cluster.kubeconfig);
  cleanup.defer(() => shops.stop());
  const owned = cleanup.move();
  return { ...shops, stop: () => owned.disposeAsync() };
}

/** On a cluster that is there, of which nothing else is needed. */
export async function openShops(kubeconfig: string): Promise<Shops> {
  await using cleanup = new AsyncDisposableStack();
  const client = createClient(createTransport(await loadConfig({ env: {}, kubeconfig })));
  cleanup.defer(() => client.close());
  await furnish(client);
  let count = 0;

  async function given({
    asks = "1Gi",
    has = "1Gi",
    storageClass = "fast",
    more = [],
  }: ShopTraits = {}): Promise<string> {
    const shop = `shop-${++count}`;
    const name = `own-${shop}`;
    const labels = { app: shop };
    const { kind } = SHOPS;
    const owner = { apiVersion: "databases.example.com/v1", kind, name: shop, uid: shop, controller: true };
    const volumeClaimTemplates = [template(asks, storageClass), ...more];
    await client.create(SHOPS, {
      metadata: { name: shop, namespace: NAMESPACE },
      spec: { replicas: 1, volumeClaimTemplates },
    });
    await client.create(STATEFUL_SETS, {
      metadata: { name, namespace: NAMESPACE, ownerReferences: [owner] },
      spec: {
        serviceName: name,
        replicas: 1,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "busybox" }] } },
        volumeClaimTemplates: [template(has, storageClass)],
      },
    });
    const spec = { ...template(has, storageClass).spec, volumeName: `pv-${shop}` };
    await client.create(CLAIMS, { metadata: { name: claimOf(shop), namespace: NAMESPACE, labels }, spec });
    await claimStatus(shop, { phase: "Bound", accessModes: ["ReadWriteOnce"], capacity: { storage: has } });
    return shop;
  }

  async function claimStatus(shop: string, status: PersistentVolumeClaim["status"]): Promise<void> {
    const ref = { namespace: NAMESPACE, name: claimOf(shop) };
    await client.patch(CLAIMS, ref, { type: "merge", body: { status } }, { subresource: "status" });
  }

  const owned = cleanup.move();
  return {
    client,
    run: (...words) => runOutgrow([...words, "--kubeconfig", kubeconfig]),
    async complete(verb, ...words) {
      const { out } = await runOutgrow(["__complete", verb, "--kubeconfig", kubeconfig, ...words]);
      return out.split("\n").filter((line) => line !== "");
    },
    given,
    async failed() {
      const shop = await given({ asks: "9Gi" });
      const body = { spec: { resources: { requests: { storage: "9Gi" } } } };
      await client.patch(CLAIMS, { namespace: NAMESPACE, name: claimOf(shop) }, { type: "merge", body });
      await claimStatus(shop, {
        allocatedResources: { storage: "9Gi" },
        allocatedResourceStatuses: { storage: "ControllerResizeInfeasible" },
        conditions: [{ type: "ControllerResizeError", status: "True", message: "no room" }],
      });
      return shop;
    },
    written: async (name) => (await client.get(SHOPS, { namespace: NAMESPACE, name })).spec,
    stop: () => owned.disposeAsync(),
  };
}

function claimOf(shop: string): string {
  return `data-own-${shop}-0`;
}

async function furnish(client: KubeClient): Promise<void> {
  const provisioner = "x.example.com";
  await client.create(STORAGE_CLASSES, { metadata: { name: "fast" }, provisioner, allowVolumeExpansion: true });
  await client.create(STORAGE_CLASSES, { metadata: { name: "rigid" }, provisioner });
  const definitions = [
    VOLUME_EXPANSION_DEFINITION,
    EXPANSION_SOURCE_DEFINITION,
    definitionOf(SHOPS, ["shop"]),
    definitionOf(CACHES, []),
  ];
  for (const definition of definitions) await client.create(DEFINITIONS, definition);
  const signal = AbortSignal.timeout(30_000);
  for (const kind of [VOLUME_EXPANSIONS, EXPANSION_SOURCES, SHOPS, CACHES]) {
    while (!(await client.serves(kind))) await delay(20, undefined, { signal });
  }
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
}

function definitionOf({ kind, plural, group }: typeof CACHES, shortNames: string[]): KubeObject {
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

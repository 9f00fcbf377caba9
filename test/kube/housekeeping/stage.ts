/** What the scenarios of this folder have at hand, whoever keeps the house. */
import type { KubeObject, ObjectMeta, OwnerReference, Pod } from "../../../src/core/types.ts";
import {
  apiVersionOf,
  defineResource,
  isNotFound,
  type KubeClient,
  NAMESPACES,
  PODS,
  type Resource,
} from "../../../src/kube/index.ts";
import { waitFor } from "../wait.ts";

export const MAPS = defineResource("v1", "ConfigMap", "configmaps");

export interface Stage {
  readonly client: KubeClient;
  readonly namespace: string;
  map(name: string, more?: Partial<ObjectMeta>): Promise<KubeObject>;
  /** A pod with an address that says so itself: there is no kubelet. */
  pod(name: string, ip: string, ready: boolean, more?: Partial<ObjectMeta>): Promise<void>;
  setReady(name: string, ip: string, ready: boolean): Promise<void>;
  /** The object, or undefined when it is not there. */
  find<T extends KubeObject>(resource: Resource<T>, name: string, namespace?: string): Promise<T | undefined>;
  gone(resource: Resource, name: string): Promise<unknown>;
  /** Names of all ConfigMaps that a scenario made. */
  maps(): Promise<readonly string[]>;
}

export interface Scenario {
  readonly name: string;
  /** Gives what there is in the end, without what differs from run to run. */
  readonly play: (stage: Stage) => Promise<unknown>;
}

export async function setStage(client: KubeClient, namespace: string): Promise<Stage> {
  await client.create(NAMESPACES, { metadata: { name: namespace } });
  const find: Stage["find"] = async (resource, name, within = namespace) => {
    try {
      return await client.get(resource, resource.namespaced ? { namespace: within, name } : { name });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  };
  const setReady = async (name: string, ip: string, ready: boolean): Promise<void> => {
    const conditions = [{ type: "Ready", status: ready ? "True" : "False" }];
    const status = { phase: "Running", podIP: ip, podIPs: [{ ip }], conditions };
    const patch = { type: "merge", body: { status } } as const;
    await client.patch(PODS, { namespace, name }, patch, { subresource: "status" });
  };
  return {
    client,
    namespace,
    map: (name, more = {}) => client.create(MAPS, { metadata: { name, namespace, ...more } }),
    async pod(name, ip, ready, more = {}) {
      const spec = { nodeName: "node", containers: [{ name: "c", image: "x" }], terminationGracePeriodSeconds: 0 };
      await client.create<Pod>(PODS, { metadata: { name, namespace, labels: { app: "db" }, ...more }, spec });
      await setReady(name, ip, ready);
    },
    setReady,
    find,
    gone: (resource, name) => waitFor(`${name} is gone`, async () => (await find(resource, name)) === undefined),
    async maps() {
      const { items } = await client.list(MAPS, { namespace });
      return items.map(({ metadata }) => metadata.name).filter((name) => name !== "kube-root-ca.crt");
    },
  };
}

export function ownedBy(resource: Resource, owner: KubeObject, more: Partial<OwnerReference> = {}): OwnerReference {
  const { name, uid = "" } = owner.metadata;
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, name, uid, ...more };
}

/** Waits until whoever keeps the house has heard of all maps that were made before, and collected what was to be collected. */
export async function settle(stage: Stage): Promise<void> {
  const { client, namespace } = stage;
  const last = await stage.map("last");
  await stage.map("after-last", { ownerReferences: [ownedBy(MAPS, last)] });
  await client.delete(MAPS, { namespace, name: "last" }, { propagationPolicy: "Background" });
  await stage.gone(MAPS, "after-last");
}

/** Resolves when somebody collects garbage: kube-controller-manager takes its time to start. */
export async function awaitCollector(client: KubeClient): Promise<void> {
  const stage = await setStage(client, "canary");
  const nobody = { metadata: { name: "nobody", uid: "11111111-2222-3333-4444-555555555555" } };
  await stage.map("canary", { ownerReferences: [ownedBy(MAPS, nobody)] });
  const isGone = async (): Promise<boolean> => (await stage.find(MAPS, "canary")) === undefined;
  await waitFor("the collector", isGone, { timeoutMs: 120_000 });
}

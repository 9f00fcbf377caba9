/** What somebody does to a cluster who wants to know how fast it is, and how they see that it is done. */
import type { PersistentVolumeClaim, StatefulSet } from "../../src/core/types.ts";
import { CLAIMS, type KubeClient, type Resource, STATEFUL_SETS, startInformer } from "../../src/kube/index.ts";

const CONNECTIONS = 32;

export async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
}

export function aSet(name: string, namespace: string, replicas: number): StatefulSet {
  const labels = { app: name };
  return {
    metadata: { name, namespace },
    spec: {
      serviceName: name,
      replicas,
      selector: { matchLabels: labels },
      podManagementPolicy: "Parallel",
      template: {
        metadata: { labels },
        spec: {
          containers: [{ name: "main", image: "database", volumeMounts: [{ name: "data", mountPath: "/data" }] }],
        },
      },
      volumeClaimTemplates: [{ metadata: { name: "data" }, spec: claimSpec("memory") }],
    },
  };
}

export function aClaim(name: string, namespace: string, storageClassName: string): PersistentVolumeClaim {
  return { metadata: { name, namespace }, spec: claimSpec(storageClassName) };
}

function claimSpec(storageClassName: string): PersistentVolumeClaim["spec"] {
  return { accessModes: ["ReadWriteOnce"], storageClassName, resources: { requests: { storage: "1Gi" } } };
}

/** Asks for this size in every claim of the namespace. */
export async function request(client: KubeClient, namespace: string, storage: string): Promise<void> {
  const { items } = await client.list(CLAIMS, { namespace });
  const body = { spec: { resources: { requests: { storage } } } };
  await inParallel(items, ({ metadata: { name } }) =>
    client.patch(CLAIMS, { namespace, name }, { type: "merge", body }),
  );
}

/** Until so many claims of the namespace have this capacity, and nothing more to do. */
export function haveGrown(client: KubeClient, namespace: string, count: number, storage: string): Promise<void> {
  const isGrown = ({ status }: PersistentVolumeClaim): boolean =>
    status?.capacity?.["storage"] === storage && status.allocatedResourceStatuses?.["storage"] === undefined;
  return until(client, CLAIMS, namespace, count, isGrown);
}

/** Until so many sets of the namespace have all their pods ready. */
export function areReady(client: KubeClient, namespace: string, count: number): Promise<void> {
  const isReady = ({ spec, status }: StatefulSet): boolean => status?.readyReplicas === spec.replicas;
  return until(client, STATEFUL_SETS, namespace, count, isReady);
}

/** Watched, not asked for again and again: that would be what is measured. */
async function until<T extends PersistentVolumeClaim | StatefulSet>(
  client: KubeClient,
  resource: Resource<T>,
  namespace: string,
  count: number,
  holds: (object: T) => boolean,
): Promise<void> {
  const done = Promise.withResolvers<void>();
  const there = new Set<string>();
  const look = (object: T): void => {
    if (holds(object)) there.add(object.metadata.name);
    else there.delete(object.metadata.name);
    if (there.size >= count) done.resolve();
  };
  const informer = startInformer<T>({ client, resource, namespace, trim: (object) => object });
  informer.addHandler({ added: look, updated: (_, after) => look(after) });
  await done.promise;
  await informer.stop();
}

/** What a StatefulSet and all that belongs to it look like, without what differs from run to run. */

import type { ControllerRevision } from "../../../src/cluster/controllers/statefulset/decide/revision.ts";
import type { KubeObject, OwnerReference, PersistentVolumeClaim, Pod, StatefulSet } from "../../../src/core/types.ts";
import type { Event } from "../../../src/kube/index.ts";
import type { Api } from "../api.ts";

export interface Snapshot {
  readonly set: {
    readonly generation: number;
    readonly replicas: number;
    readonly status: StatefulSet["status"];
  } | null;
  readonly pods: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly revisions: Readonly<Record<string, unknown>>;
}

/** Everything in the namespace. The set is called `db`. */
export async function takeSnapshot(api: Api, namespace: string): Promise<Snapshot> {
  const list = async <T>(path: string): Promise<T[]> => (await api.get<{ items: T[] }>(path)).items;
  const core = `/api/v1/namespaces/${namespace}`;
  const apps = `/apis/apps/v1/namespaces/${namespace}`;
  const [sets, pods, claims, revisions] = await Promise.all([
    list<StatefulSet>(`${apps}/statefulsets`),
    list<Pod>(`${core}/pods`),
    list<PersistentVolumeClaim>(`${core}/persistentvolumeclaims`),
    list<ControllerRevision>(`${apps}/controllerrevisions`),
  ]);
  const names = new Map([...sets, ...pods].map(({ metadata }) => [metadata.uid, metadata.name]));
  const owners = ({ metadata }: KubeObject): OwnerReference[] =>
    (metadata.ownerReferences ?? []).map((reference) => ({ ...reference, uid: names.get(reference.uid) ?? "gone" }));
  const [set] = sets;

  return {
    set:
      set === undefined
        ? null
        : { generation: set.metadata.generation ?? 0, replicas: set.spec.replicas ?? 0, status: set.status },
    pods: byName(pods, (pod) => ({
      ...common(pod, owners),
      spec: withSortedVolumes(pod),
      phase: pod.status?.phase,
      ready: pod.status?.conditions?.find(({ type }) => type === "Ready")?.status,
      terminating: pod.metadata.deletionTimestamp !== undefined,
    })),
    claims: byName(claims, (claim) => ({
      ...common(claim, owners),
      spec: claim.spec,
      terminating: claim.metadata.deletionTimestamp !== undefined,
    })),
    revisions: byName(revisions, (revision) => ({
      ...common(revision, owners),
      data: JSON.stringify(revision.data),
      revision: revision.revision,
    })),
  };
}

/** Whether what the set says about its pods is what they are: there is no news that it has yet to hear. */
export function isConsistent({ set, pods }: Snapshot): boolean {
  if (set === null) return true;
  const all = Object.values(pods) as PodView[];
  const owned = all.filter(({ ownerReferences }) => ownerReferences.length > 0);
  const at = (revision: string | undefined): number =>
    owned.filter(({ labels, terminating }) => !terminating && labels["controller-revision-hash"] === revision).length;
  const { status = {}, generation } = set;
  return (
    status.observedGeneration === generation &&
    status.replicas === owned.length &&
    (status.readyReplicas ?? 0) ===
      owned.filter(({ phase, ready }) => phase === "Running" && ready === "True").length &&
    (status.currentReplicas ?? 0) === at(status.currentRevision) &&
    (status.updatedReplicas ?? 0) === at(status.updateRevision)
  );
}

export interface PodView {
  readonly labels: Readonly<Record<string, string>>;
  readonly ownerReferences: readonly OwnerReference[];
  readonly phase: string;
  readonly ready?: string;
  readonly terminating: boolean;
}

/**
 * What the set has told people, each kind of thing only once: which of many alike are told one by one before they are
 * combined depends on their order, and a parallel set has none.
 */
export async function eventsOf(api: Api, namespace: string): Promise<readonly string[]> {
  const { items } = await api.get<{ items: Event[] }>(`/api/v1/namespaces/${namespace}/events`);
  const told = items
    .filter(({ involvedObject, source }) => {
      return involvedObject.kind === "StatefulSet" && source?.component === "statefulset-controller";
    })
    .map(({ type, reason, message }) => `${type} ${reason}: ${message}`)
    .map((text) => text.replace("(combined from similar events): ", "").replace(/(?:data|wal)-db-\d+/g, "CLAIM"))
    .map((text) => text.replace(/db-\d+/g, "POD"));
  return [...new Set(told)].sort();
}

function common({ metadata }: KubeObject, owners: (object: KubeObject) => OwnerReference[]): object {
  const { labels, annotations, finalizers } = metadata;
  const { generateName } = metadata as { generateName?: string };
  return { labels, annotations, finalizers, generateName, ownerReferences: owners({ metadata }) };
}

/** kube-controller-manager puts the volumes of claims in any order. */
function withSortedVolumes({ spec }: Pod): object {
  return { ...spec, volumes: spec.volumes?.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
}

function byName<T extends KubeObject>(objects: readonly T[], view: (object: T) => unknown): Record<string, unknown> {
  return Object.fromEntries(objects.map((object) => [object.metadata.name, view(object)]));
}

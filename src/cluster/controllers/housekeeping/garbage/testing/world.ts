/**
 * A server with a few objects, watched by a collector that hears of each kind with a delay of its own. Requests fail when
 * told to. Whatever the collector deletes is checked at that very moment against what is really there.
 */
import type { ObjectMeta, OwnerReference } from "../../../../../core/types.ts";
import { apiVersionOf, defineResource, KubeError, keyOf, type Ref, type Resource } from "../../../../../kube/index.ts";
import { type Kinds, readKinds } from "../../shared/kinds.ts";
import { createAbsentOwners } from "../apply/absent-owners.ts";
import { collect } from "../apply/collect.ts";
import type { LiveApi } from "../apply/live-api.ts";
import type { Propagation } from "../decide/fate.ts";
import { createGraph, type Node, uidOf } from "../decide/graph.ts";
import { lookAfterChange, lookAfterRemoval } from "../decide/news.ts";
import { FOREGROUND, ORPHAN, stageOf } from "../decide/stage.ts";

export const RESOURCES: readonly Resource[] = [
  defineResource("example.com/v1", "Spaced", "spaceds"),
  defineResource("example.com/v1", "Other", "others"),
  defineResource("example.com/v1", "Wide", "wides", "Cluster"),
];

const KINDS: Kinds = readKinds([
  {
    items: [
      {
        metadata: { name: "example.com" },
        versions: [
          {
            version: "v1",
            resources: RESOURCES.map(({ kind, plural, namespaced }) => ({
              resource: plural,
              responseKind: { kind },
              scope: namespaced ? "Namespaced" : "Cluster",
              verbs: ["delete", "list", "patch", "watch"],
            })),
          },
        ],
      },
    ],
  },
]);

export interface World {
  readonly objects: ReadonlyMap<string, Node>;
  /** Keys that the collector wants to look at. */
  readonly queue: ReadonlySet<string>;
  create(resource: Resource, ref: Ref, owners: readonly OwnerReference[]): void;
  setOwners(node: Node, owners: readonly OwnerReference[]): void;
  /** As a user does. */
  delete(node: Node, policy: Propagation): void;
  /** The watch of this kind brings the next piece of news. */
  hear(kind: number): void;
  /** The collector takes the next key. While it works, `between` happens after each of its requests. */
  work(between: () => void): Promise<void>;
  /** Every request fails from now on, or none. */
  broken: boolean;
}

type News = { readonly node: Node; readonly gone: boolean };

export function referenceTo({ resource, metadata }: Node, blockOwnerDeletion: boolean): OwnerReference {
  const { name, uid = "" } = metadata;
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, name, uid, blockOwnerDeletion };
}

export function createWorld(): World {
  const objects = new Map<string, Node>();
  const news = RESOURCES.map((): News[] => []);
  const graph = createGraph();
  const absent = createAbsentOwners();
  const queue = new Set<string>();
  /** `owner dependent`: bonds that a user has asked to dissolve while both were there. */
  const dissolved = new Set<string>();
  let version = 0;
  let between = (): void => {};

  const placeOf = (resource: Resource, ref: Ref): string => `${resource.kind} ${keyOf(ref)}`;
  const tell = (node: Node, gone: boolean): unknown => news[RESOURCES.indexOf(node.resource)]?.push({ node, gone });
  const isOwnerThere = (dependent: Node, reference: OwnerReference): Node | undefined => {
    const resource = RESOURCES.find(({ kind }) => kind === reference.kind);
    if (resource === undefined) throw new Error(`no kind ${reference.kind}`);
    const { namespace } = dependent.metadata;
    const owner = objects.get(placeOf(resource, resource.namespaced ? { namespace, name: reference.name } : reference));
    return owner !== undefined && uidOf(owner) === reference.uid ? owner : undefined;
  };

  function store({ resource, metadata }: Node): void {
    const finished = metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).length === 0;
    const node = { resource, metadata: { ...metadata, resourceVersion: String(++version) } };
    if (finished) objects.delete(placeOf(resource, metadata));
    else objects.set(placeOf(resource, metadata), node);
    tell(node, finished);
  }

  function remove({ resource, metadata }: Node, policy: Propagation): void {
    const others = (metadata.finalizers ?? []).filter((each) => each !== ORPHAN && each !== FOREGROUND);
    const own = { Orphan: [ORPHAN], Foreground: [FOREGROUND], Background: [] }[policy];
    store({
      resource,
      metadata: { ...metadata, deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: [...others, ...own] },
    });
  }

  /** The one promise that must never break. */
  function checkIsGarbage(node: Node): void {
    const references = node.metadata.ownerReferences ?? [];
    if (references.length === 0) throw new Error(`deleted ${node.metadata.name}, which has no owner`);
    for (const reference of references) {
      const owner = isOwnerThere(node, reference);
      if (owner !== undefined && stageOf(owner.metadata) !== "foreground") {
        throw new Error(`deleted ${node.metadata.name}, whose owner ${reference.name} is there`);
      }
      if (dissolved.has(`${reference.uid} ${uidOf(node)}`)) {
        throw new Error(`deleted ${node.metadata.name}, which was to outlive ${reference.name}`);
      }
    }
  }

  const answer = async <T>(value: () => T): Promise<T> => {
    await Promise.resolve();
    if (world.broken) throw new KubeError("Unreachable", "no answer");
    const result = value();
    between();
    return result;
  };
  const same = (read: ObjectMeta, resource: Resource): Node | undefined => {
    const node = objects.get(placeOf(resource, read));
    if (node === undefined) return undefined;
    if (uidOf(node) === read.uid && node.metadata.resourceVersion === read.resourceVersion) return node;
    throw new KubeError("Conflict", "changed", { status: 409 });
  };
  const api: LiveApi = {
    get: (resource, ref) => answer(() => objects.get(placeOf(resource, ref))?.metadata),
    remove: (resource, object, policy) =>
      answer(() => {
        const node = same(object, resource);
        if (node === undefined) return;
        checkIsGarbage(node);
        remove(node, policy);
      }),
    change: (resource, read, wanted) =>
      answer(() => {
        if (same(read, resource) !== undefined) store({ resource, metadata: wanted });
      }),
    dependentsOf: (owner) =>
      answer(() =>
        [...objects.values()].filter(
          ({ metadata }) =>
            (owner.metadata.namespace === undefined || metadata.namespace === owner.metadata.namespace) &&
            metadata.ownerReferences?.some(({ uid }) => uid === uidOf(owner)),
        ),
      ),
  };

  const world: World = {
    objects,
    queue,
    broken: false,
    create(resource, ref, owners) {
      if (objects.has(placeOf(resource, ref))) return;
      store({ resource, metadata: { ...ref, uid: `uid-${version + 1}`, ownerReferences: [...owners] } as ObjectMeta });
    },
    setOwners({ resource, metadata }, owners) {
      store({ resource, metadata: { ...metadata, ownerReferences: [...owners] } });
    },
    delete(node, policy) {
      // What was said last counts, as long as it has not happened.
      if (stageOf(node.metadata) === "going") return;
      for (const each of objects.values()) {
        const bond = `${uidOf(node)} ${uidOf(each)}`;
        const isOwned =
          each.metadata.ownerReferences?.some((reference) => isOwnerThere(each, reference) === node) === true;
        if (policy === "Orphan" && isOwned) dissolved.add(bond);
        else dissolved.delete(bond);
      }
      remove(node, policy);
    },
    hear(kind) {
      const next = news[kind]?.shift();
      if (next === undefined) return;
      const before = graph.get(uidOf(next.node));
      if (next.gone) graph.remove(uidOf(next.node));
      else graph.put(next.node);
      const look = next.gone ? lookAfterRemoval(graph, next.node) : lookAfterChange(graph, before, next.node);
      for (const uid of look) queue.add(uid);
    },
    async work(happens) {
      const [uid] = queue;
      if (uid === undefined) return;
      queue.delete(uid);
      between = happens;
      const look = (other: string): unknown => queue.add(other);
      try {
        await collect({ graph, api, absent, kinds: KINDS, look, onForeignOwner: () => {} }, uid);
      } catch (error) {
        if (!(error instanceof KubeError)) throw error;
        queue.add(uid);
      } finally {
        between = () => {};
      }
    },
  };
  return world;
}

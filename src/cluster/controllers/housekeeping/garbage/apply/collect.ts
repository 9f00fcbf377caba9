/**
 * One look at one object: is it garbage, or does it wait for its dependents? The graph says what to ask; what is done rests on
 * what the server answers now, and is bound to the version it answered with.
 */
import type { ObjectMeta, OwnerReference } from "../../../../../core/types.ts";
import type { Outcome, Ref } from "../../../../../kube/index.ts";
import { type Kinds, unknownKind } from "../../shared/kinds.ts";
import { decideFate, type JudgedOwner, type OwnerState } from "../decide/fate.ts";
import { type Graph, type Node, ownersOf, uidOf } from "../decide/graph.ts";
import { FOREGROUND, ORPHAN, stageOf } from "../decide/stage.ts";
import { type AbsentOwners, absentKey } from "./absent-owners.ts";
import type { LiveApi } from "./live-api.ts";

export interface CollectOptions {
  readonly graph: Graph;
  readonly api: LiveApi;
  readonly absent: AbsentOwners;
  readonly kinds: Kinds;
  /** Look at this one, too. */
  readonly look: (uid: string) => void;
  /** The dependent names an owner that is in another namespace. */
  readonly onForeignOwner: (dependent: Node, reference: OwnerReference) => void;
}

/** An owner that no watch tells of may go at any time. In milliseconds. */
const UNWATCHED_OWNER_MS = 30_000;

/**
 * Resolves when there is nothing to do for now. Rejects when something could not be found out or done; then nothing that
 * depends on it was done, and it should be tried again.
 */
export async function collect(options: CollectOptions, uid: string): Promise<Outcome> {
  const node = options.graph.get(uid);
  if (node === undefined) return undefined;
  switch (stageOf(node.metadata)) {
    case "here":
      return collectIfGarbage(options, node);
    case "orphaning":
      return orphanDependents(options, node);
    case "foreground":
      return waitForDependents(options, node);
    case "going":
      return undefined;
  }
}

async function collectIfGarbage(options: CollectOptions, node: Node): Promise<Outcome> {
  const { api, graph } = options;
  const { resource } = node;
  const live = await readAgain(api, node);
  // Gone, or going: the watch will tell, and then it is looked at again.
  if (live === undefined || live.deletionTimestamp !== undefined) return undefined;
  const owners: JudgedOwner[] = [];
  for (const reference of live.ownerReferences ?? []) {
    owners.push({ reference, state: await judge(options, { resource, metadata: live }, reference) });
  }
  const fate = decideFate(live, owners, graph.dependentsOf(uidOf(node)));
  switch (fate.kind) {
    case "stays":
      return owners.some(({ reference, state }) => state === "solid" && graph.get(reference.uid) === undefined)
        ? { after: UNWATCHED_OWNER_MS }
        : undefined;
    case "drop-references":
      await api.change(resource, live, withoutOwners(live, fate.uids));
      return undefined;
    case "delete":
      if (fate.unblock) {
        await api.change(resource, live, withoutBlocking(live));
        const unblocked = await readAgain(api, node);
        if (unblocked !== undefined) await api.remove(resource, unblocked, fate.policy);
      } else {
        await api.remove(resource, live, fate.policy);
      }
      return undefined;
  }
}

async function judge(options: CollectOptions, dependent: Node, reference: OwnerReference): Promise<OwnerState> {
  const { api, absent, kinds, graph, onForeignOwner } = options;
  const { namespace } = dependent.metadata;
  const elsewhere = graph.get(reference.uid);
  if (elsewhere?.resource.namespaced === true && elsewhere.metadata.namespace !== namespace) {
    onForeignOwner(dependent, reference);
  }
  if (absent.has(absentKey(reference, namespace)) || absent.has(absentKey(reference, undefined))) return "absent";
  const served = kinds.find(reference.apiVersion, reference.kind);
  if (served === undefined) throw unknownKind(reference.apiVersion, reference.kind);
  const { resource } = served;
  if (resource.namespaced && namespace === undefined) return "impossible";
  const ref: Ref = resource.namespaced ? { namespace, name: reference.name } : { name: reference.name };
  const owner = await api.get(resource, ref);
  if (owner !== undefined && owner.uid === reference.uid) return stageOf(owner) === "foreground" ? "waiting" : "solid";
  absent.add(absentKey(reference, ref.namespace));
  return "absent";
}

/** Those that are only now being created are not in the graph yet; left with the reference, they would be garbage. */
async function orphanDependents({ api, graph }: CollectOptions, owner: Node): Promise<undefined> {
  const live = await readAgain(api, owner);
  if (live === undefined || stageOf(live) !== "orphaning") return undefined;
  const uid = uidOf(owner);
  const found = await api.dependentsOf(owner);
  for (const { resource, metadata } of found) await api.change(resource, metadata, withoutOwners(metadata, [uid]));
  // Of other namespaces, and of kinds that the lists leave out.
  const seen = new Set(found.map(uidOf));
  for (const node of graph.dependentsOf(uid)) {
    const metadata = seen.has(uidOf(node)) ? undefined : await readAgain(api, node);
    if (metadata !== undefined) await api.change(node.resource, metadata, withoutOwners(metadata, [uid]));
  }
  await api.change(owner.resource, live, withoutFinalizer(live, ORPHAN));
  return undefined;
}

async function waitForDependents({ api, graph, look }: CollectOptions, owner: Node): Promise<undefined> {
  const uid = uidOf(owner);
  const blocking = graph
    .dependentsOf(uid)
    .filter((node) => ownersOf(node).some((each) => each.uid === uid && each.blockOwnerDeletion === true));
  for (const node of blocking) if (stageOf(node.metadata) === "here") look(uidOf(node));
  if (blocking.length > 0) return undefined;
  const live = await readAgain(api, owner);
  if (live === undefined || stageOf(live) !== "foreground") return undefined;
  await api.change(owner.resource, live, withoutFinalizer(live, FOREGROUND));
  return undefined;
}

/** The very object, as it is now; undefined when it is gone. */
async function readAgain(api: LiveApi, { resource, metadata }: Node): Promise<ObjectMeta | undefined> {
  const { namespace, name, uid } = metadata;
  const live = await api.get(resource, namespace === undefined ? { name } : { namespace, name });
  return live?.uid === uid ? live : undefined;
}

function withoutOwners(metadata: ObjectMeta, uids: readonly string[]): ObjectMeta {
  return { ...metadata, ownerReferences: (metadata.ownerReferences ?? []).filter(({ uid }) => !uids.includes(uid)) };
}

function withoutBlocking(metadata: ObjectMeta): ObjectMeta {
  const ownerReferences = (metadata.ownerReferences ?? []).map((each) =>
    each.blockOwnerDeletion === true ? { ...each, blockOwnerDeletion: false } : each,
  );
  return { ...metadata, ownerReferences };
}

function withoutFinalizer(metadata: ObjectMeta, finalizer: string): ObjectMeta {
  return { ...metadata, finalizers: (metadata.finalizers ?? []).filter((each) => each !== finalizer) };
}

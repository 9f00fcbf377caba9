/** Deletes what is in a namespace, and tells what is left. Follows upstream's namespaced_resources_deleter.go. */
import { messageOf } from "../../../../core/errors.ts";
import type { KubeObject } from "../../../../core/types.ts";
import { collectionPath, isNotFound, type KubeClient, metadataOf, type Resource } from "../../../../kube/index.ts";
import { discoverKinds, type Kinds, type ServedKind } from "../shared/kinds.ts";
import type { Progress, Remainder } from "./conditions.ts";

/** Kinds at the same time. */
const KINDS_AT_ONCE = 8;

/**
 * Asks for the end of everything in the namespace: of the pods first, and of the rest when they are gone, so that nothing that
 * a pod lives on is taken from under it. Rejects only when the signal is aborted.
 */
export async function emptyNamespace(client: KubeClient, namespace: string, signal: AbortSignal): Promise<Progress> {
  let kinds: Kinds;
  try {
    kinds = await discoverKinds(client, signal);
  } catch (error) {
    signal.throwIfAborted();
    return { discovery: messageOf(error), failures: [], left: [] };
  }
  const deletable = kinds.preferred.filter(({ resource, verbs }) => resource.namespaced && verbs.has("delete"));
  const [pods, others] = partition(deletable, ({ resource }) => resource.group === "" && resource.plural === "pods");
  const first = await emptyKinds(client, pods, namespace, signal);
  const rest = first.left.length > 0 ? undefined : await emptyKinds(client, others, namespace, signal);
  return {
    ...(kinds.unknown.length === 0 ? {} : { discovery: unavailable(kinds.unknown) }),
    failures: [...first.failures, ...(rest?.failures ?? [])],
    left: [...first.left, ...(rest?.left ?? [])],
  };
}

/** Whether the namespace is known to be empty. */
export function isEmptied({ discovery, failures, left }: Progress): boolean {
  return discovery === undefined && failures.length === 0 && left.length === 0;
}

async function emptyKinds(
  client: KubeClient,
  kinds: readonly ServedKind[],
  namespace: string,
  signal: AbortSignal,
): Promise<Pick<Progress, "failures" | "left">> {
  const failures: string[] = [];
  const left: Remainder[] = [];
  const rest = kinds.values();
  const work = async (): Promise<void> => {
    for (const kind of rest) {
      try {
        const remainder = await emptyKind(client, kind, namespace, signal);
        if (remainder !== undefined) left.push(remainder);
      } catch (error) {
        signal.throwIfAborted();
        // A kind that went away while we looked holds nothing any more.
        if (!isNotFound(error)) failures.push(messageOf(error));
      }
    }
  };
  await Promise.all(Array.from({ length: KINDS_AT_ONCE }, work));
  return { failures, left };
}

async function emptyKind(
  client: KubeClient,
  { resource, verbs }: ServedKind,
  namespace: string,
  signal: AbortSignal,
): Promise<Remainder | undefined> {
  if (!verbs.has("list")) return undefined;
  const list = (): Promise<KubeObject[]> => client.listAll(metadataOf(resource), { namespace }, signal);
  const before = await list();
  const undeleted = before.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  if (undeleted.length > 0 && verbs.has("deletecollection")) await deleteAll(client, resource, namespace, signal);
  else for (const { metadata } of undeleted) await deleteOne(client, resource, namespace, metadata.name, signal);
  const after = undeleted.length === 0 ? before : await list();
  if (after.length === 0) return undefined;
  const finalizers = new Map<string, number>();
  for (const name of after.flatMap(({ metadata }) => metadata.finalizers ?? [])) {
    finalizers.set(name, (finalizers.get(name) ?? 0) + 1);
  }
  return { resource, count: after.length, finalizers };
}

const BACKGROUND = { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Background" };

async function deleteAll(
  client: KubeClient,
  resource: Resource,
  namespace: string,
  signal: AbortSignal,
): Promise<void> {
  const path = collectionPath(resource, namespace);
  const what = `delete all ${resource.plural} of ${namespace}`;
  await client.raw({ method: "DELETE", path, body: BACKGROUND, what }, signal);
}

async function deleteOne(
  client: KubeClient,
  resource: Resource,
  namespace: string,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    await client.delete(resource, { namespace, name }, { propagationPolicy: "Background" }, signal);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** As upstream tells of groups whose server does not answer. */
function unavailable(versions: readonly string[]): string {
  const each = versions.map((version) => `${version}: stale GroupVersion discovery: ${version}`).sort();
  return `Discovery failed for some groups, ${versions.length} failing: unable to retrieve the complete list of server APIs: ${each.join(", ")}`;
}

function partition<T>(all: readonly T[], isFirst: (each: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [all.filter(isFirst), all.filter((each) => !isFirst(each))];
}

/** What the server says and does about single objects of any kind. Everything the collector decides on comes from here. */
import type { ObjectMeta } from "../../../../../core/types.ts";
import {
  isNotFound,
  type KubeClient,
  KubeError,
  mergePatch,
  metadataOf,
  type Ref,
  type Resource,
  withPrecondition,
} from "../../../../../kube/index.ts";
import { discoverKinds, isEvent } from "../../shared/kinds.ts";
import type { Propagation } from "../decide/fate.ts";
import type { Node } from "../decide/graph.ts";

/** Everything rejects when it did not get a clear answer: no answer is never taken for "not there". */
export interface LiveApi {
  /** As it is at this moment; undefined: the server says that there is no object of this name. */
  get(resource: Resource, ref: Ref): Promise<ObjectMeta | undefined>;
  /** Of this uid and version, or not at all: then it rejects with `isConflict`. Already gone is as good. */
  remove(resource: Resource, object: ObjectMeta, policy: Propagation): Promise<void>;
  /** Makes the metadata so; on the very version that was read, or not at all. Already gone is as good. */
  change(resource: Resource, read: ObjectMeta, wanted: ObjectMeta): Promise<void>;
  /** Everything that names it as an owner, in all kinds that there are now, from lists that are read now. */
  dependentsOf(owner: Node): Promise<readonly Node[]>;
}

/** Lists at the same time. */
const LISTS = 8;

export function createLiveApi(client: KubeClient, signal: AbortSignal): LiveApi {
  async function dependentsIn(resource: Resource, owner: Node): Promise<readonly Node[]> {
    const { namespace, uid } = owner.metadata;
    const objects = await client.listAll(metadataOf(resource), { namespace }, signal);
    return objects
      .filter(({ metadata }) => metadata.ownerReferences?.some((reference) => reference.uid === uid))
      .map(({ metadata }) => ({ resource, metadata }));
  }

  return {
    async get(resource, ref) {
      try {
        return (await client.get(metadataOf(resource), ref, {}, signal)).metadata;
      } catch (error) {
        if (isObjectMissing(error)) return undefined;
        throw error;
      }
    },
    async remove(resource, object, propagationPolicy) {
      const preconditions = preconditionsOf(object);
      await client
        .delete(resource, refTo(object), { preconditions, propagationPolicy }, signal)
        .catch(unless(isObjectMissing));
    },
    async change(resource, read, wanted) {
      const difference = mergePatch({ metadata: read }, { metadata: wanted });
      if (difference === undefined) return;
      const body = withPrecondition(difference, { metadata: read });
      await client
        .patch(metadataOf(resource), refTo(read), { type: "merge", body }, {}, signal)
        .catch(unless(isObjectMissing));
    },
    async dependentsOf(owner) {
      const kinds = await discoverKinds(client, signal);
      // A kind that is not known of might have some.
      if (kinds.unknown.length > 0) {
        throw new KubeError("ServiceUnavailable", `nothing is known of ${kinds.unknown.join(", ")} at the moment`);
      }
      const resources = kinds.preferred
        .filter(({ verbs }) => verbs.has("list") && verbs.has("patch"))
        .map(({ resource }) => resource)
        .filter((resource) => !isEvent(resource) && (owner.metadata.namespace === undefined || resource.namespaced));
      const found: Node[] = [];
      const rest = resources.values();
      const work = async (): Promise<void> => {
        for (const resource of rest) found.push(...(await dependentsIn(resource, owner)));
      };
      await Promise.all(Array.from({ length: LISTS }, work));
      return found;
    },
  };
}

/** Not there, and not only unknown to a server that no longer (or not yet) serves the kind: that names no object. */
function isObjectMissing(error: unknown): boolean {
  return isNotFound(error) && error instanceof KubeError && (error.details?.name ?? "") !== "";
}

function unless(isFine: (error: unknown) => boolean): (error: unknown) => void {
  return (error) => {
    if (!isFine(error)) throw error;
  };
}

function preconditionsOf({ uid, resourceVersion }: ObjectMeta): { uid?: string; resourceVersion?: string } {
  return {
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}

function refTo({ namespace, name }: ObjectMeta): Ref {
  return namespace === undefined ? { name } : { namespace, name };
}

/**
 * The calls that a StatefulSet's controller makes. Each says in its request what it takes for granted (this very pod, this
 * version of the claim), so that acting on a view that is out of date does nothing instead of harm.
 */
import type { KubeObject, OwnerReference, PersistentVolumeClaim, Pod, StatefulSet } from "../../../../core/types.ts";
import {
  CLAIMS,
  isInvalid,
  isNotFound,
  type KubeClient,
  type MergePatch,
  type Patch,
  PODS,
  type Resource,
  refOf,
  STATEFUL_SETS,
  withPrecondition,
} from "../../../../kube/index.ts";
import { asGoWrites } from "../decide/go-json.ts";
import type { Resize } from "../decide/growth.ts";
import { controllerReference } from "../decide/names.ts";
import { identityLabels, volumesWithClaims } from "../decide/new-pod.ts";
import type { ControllerRevision } from "../decide/revision.ts";
import { CONTROLLER_REVISIONS } from "../resources.ts";

/** Whoever keeps a view of the cluster hears of each write at once, so that the next decision knows of it. */
export interface WriteNews {
  /** This is what the server made of it; `before` is the version that was held when it was decided, none if created. */
  wrote<T extends KubeObject>(resource: Resource<T>, written: T, before?: string): void;
  /** It will be marked as going, or be gone. */
  deleted<T extends KubeObject>(resource: Resource<T>, object: T): void;
  claim(written: PersistentVolumeClaim, before: string): void;
  set(written: StatefulSet, before: string): void;
}

/** All reject with `KubeError`, `isConflict` among them when somebody else was faster. */
export interface Writer {
  createPod(pod: Pod): Promise<void>;
  /** Gives the pod the labels and volumes that its ordinal has. Volumes cannot be changed: the server says so. */
  mendPod(set: StatefulSet, pod: Pod, ordinal: number): Promise<void>;
  /** Resolves also when it is gone already. */
  deletePod(pod: Pod): Promise<void>;
  createClaim(claim: PersistentVolumeClaim): Promise<void>;
  tieClaim(claim: PersistentVolumeClaim, ownerReferences: readonly OwnerReference[]): Promise<void>;
  resizeClaim(set: StatefulSet, resize: Resize): Promise<void>;
  /** False: it is gone. */
  adoptPod(set: StatefulSet, pod: Pod): Promise<boolean>;
  releasePod(set: StatefulSet, pod: Pod): Promise<void>;
  adoptRevision(set: StatefulSet, revision: ControllerRevision): Promise<ControllerRevision>;
  createRevision(revision: ControllerRevision): Promise<ControllerRevision>;
  getRevision(revision: ControllerRevision): Promise<ControllerRevision>;
  renumberRevision(revision: ControllerRevision, to: number): Promise<ControllerRevision>;
  deleteRevision(revision: ControllerRevision): Promise<void>;
  writeStatus(set: StatefulSet, status: MergePatch): Promise<void>;
  /** Rejects unless the set is still this one and is not being deleted: then nothing may be adopted. */
  confirmAlive(set: StatefulSet): Promise<void>;
}

export function createWriter(client: KubeClient, news: WriteNews, signal: AbortSignal): Writer {
  async function create<T extends KubeObject>(resource: Resource<T>, object: T): Promise<T> {
    const created = await client.create(resource, object, {}, signal);
    news.wrote(resource, created);
    return created;
  }
  async function patch<T extends KubeObject>(resource: Resource<T>, object: T, how: Patch): Promise<T> {
    const written = await client.patch(resource, refOf(object), how, {}, signal);
    news.wrote(resource, written, object.metadata.resourceVersion);
    return written;
  }
  async function remove<T extends KubeObject>(resource: Resource<T>, object: T): Promise<void> {
    const { uid = "" } = object.metadata;
    try {
      await client.delete(resource, refOf(object), { preconditions: { uid } }, signal);
      news.deleted(resource, object);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
  const adoption = (set: StatefulSet, { metadata }: Pod | ControllerRevision): MergePatch => ({
    metadata: { uid: metadata.uid, ownerReferences: [controllerReference("StatefulSet", set)] },
  });

  return {
    async createPod(pod) {
      await create(PODS, pod);
    },
    async mendPod(set, pod, ordinal) {
      // What is held of a pod is not the whole of it.
      const whole = await client.get(PODS, refOf(pod), {}, signal);
      const labels = { ...whole.metadata.labels, ...identityLabels(set, ordinal) };
      const spec = { ...whole.spec, volumes: volumesWithClaims(set, whole.spec.volumes ?? [], ordinal) };
      const mended = { ...whole, metadata: { ...whole.metadata, labels }, spec };
      news.wrote(PODS, await client.update(PODS, mended, {}, signal), pod.metadata.resourceVersion);
    },
    deletePod: (pod) => remove(PODS, pod),
    async createClaim(claim) {
      await create(CLAIMS, claim);
    },
    async tieClaim(claim, ownerReferences) {
      const body = withPrecondition({ metadata: { ownerReferences } }, claim);
      const written = await client.patch(CLAIMS, refOf(claim), { type: "merge", body }, {}, signal);
      news.claim(written, claim.metadata.resourceVersion ?? "");
    },
    async resizeClaim({ metadata: { namespace } }, { name, uid, resourceVersion, to }) {
      const body = {
        metadata: { uid, resourceVersion },
        spec: { resources: { requests: { storage: to.toString() } } },
      };
      const ref = { namespace, name };
      const written = await client.patch(CLAIMS, ref, { type: "merge", body }, {}, signal);
      news.claim(written, resourceVersion);
    },
    async adoptPod(set, pod) {
      try {
        await patch(PODS, pod, { type: "strategic", body: adoption(set, pod) });
        return true;
      } catch (error) {
        if (isNotFound(error)) return false;
        throw error;
      }
    },
    async releasePod(set, pod) {
      const ownerReferences = [{ $patch: "delete", uid: set.metadata.uid }];
      const body = { metadata: { uid: pod.metadata.uid, ownerReferences } };
      try {
        await patch(PODS, pod, { type: "strategic", body });
      } catch (error) {
        // It is gone, or no longer ours.
        if (!isNotFound(error) && !isInvalid(error)) throw error;
      }
    },
    adoptRevision: (set, revision) =>
      patch(CONTROLLER_REVISIONS, revision, { type: "strategic", body: adoption(set, revision) }),
    createRevision(revision) {
      const data = asGoWrites(revision.data) as ControllerRevision["data"];
      return create(CONTROLLER_REVISIONS, { ...revision, data });
    },
    getRevision: (revision) => client.get(CONTROLLER_REVISIONS, refOf(revision), {}, signal),
    renumberRevision: (revision, to) =>
      patch(CONTROLLER_REVISIONS, revision, {
        type: "merge",
        body: withPrecondition({ revision: to }, revision),
      }),
    deleteRevision: (revision) => remove(CONTROLLER_REVISIONS, revision),
    async writeStatus(set, status) {
      const body = withPrecondition({ status }, set);
      const options = { subresource: "status" };
      const written = await client.patch(STATEFUL_SETS, refOf(set), { type: "merge", body }, options, signal);
      news.set(written, set.metadata.resourceVersion ?? "");
    },
    async confirmAlive(set) {
      const { metadata } = await client.get(STATEFUL_SETS, refOf(set), {}, signal);
      if (metadata.uid !== set.metadata.uid || metadata.deletionTimestamp !== undefined) {
        throw new Error(`StatefulSet ${metadata.namespace}/${metadata.name} has just been deleted; it adopts nothing`);
      }
    },
  };
}

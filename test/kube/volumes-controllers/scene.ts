/** One namespace of a cluster, with volumes and classes of its own, in which a scenario is played and looked at. */
import {
  aClaim,
  aVolume,
  type ClaimSketch,
  type VolumeSketch,
} from "../../../src/cluster/controllers/volumes/testing/objects.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "../../../src/core/types.ts";
import { CLAIMS, EVENTS, type KubeClient, VOLUMES } from "../../../src/kube/index.ts";

/** Volumes and classes have no namespace: in the API their names begin with the scene's. */
export interface Scene {
  readonly client: KubeClient;
  readonly namespace: string;
  /** What something without a namespace is called in the API. */
  named(name: string): string;
  /** Creates a volume of the class `own`, unless told otherwise. */
  volume(name: string, sketch?: VolumeSketch): Promise<PersistentVolume>;
  /** Creates a claim of the class `own`, unless told otherwise. */
  claim(name: string, sketch?: ClaimSketch): Promise<PersistentVolumeClaim>;
  readClaim(name: string): Promise<PersistentVolumeClaim>;
  deleteClaim(name: string): Promise<unknown>;
}

export function createScene(client: KubeClient, namespace: string): Scene {
  const named = (name: string): string => `${namespace}-${name}`;
  const classNamed = (name = "own"): string => (name === "" ? "" : named(name));
  return {
    client,
    namespace,
    named,
    volume(name, sketch = {}) {
      const spec = { ...sketch.spec, storageClassName: classNamed(sketch.spec?.storageClassName) };
      return client.create(VOLUMES, aVolume(named(name), { ...sketch, spec }));
    },
    claim(name, sketch = {}) {
      const spec = { ...sketch.spec, storageClassName: classNamed(sketch.spec?.storageClassName) };
      const metadata = { ...sketch.metadata, namespace };
      return client.create(CLAIMS, aClaim(name, { ...sketch, spec, metadata }));
    },
    readClaim: (name) => client.get(CLAIMS, { namespace, name }),
    deleteClaim: (name) => client.delete(CLAIMS, { namespace, name }),
  };
}

export interface Snapshot {
  readonly claims: Readonly<Record<string, ClaimView>>;
  readonly volumes: Readonly<Record<string, VolumeView>>;
  /** Once each, sorted: `data Normal FailedBinding: ...`. */
  readonly told: readonly string[];
}

type ClaimView = Pick<PersistentVolumeClaim, "spec" | "status"> & { readonly metadata: object };
type VolumeView = Pick<PersistentVolume, "spec" | "status"> & { readonly metadata: object };

/** Everything in the scene, by the scene's own names and without what differs from run to run. */
export async function takeSnapshot({ client, namespace }: Scene): Promise<Snapshot> {
  const [claims, volumes, inside, outside] = await Promise.all([
    client.list(CLAIMS, { namespace }),
    client.list(VOLUMES),
    client.list(EVENTS, { namespace }),
    client.list(EVENTS, { namespace: "default" }),
  ]);
  const uids = new Map(claims.items.map(({ metadata }) => [metadata.uid, metadata.name]));
  const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll(`"${namespace}-`, '"')) as T;
  const own = ({ metadata }: { metadata: { name: string } }): boolean => metadata.name.startsWith(`${namespace}-`);
  const told = [
    ...inside.items.filter(({ involvedObject }) => involvedObject.kind === "PersistentVolumeClaim"),
    ...outside.items.filter(({ involvedObject }) => involvedObject.name?.startsWith(`${namespace}-`)),
  ].map(({ involvedObject, type, reason, message, source }) =>
    `${involvedObject.name} ${source?.component} ${type} ${reason}: ${message}`.replaceAll(`${namespace}-`, ""),
  );
  return {
    claims: Object.fromEntries(
      claims.items.map((claim) => {
        const { name, annotations, finalizers, deletionTimestamp } = claim.metadata;
        const metadata = { annotations, finalizers, isGoing: deletionTimestamp !== undefined };
        return [name, plain({ metadata, spec: claim.spec, status: claim.status ?? {} })];
      }),
    ),
    volumes: Object.fromEntries(
      volumes.items.filter(own).map((volume) => {
        const { name, annotations, finalizers, labels, deletionTimestamp } = volume.metadata;
        const metadata = { annotations, finalizers, labels, isGoing: deletionTimestamp !== undefined };
        const { phase, message } = volume.status ?? {};
        const spec = plain({ ...volume.spec, claimRef: referenceOf(volume, uids) });
        return [name.slice(namespace.length + 1), { metadata, spec, status: plain({ phase, message }) } as VolumeView];
      }),
    ),
    told: [...new Set(told)].sort(),
  };
}

/**
 * The reference with the claim's name for its uid, and only whether it has a version: that one is of little use to
 * anybody.
 */
function referenceOf({ spec }: PersistentVolume, uids: ReadonlyMap<string | undefined, string>): unknown {
  if (spec.claimRef === undefined) return null;
  const { uid, resourceVersion, ...rest } = spec.claimRef as typeof spec.claimRef & { resourceVersion?: string };
  return {
    ...rest,
    uid: uid ? (uids.get(uid) ?? "somebody who is gone") : "",
    isVersioned: resourceVersion !== undefined,
  };
}

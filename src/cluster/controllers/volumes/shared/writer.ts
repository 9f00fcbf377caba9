/** Writing claims and volumes: the difference as one patch, bound to the very object and version that was read. */
import type { KubeObject, PersistentVolume, PersistentVolumeClaim } from "../../../../core/types.ts";
import {
  CLAIMS,
  type KubeClient,
  mergePatch,
  type Resource,
  refOf,
  VOLUMES,
  withPrecondition,
} from "../../../../kube/index.ts";
import type { View } from "./view.ts";

/**
 * Each takes the object as it was read and as it should be, and gives it as it is then; nothing is sent when nothing
 * differs. What the server answers is in the view at once. Rejects with `isConflict` when somebody else was first.
 */
export interface Writer {
  claim(read: PersistentVolumeClaim, wanted: PersistentVolumeClaim): Promise<PersistentVolumeClaim>;
  claimStatus(read: PersistentVolumeClaim, wanted: PersistentVolumeClaim): Promise<PersistentVolumeClaim>;
  volume(read: PersistentVolume, wanted: PersistentVolume): Promise<PersistentVolume>;
  volumeStatus(read: PersistentVolume, wanted: PersistentVolume): Promise<PersistentVolume>;
}

/** What is written is ours and well-formed: spares the server the search for fields that it does not know. */
const UNCHECKED = { fieldValidation: "Ignore" } as const;
const STATUS = { ...UNCHECKED, subresource: "status" } as const;

export function createWriter(client: KubeClient, view: View, signal: AbortSignal): Writer {
  async function write<T extends KubeObject>(
    resource: Resource<T>,
    read: T,
    wanted: T,
    options: typeof UNCHECKED | typeof STATUS,
    observe: (written: T, before: string) => unknown,
  ): Promise<T> {
    const difference = mergePatch(read, wanted);
    if (difference === undefined) return read;
    const patch = { type: "merge", body: withPrecondition(difference, read) } as const;
    const written = await client.patch(resource, refOf(read), patch, options, signal);
    observe(written, read.metadata.resourceVersion ?? "");
    return written;
  }
  const sawClaim = (written: PersistentVolumeClaim, before: string): boolean => view.claims.observe(written, before);
  const sawVolume = (written: PersistentVolume, before: string): boolean => view.volumes.observe(written, before);
  return {
    claim: (read, wanted) => write(CLAIMS, read, wanted, UNCHECKED, sawClaim),
    claimStatus: (read, wanted) => write(CLAIMS, read, wanted, STATUS, sawClaim),
    volume: (read, wanted) => write(VOLUMES, read, wanted, UNCHECKED, sawVolume),
    volumeStatus: (read, wanted) => write(VOLUMES, read, wanted, STATUS, sawVolume),
  };
}

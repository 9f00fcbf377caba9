/**
 * Writing a claim's status and a volume's capacity: the difference as one patch, bound to the version that was read.
 *
 * A lost race (409) costs a fresh read, and the change is made again from what is there now. It never costs a second
 * call to the driver.
 */
import type { PersistentVolume, PersistentVolumeClaim } from "../../core/types.ts";
import { CLAIMS, isConflict, type KubeClient, mergePatch, refOf, VOLUMES, withPrecondition } from "../../kube/index.ts";

/** Where the server's answers go, so that the next look at the cache sees our own writes. */
export interface Observers {
  readonly claim: (written: PersistentVolumeClaim, before: string) => void;
  readonly volume: (written: PersistentVolume, before: string) => void;
}

export interface Writer {
  readClaim(claim: PersistentVolumeClaim, signal: AbortSignal): Promise<PersistentVolumeClaim>;
  readVolume(volume: PersistentVolume, signal: AbortSignal): Promise<PersistentVolume>;
  /** Undefined: somebody else wrote the claim first, and it is not as it was read. Sends nothing when nothing differs. */
  tryClaim(
    read: PersistentVolumeClaim,
    wanted: PersistentVolumeClaim,
    signal: AbortSignal,
  ): Promise<PersistentVolumeClaim | undefined>;
  /** The same for a volume. */
  tryVolume(
    read: PersistentVolume,
    wanted: PersistentVolume,
    signal: AbortSignal,
  ): Promise<PersistentVolume | undefined>;
}

export function createWriter(client: Pick<KubeClient, "get" | "patch">, observers: Observers): Writer {
  return {
    readClaim: (claim, signal) => client.get(CLAIMS, refOf(claim), {}, signal),
    readVolume: (volume, signal) => client.get(VOLUMES, refOf(volume), {}, signal),

    async tryClaim(read, wanted, signal) {
      const body = mergePatch(read, wanted);
      if (body === undefined) return read;
      const patch = { type: "merge", body: withPrecondition(body, read) } as const;
      const written = await unlessLost(client.patch(CLAIMS, refOf(read), patch, { subresource: "status" }, signal));
      if (written !== undefined) observers.claim(written, read.metadata.resourceVersion ?? "");
      return written;
    },

    async tryVolume(read, wanted, signal) {
      const body = mergePatch(read, wanted);
      if (body === undefined) return read;
      const patch = { type: "merge", body: withPrecondition(body, read) } as const;
      const written = await unlessLost(client.patch(VOLUMES, refOf(read), patch, {}, signal));
      if (written !== undefined) observers.volume(written, read.metadata.resourceVersion ?? "");
      return written;
    },
  };
}

async function unlessLost<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (isConflict(error)) return undefined;
    throw error;
  }
}

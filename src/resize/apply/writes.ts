/**
 * Writing a claim's status and a volume's capacity: the difference as one patch, bound to the version that was read.
 *
 * A lost race (409) costs a fresh read, and the change is made again from what is there now. It never costs a second
 * call to the driver.
 */
import { describe } from "../../core/claim.ts";
import type { KubeObject, PersistentVolume, PersistentVolumeClaim } from "../../core/types.ts";
import {
  CLAIMS,
  isConflict,
  type KubeClient,
  KubeError,
  mergePatch,
  refOf,
  VOLUMES,
  withPrecondition,
} from "../../kube/index.ts";

/** Where the server's answers go, so that the next look at the cache sees our own writes. */
export interface Observers {
  /** A claim is about to be written like this: the watch may be faster than the answer. */
  readonly claiming?: (wanted: PersistentVolumeClaim) => void;
  readonly claim: (written: PersistentVolumeClaim, before: string) => void;
  readonly volume: (written: PersistentVolume, before: string) => void;
}

export interface Writer {
  /** The claim as it is now. One of the same name that was made anew is another one: then, too, it is not found. */
  readClaim(claim: PersistentVolumeClaim, signal: AbortSignal): Promise<PersistentVolumeClaim>;
  /** The same for a volume. */
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

/** These patches are ours: spares the server the search for fields that it does not know, on every one of them. */
const UNCHECKED = { fieldValidation: "Ignore" } as const;

export function createWriter(client: Pick<KubeClient, "get" | "patch">, observers: Observers): Writer {
  return {
    readClaim: (claim, signal) => theSame(claim, client.get(CLAIMS, refOf(claim), {}, signal)),
    readVolume: (volume, signal) => theSame(volume, client.get(VOLUMES, refOf(volume), {}, signal)),

    async tryClaim(read, wanted, signal) {
      const body = mergePatch(read, wanted);
      if (body === undefined) return read;
      const patch = { type: "merge", body: withPrecondition(body, read) } as const;
      observers.claiming?.(wanted);
      const options = { ...UNCHECKED, subresource: "status" };
      const written = await unlessLost(client.patch(CLAIMS, refOf(read), patch, options, signal));
      if (written !== undefined) observers.claim(written, read.metadata.resourceVersion ?? "");
      return written;
    },

    async tryVolume(read, wanted, signal) {
      const body = mergePatch(read, wanted);
      if (body === undefined) return read;
      const patch = { type: "merge", body: withPrecondition(body, read) } as const;
      const written = await unlessLost(client.patch(VOLUMES, refOf(read), patch, UNCHECKED, signal));
      if (written !== undefined) observers.volume(written, read.metadata.resourceVersion ?? "");
      return written;
    },
  };
}

async function theSame<T extends KubeObject>(known: T, reading: Promise<T>): Promise<T> {
  const read = await reading;
  if (read.metadata.uid === known.metadata.uid) return read;
  throw new KubeError("NotFound", `${describe(read)} was deleted and made anew`, { status: 404 });
}

async function unlessLost<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (isConflict(error)) return undefined;
    throw error;
  }
}

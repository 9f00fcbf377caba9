/** Writing a claim's status: the difference as one patch, bound to the version that was read. */
import { describe } from "../../core/claim.ts";
import type { PersistentVolumeClaim } from "../../core/types.ts";
import {
  CLAIMS,
  isConflict,
  type KubeClient,
  KubeError,
  mergePatch,
  refOf,
  withPrecondition,
} from "../../kube/index.ts";

export interface Writer {
  /** The claim as it is now. One of the same name that was made anew is another one: then, too, it is not found. */
  readClaim(claim: PersistentVolumeClaim, signal: AbortSignal): Promise<PersistentVolumeClaim>;
  /** Undefined: somebody else wrote the claim first, and it is not as it was read. Sends nothing when nothing differs. */
  tryClaim(
    read: PersistentVolumeClaim,
    wanted: PersistentVolumeClaim,
    signal: AbortSignal,
  ): Promise<PersistentVolumeClaim | undefined>;
}

/** `observe` gets the server's answers, so that the next look at a cache sees our own writes. */
export function createWriter(
  client: Pick<KubeClient, "get" | "patch">,
  observe: (written: PersistentVolumeClaim, before: string) => void,
): Writer {
  return {
    async readClaim(claim, signal) {
      const read = await client.get(CLAIMS, refOf(claim), {}, signal);
      if (read.metadata.uid === claim.metadata.uid) return read;
      throw new KubeError("NotFound", `${describe(read)} was deleted and made anew`, { status: 404 });
    },

    async tryClaim(read, wanted, signal) {
      const body = mergePatch(read, wanted);
      if (body === undefined) return read;
      const patch = { type: "merge", body: withPrecondition(body, read) } as const;
      const options = { subresource: "status", fieldValidation: "Ignore" } as const;
      try {
        const written = await client.patch(CLAIMS, refOf(read), patch, options, signal);
        observe(written, read.metadata.resourceVersion ?? "");
        return written;
      } catch (error) {
        if (isConflict(error)) return undefined;
        throw error;
      }
    },
  };
}

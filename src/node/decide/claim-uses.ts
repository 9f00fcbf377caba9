/** Which claims a pod uses, and how. */
import type { Pod } from "../../core/types.ts";

export interface ClaimUse {
  /** What the pod calls the volume. */
  readonly volume: string;
  /** The claim's name, in the pod's namespace. */
  readonly claim: string;
  readonly readOnly: boolean;
  /** The claim is made for this pod and goes with it (a generic ephemeral volume). */
  readonly ephemeral: boolean;
}

export function claimUses({ metadata, spec }: Pick<Pod, "metadata" | "spec">): ClaimUse[] {
  return (spec.volumes ?? []).flatMap(({ name: volume, persistentVolumeClaim, ephemeral }): ClaimUse[] => {
    if (persistentVolumeClaim !== undefined) {
      const { claimName: claim, readOnly = false } = persistentVolumeClaim;
      return [{ volume, claim, readOnly, ephemeral: false }];
    }
    // Upstream component-helpers/storage/ephemeral: the claim is called after the pod and the volume.
    return ephemeral === undefined
      ? []
      : [{ volume, claim: `${metadata.name}-${volume}`, readOnly: false, ephemeral: true }];
  });
}

/** Whether the pod has ended, and holds no volume any more. */
export function hasEnded({ status }: Pick<Pod, "status">): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

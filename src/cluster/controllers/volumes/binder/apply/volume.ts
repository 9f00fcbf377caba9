/** Carries out what was decided about a volume. */
import type { PersistentVolume, PersistentVolumeClaim } from "../../../../../core/types.ts";
import type { Teller } from "../../shared/teller.ts";
import type { Writer } from "../../shared/writer.ts";
import { volumeInPhase, volumeUnbound } from "../decide/binding.ts";
import type { VolumeDecision } from "../decide/volume.ts";

export interface VolumeTools {
  readonly writer: Writer;
  readonly teller: Teller;
  /** Has the volume's claim looked at. */
  readonly lookAtClaim: (volume: PersistentVolume) => void;
}

/**
 * `claim`: what the decision was made about; there when it is about a claim. Rejects with the first write that fails.
 */
export async function applyToVolume(
  { writer, teller, lookAtClaim }: VolumeTools,
  volume: PersistentVolume,
  claim: PersistentVolumeClaim | undefined,
  decision: VolumeDecision,
): Promise<void> {
  switch (decision.kind) {
    case "phase": {
      const { phase, news } = decision;
      if (volume.status?.phase === phase) return;
      const written = await writer.volumeStatus(volume, volumeInPhase(volume, phase, news?.message));
      if (news !== undefined) teller.volume(written, news);
      return;
    }
    case "look-at-claim":
      lookAtClaim(volume);
      return;
    case "unbind": {
      const unbound = await writer.volume(volume, volumeUnbound(volume));
      await writer.volumeStatus(unbound, volumeInPhase(unbound, "Available"));
      return;
    }
    case "mismatch":
      teller.volume(volume, decision.volumeNews);
      if (claim !== undefined) teller.claim(claim, decision.claimNews);
      return;
  }
}

/** Carries out what was decided about a claim. */
import type { PersistentVolume, PersistentVolumeClaim } from "../../../../../core/types.ts";
import type { Teller } from "../../shared/teller.ts";
import type { Writer } from "../../shared/writer.ts";
import {
  claimBound,
  claimForVolume,
  claimHandedOver,
  claimInPhase,
  volumeForClaim,
  volumeInPhase,
} from "../decide/binding.ts";
import type { ClaimDecision } from "../decide/claim.ts";

/** Rejects with the first write that fails; what was written until then is where the next attempt goes on. */
export async function applyToClaim(
  { writer, teller }: { readonly writer: Writer; readonly teller: Teller },
  claim: PersistentVolumeClaim,
  decision: ClaimDecision,
): Promise<void> {
  switch (decision.kind) {
    case "bind":
      await bind(writer, claim, decision.volume);
      teller.forget(claim);
      return;
    case "assign-class":
      await writer.claim(claim, { ...claim, spec: { ...claim.spec, storageClassName: decision.className } });
      return;
    case "hand-over":
      teller.claim(await writer.claim(claim, claimHandedOver(claim, decision.provisioner)), decision.news);
      return;
    case "no-volume": {
      const { phase, news, once } = decision;
      const isNew = claim.status?.phase !== phase;
      // Upstream leaves everything of a claim alone that is lost already.
      if (once && !isNew) return;
      const written = await writer.claimStatus(claim, claimInPhase(claim, phase));
      if (news !== undefined) teller.claim(written, news);
      return;
    }
    case "leave":
      teller.claim(claim, decision.news);
      return;
  }
}

/** The volume first: while its side is not written, the claim may still get another one. */
async function bind(writer: Writer, claim: PersistentVolumeClaim, volume: PersistentVolume): Promise<void> {
  const reserved = await writer.volume(volume, volumeForClaim(volume, claim));
  const bound = await writer.volumeStatus(reserved, volumeInPhase(reserved, "Bound"));
  const referring = await writer.claim(claim, claimForVolume(claim, bound));
  await writer.claimStatus(referring, claimBound(referring, bound));
}

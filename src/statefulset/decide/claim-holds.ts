/** The reasons not to change a template now that lie with the claims; holds.ts has the others, and the order. */
import type { Hold, TemplateFacts } from "./holds.ts";
import { namesOf } from "./names-of.ts";
import { strangersOf } from "./references.ts";

/**
 * One by one and with canaries the template comes last: a size that the storage turns out not to have must not be what new
 * replicas come up with.
 */
export function claimsUnproven({ unproven }: TemplateFacts): Hold | undefined {
  if (unproven !== true) return undefined;
  return hold("claims-held", "the claims grow in order, and the template follows when they have shown that it works");
}

/** Where the API server takes the edit, its own controller grows all claims at once when it sees it (KEP-661). */
export function claimsHeld({ claimsHeld, unproven }: TemplateFacts): Hold | undefined {
  if (claimsHeld !== true || unproven === true) return undefined;
  return hold("claims-held", "the claims grow in order, and the template follows when none is held back");
}

/**
 * A custom resource may be lowered to the size of its set and no further (MOCO's text: compare with the StatefulSet). So the set
 * does not get a size that the storage has not given yet: who asked for too much could not go back otherwise.
 */
export function claimsOpen({ claimsOpen }: TemplateFacts): Hold | undefined {
  if (claimsOpen !== true) return undefined;
  return hold("claims-open", "the template follows when the storage has given every claim its size");
}

export function claimDeleting({ claims }: TemplateFacts): Hold | undefined {
  const going = claims.map(({ claim }) => claim).filter((claim) => claim.metadata.deletionTimestamp !== undefined);
  if (going.length === 0) return undefined;
  return hold("claim-deleting", `${namesOf(going)} being deleted`);
}

export function claimStrayOwner({ set, claims, pods }: TemplateFacts): Hold | undefined {
  for (const { claim } of claims) {
    const [owner] = strangersOf(claim, set, pods);
    if (owner === undefined) continue;
    return hold(
      "claim-stray-owner",
      `claim ${claim.metadata.name} is tied to ${owner.kind} ${owner.name} (${owner.uid}), which is not this set or a pod of it; ` +
        "the garbage collector may delete the claim: remove that owner reference",
    );
  }
  return undefined;
}

function hold(id: Hold["id"], reason: string): Hold {
  return { id, reason, lookAgain: { on: "claims" } };
}

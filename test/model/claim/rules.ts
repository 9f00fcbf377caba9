/** The rules under test: the functions of production, gathered in one object so that a mutant can replace one of them. */

import { validateClaimUpdate } from "../../../src/admission/claim-update.ts";
import { claimUsage } from "../../../src/admission/claim-usage.ts";
import { afterNodeAnswer } from "../../../src/node/decide/answer.ts";
import { decideNodeStep } from "../../../src/node/decide/step.ts";
import { afterAnswer } from "../../../src/resize/decide/answer.ts";
import { decideStep } from "../../../src/resize/decide/step.ts";

export interface ClaimRules {
  readonly validateClaimUpdate: typeof validateClaimUpdate;
  readonly claimUsage: typeof claimUsage;
  readonly decideStep: typeof decideStep;
  readonly afterAnswer: typeof afterAnswer;
  readonly decideNodeStep: typeof decideNodeStep;
  readonly afterNodeAnswer: typeof afterNodeAnswer;
  /** How the decisions are carried out. Production does all of this; a mutant leaves one out. */
  readonly conduct: {
    /** The record is written before the driver is called. */
    readonly recordsFirst: boolean;
    /** A step that has nothing to record reads the claim afresh before the call. */
    readonly verifies: boolean;
    /** Writes carry the resourceVersion that was read. */
    readonly preconditions: boolean;
    /** Whoever has lost the lease calls nobody. */
    readonly fenced: boolean;
    /** Whoever loses the lease forgets what it remembered. */
    readonly forgetsWithLease: boolean;
    /** Whoever gives up a step because the API server fails forgets what it remembered before the step. */
    readonly forgetsOnFailure: boolean;
    /** The volume is patched before the claim. */
    readonly volumeFirst: boolean;
  };
}

export const RULES: ClaimRules = {
  validateClaimUpdate,
  claimUsage,
  decideStep,
  afterAnswer,
  decideNodeStep,
  afterNodeAnswer,
  conduct: {
    recordsFirst: true,
    verifies: true,
    preconditions: true,
    fenced: true,
    forgetsWithLease: true,
    forgetsOnFailure: true,
    volumeFirst: true,
  },
};

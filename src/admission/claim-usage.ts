/**
 * How much storage a claim counts for: THE quota rule (KEP-1790, "Update quota code to use max(pvc.Spec.Resources,
 * pvc.Status.AllocatedResources)"). Quota admission, preflight and the model checker all ask this one function.
 */
import type { ClaimView } from "../core/claim.ts";
import type { Gates } from "../core/gates.ts";
import { Quantity } from "../core/quantity.ts";

/**
 * The larger of the request and the recorded `allocatedResources`, each rounded up to whole bytes. Lowering a request
 * therefore frees nothing while a larger expansion may still be under way. With the recovery gate off only the request
 * counts: the record is then no longer kept up to date, and nothing is computed from it until the gate is on again.
 *
 * `status.capacity` plays no part: it is not known before a claim is bound, and a user could overcommit until then.
 */
export function claimUsage(
  claim: Pick<ClaimView, "request" | "allocated">,
  gates: Pick<Gates, "RecoverExpansionFailure">,
): Quantity {
  const request = claim.request.roundUp();
  if (!gates.RecoverExpansionFailure || claim.allocated === undefined) return request;
  return Quantity.max(request, claim.allocated.roundUp());
}

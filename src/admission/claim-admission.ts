/**
 * The way of a claim's edit through an API server: reset what may not be sent, validate, then the admission checks in
 * Kubernetes' order, quota last. One call for the server; the steps are the rules of this folder.
 */
import type { Gates } from "../core/gates.ts";
import type { LimitRange, PersistentVolumeClaim, ResourceQuota } from "../core/types.ts";
import { resizeObstacle, resizeRefusal } from "./claim-resize.ts";
import { claimWarnings } from "./claim-rules.ts";
import { prepareClaimStatusUpdate, validateClaimStatusUpdate } from "./claim-status-update.ts";
import { prepareClaimUpdate, validateClaimUpdate } from "./claim-update.ts";
import { limitRangeRefusal } from "./limit-range.ts";
import { type ClaimWrite, chargeQuotas } from "./quota.ts";
import type { StorageClasses } from "./storage-classes.ts";
import { claimTarget, type FieldError, type Refusal } from "./verdict.ts";

/** What the checks look at besides the claim: ranges and quotas are those of its namespace. */
export interface Surroundings {
  readonly gates: Gates;
  readonly classes: StorageClasses;
  readonly limitRanges: readonly LimitRange[];
  readonly quotas: readonly ResourceQuota[];
}

export type ClaimAdmission =
  | {
      readonly kind: "admitted";
      /** What to store. */
      readonly claim: PersistentVolumeClaim;
      /** The quotas with the edit booked; those that it does not touch are the same objects. */
      readonly quotas: readonly ResourceQuota[];
      /** What to tell the client all the same. */
      readonly warnings: readonly string[];
    }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** An update of the claim itself. Throws `OBJECT_MALFORMED` for a size that cannot be read. */
export function admitClaimUpdate(
  old: PersistentVolumeClaim,
  sent: PersistentVolumeClaim,
  around: Surroundings,
): ClaimAdmission {
  const next = prepareClaimUpdate(old, sent);
  const errors = validateClaimUpdate(old, next, around.gates);
  if (errors.length > 0) return isInvalid(old, errors);

  const outOfRange = limitRangeRefusal(next, around.limitRanges, old);
  if (outOfRange !== undefined) return isForbidden(old, outOfRange);

  const obstacle = resizeObstacle(old, next, around.classes);
  if (obstacle !== undefined) return isForbidden(old, resizeRefusal(obstacle));

  return book({ old, next }, around, claimWarnings(next));
}

/** An update of the claim's status. Quota books what it adds, and never refuses it. */
export function admitClaimStatusUpdate(
  old: PersistentVolumeClaim,
  sent: PersistentVolumeClaim,
  around: Pick<Surroundings, "gates" | "quotas">,
): ClaimAdmission {
  const next = prepareClaimStatusUpdate(old, sent, around.gates);
  const errors = validateClaimStatusUpdate(old, next, around.gates);
  if (errors.length > 0) return isInvalid(old, errors);
  return book({ old, next, subresource: "status" }, around, []);
}

function book(
  write: ClaimWrite,
  around: Pick<Surroundings, "gates" | "quotas">,
  warnings: readonly string[],
): ClaimAdmission {
  const answer = chargeQuotas(write, around.quotas, around.gates);
  if (answer.kind === "refused") return isForbidden(write.next, answer.reason);
  return { kind: "admitted", claim: write.next, quotas: answer.quotas, warnings };
}

function isInvalid({ metadata }: PersistentVolumeClaim, errors: readonly FieldError[]): ClaimAdmission {
  return { kind: "refused", refusal: { kind: "invalid", target: claimTarget(metadata.name), errors } };
}

function isForbidden({ metadata }: PersistentVolumeClaim, reason: string): ClaimAdmission {
  return { kind: "refused", refusal: { kind: "forbidden", target: claimTarget(metadata.name), reason } };
}

/**
 * Quota for claims, as upstream counts and refuses: what a claim is charged, what an edit adds, and usage computed anew.
 * How much storage a claim counts for is `claimUsage`; everything here only adds up.
 */
import { type ClaimView, readClaim } from "../core/claim.ts";
import type { Gates } from "../core/gates.ts";
import { Quantity } from "../core/quantity.ts";
import type { PersistentVolumeClaim, ResourceList, ResourceQuota } from "../core/types.ts";
import { claimUsage } from "./claim-usage.ts";
import { type Booking, bookCharges, type Charges, NOTHING, type QuotaAnswer } from "./quota-booking.ts";
import { quotaCounts } from "./quota-scope.ts";

type RecoveryGate = Pick<Gates, "RecoverExpansionFailure">;

const STORAGE_REQUESTS = "requests.storage";
const CLAIM_COUNT = "persistentvolumeclaims";
const OBJECT_COUNT = "count/persistentvolumeclaims";
const BY_CLASS = ".storageclass.storage.k8s.io/";
const ONE = Quantity.parse("1");

/** What a claim is charged: one claim and its storage, in total and once more for its class. */
export function claimCharges(
  claim: Pick<ClaimView, "request" | "allocated" | "className">,
  gates: RecoveryGate,
): Charges {
  const charges = new Map([
    [CLAIM_COUNT, ONE],
    [OBJECT_COUNT, ONE],
  ]);
  const className = claim.className ?? "";
  if (className !== "") charges.set(className + BY_CLASS + CLAIM_COUNT, ONE);
  // Without a request nothing is charged, not even what is recorded as allocated.
  if (claim.request.equals(Quantity.zero)) return charges;
  const storage = claimUsage(claim, gates);
  charges.set(STORAGE_REQUESTS, storage);
  if (className !== "") charges.set(className + BY_CLASS + STORAGE_REQUESTS, storage);
  return charges;
}

/** A claim that is about to be stored. Without `old` it is new. */
export interface ClaimWrite {
  readonly old?: PersistentVolumeClaim;
  readonly next: PersistentVolumeClaim;
  /** A write to the status raises usage but is never refused: what is allocated is allocated. */
  readonly subresource?: "status";
}

/**
 * Charges a write to the quotas of its namespace. An edit adds what the claim now counts for above what it counted
 * before; one that lowers it frees nothing here: `recomputeQuota` does that later, from the claims as they are then.
 * Throws `OBJECT_MALFORMED` for an amount that cannot be read.
 */
export function chargeQuotas(write: ClaimWrite, quotas: readonly ResourceQuota[], gates: RecoveryGate): QuotaAnswer {
  return bookCharges(claimBooking(write, gates), quotas);
}

/** A claim's write, as quotas see it. Throws `OBJECT_MALFORMED` for a size that cannot be read. */
export function claimBooking({ old, next, subresource }: ClaimWrite, gates: RecoveryGate): Booking {
  return {
    after: claimCharges(readClaim(next), gates),
    before: old === undefined ? NOTHING : claimCharges(readClaim(old), gates),
    counts: (quota) => quotaCounts(quota, next),
    counted: (quota) => old !== undefined && quotaCounts(quota, old),
    isCharged: isClaimResource,
    refusable: subresource !== "status",
  };
}

/**
 * The quota with its usage computed anew from all claims of its namespace: how usage goes down, and how it becomes right
 * again after the recovery gate was switched. What the quota limits besides claims stays as it is.
 */
export function recomputeQuota(
  quota: ResourceQuota,
  claims: Iterable<PersistentVolumeClaim>,
  gates: RecoveryGate,
): ResourceQuota {
  const hard = quota.spec?.hard ?? {};
  const totals = new Map<string, Quantity>();
  for (const claim of claims) {
    if (!quotaCounts(quota, claim)) continue;
    for (const [name, amount] of claimCharges(readClaim(claim), gates)) {
      totals.set(name, (totals.get(name) ?? Quantity.zero).plus(amount));
    }
  }
  const used: ResourceList = {};
  for (const name of Object.keys(hard)) {
    const total = isClaimResource(name) ? (totals.get(name) ?? Quantity.zero).toString() : quota.status?.used?.[name];
    if (total !== undefined) used[name] = total;
  }
  return { ...quota, status: { ...quota.status, hard, used } };
}

/** Whether a quota resource is about claims: counts, storage, and both by class. */
export function isClaimResource(name: string): boolean {
  return (
    [OBJECT_COUNT, CLAIM_COUNT, STORAGE_REQUESTS].includes(name) ||
    [CLAIM_COUNT, STORAGE_REQUESTS].some((resource) => name.endsWith(BY_CLASS + resource))
  );
}

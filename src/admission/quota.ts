/**
 * Quota for claims, as upstream counts and refuses: what a claim is charged, what an edit adds, and usage computed anew.
 * How much storage a claim counts for is `claimUsage`; everything here only adds up.
 */
import { type ClaimView, describe, readClaim } from "../core/claim.ts";
import { OutgrowError } from "../core/errors.ts";
import type { Gates } from "../core/gates.ts";
import { Quantity } from "../core/quantity.ts";
import { tryReadSize } from "../core/semantic-equal.ts";
import type { PersistentVolumeClaim, ResourceList, ResourceQuota } from "../core/types.ts";
import { claimUsage } from "./claim-usage.ts";
import { quotaCounts } from "./quota-scope.ts";

type RecoveryGate = Pick<Gates, "RecoverExpansionFailure">;

/** Amounts by the name a quota knows them under. */
export type Charges = ReadonlyMap<string, Quantity>;

type Charge = readonly [name: string, amount: Quantity];

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

export type QuotaAnswer =
  /** The quotas with what the write adds booked; those that it does not touch are the same objects. */
  | { readonly kind: "allowed"; readonly quotas: readonly ResourceQuota[] }
  /** `reason` is Kubernetes' text; `quota` the first one that refuses, in the order given. */
  | { readonly kind: "refused"; readonly quota: string; readonly reason: string };

/**
 * Charges a write to the quotas of its namespace. An edit adds what the claim now counts for above what it counted
 * before; one that lowers it frees nothing here: `recomputeQuota` does that later, from the claims as they are then.
 * Throws `OBJECT_MALFORMED` for an amount that cannot be read.
 */
export function chargeQuotas(write: ClaimWrite, quotas: readonly ResourceQuota[], gates: RecoveryGate): QuotaAnswer {
  const after = claimCharges(readClaim(write.next), gates);
  const before = write.old === undefined ? NOTHING : claimCharges(readClaim(write.old), gates);
  const booked: ResourceQuota[] = [];
  for (const quota of quotas) {
    const unknown = unknownUsage(quota);
    // Raising an unknown usage would make it look known, and far too low.
    if (!quotaCounts(quota, write.next) || (unknown !== undefined && write.subresource === "status")) {
      booked.push(quota);
      continue;
    }
    const counted = write.old !== undefined && quotaCounts(quota, write.old) ? before : NOTHING;
    const added = increase(after, counted).filter(([name]) => quota.status?.hard?.[name] !== undefined);
    const reason = write.subresource === "status" ? undefined : (unknown ?? exceededBy(added, quota));
    if (reason !== undefined) return { kind: "refused", quota: quota.metadata.name, reason };
    booked.push(book(quota, added));
  }
  return { kind: "allowed", quotas: booked };
}

const NOTHING: Charges = new Map();

/** Before usage was computed once, nobody can say whether there is room: everything is refused until then. */
function unknownUsage({ metadata, status }: ResourceQuota): string | undefined {
  const limited = Object.keys(status?.hard ?? {})
    .filter(isClaimResource)
    .sort();
  if (limited.every((name) => status?.used?.[name] !== undefined)) return undefined;
  return `status unknown for quota: ${metadata.name}, resources: ${limited.join(",")}`;
}

function exceededBy(added: readonly Charge[], quota: ResourceQuota): string | undefined {
  const exceeded = added.filter(([name, more]) => usedOf(quota, name).plus(more).moreThan(hardOf(quota, name)));
  if (exceeded.length === 0) return undefined;
  const list = (amount: (charge: Charge) => Quantity) =>
    exceeded.map((charge) => `${charge[0]}=${amount(charge).toString()}`).join(",");
  return [
    `exceeded quota: ${quota.metadata.name}`,
    `requested: ${list(([, more]) => more)}`,
    `used: ${list(([name]) => usedOf(quota, name))}`,
    `limited: ${list(([name]) => hardOf(quota, name))}`,
  ].join(", ");
}

function book(quota: ResourceQuota, added: readonly Charge[]): ResourceQuota {
  if (added.length === 0) return quota;
  const raised = added.map(([name, more]) => [name, usedOf(quota, name).plus(more).toString()]);
  return { ...quota, status: { ...quota.status, used: { ...quota.status?.used, ...Object.fromEntries(raised) } } };
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

/** What the first charges are above the second, without what stays or falls, sorted by name. */
function increase(after: Charges, before: Charges): Charge[] {
  return [...after]
    .map(([name, amount]): Charge => [name, amount.minus(before.get(name) ?? Quantity.zero)])
    .filter(([, more]) => more.moreThan(Quantity.zero))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function usedOf(quota: ResourceQuota, name: string): Quantity {
  return readAmount(quota, "used", name);
}

function hardOf(quota: ResourceQuota, name: string): Quantity {
  return readAmount(quota, "hard", name);
}

function readAmount(quota: ResourceQuota, list: "used" | "hard", name: string): Quantity {
  const written = quota.status?.[list]?.[name];
  const amount = tryReadSize(written ?? "0");
  if (amount !== undefined) return amount;
  const text = JSON.stringify(written);
  throw new OutgrowError("OBJECT_MALFORMED", `${describe(quota)}: status.${list}.${name}: ${text} is not a quantity`);
}

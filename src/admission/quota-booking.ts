/**
 * Booking on quotas, whatever is booked: what a write adds to which quota, and the refusal where there is no room. What an
 * object is charged, and which quotas count it, is said by those who know the kind (upstream resourcequota.CheckRequest).
 */
import { describe } from "../core/claim.ts";
import { OutgrowError } from "../core/errors.ts";
import { Quantity } from "../core/quantity.ts";
import { tryReadSize } from "../core/semantic-equal.ts";
import type { ResourceQuota } from "../core/types.ts";

/** Amounts by the name a quota knows them under. */
export type Charges = ReadonlyMap<string, Quantity>;

export const NOTHING: Charges = new Map();

type Charge = readonly [name: string, amount: Quantity];

/** An object that is about to be stored, as quotas see it. */
export interface Booking {
  /** What it will be charged. */
  readonly after: Charges;
  /** What it is charged already; nothing when it is new. */
  readonly before: Charges;
  /** Whether the quota counts the object as it will be. */
  readonly counts: (quota: ResourceQuota) => boolean;
  /** Whether the quota counts it as it is. */
  readonly counted: (quota: ResourceQuota) => boolean;
  /** Whether objects of this kind are charged for the resource. */
  readonly isCharged: (resource: string) => boolean;
  /** Whether it can be refused; otherwise it is only booked. */
  readonly refusable: boolean;
  /** What the object must say and does not, of the resources that a quota limits; undefined when all is said. */
  readonly missing?: (limited: readonly string[]) => string | undefined;
}

export type QuotaAnswer =
  /** The quotas with what the write adds booked; those that it does not touch are the same objects. */
  | { readonly kind: "allowed"; readonly quotas: readonly ResourceQuota[] }
  /** `reason` is Kubernetes' text; `quota` the first one that refuses, in the order given. */
  | { readonly kind: "refused"; readonly quota: string; readonly reason: string };

/**
 * Books what the write adds on each quota that counts it. What it takes away stays booked: usage falls only when it is
 * computed anew. Throws `OBJECT_MALFORMED` for an amount that cannot be read.
 */
export function bookCharges(booking: Booking, quotas: readonly ResourceQuota[]): QuotaAnswer {
  // First whether each can be asked at all, then whether it has room: so upstream, and so the first reason is the same.
  for (const quota of quotas) {
    if (!booking.refusable || !booking.counts(quota)) continue;
    const reason = unanswerable(quota, booking);
    if (reason !== undefined) return { kind: "refused", quota: quota.metadata.name, reason };
  }
  const booked: ResourceQuota[] = [];
  for (const quota of quotas) {
    // Raising an unknown usage would make it look known, and far too low.
    if (!booking.counts(quota) || usageIsUnknown(quota, limitedBy(quota, booking))) {
      booked.push(quota);
      continue;
    }
    const before = booking.counted(quota) ? booking.before : NOTHING;
    const added = increase(booking.after, before).filter(([name]) => quota.status?.hard?.[name] !== undefined);
    const reason = booking.refusable ? exceededBy(added, quota) : undefined;
    if (reason !== undefined) return { kind: "refused", quota: quota.metadata.name, reason };
    booked.push(book(quota, added));
  }
  return { kind: "allowed", quotas: booked };
}

function limitedBy({ status }: ResourceQuota, { isCharged }: Booking): string[] {
  return Object.keys(status?.hard ?? {})
    .filter(isCharged)
    .sort();
}

/** Before usage was computed once, nobody can say whether there is room: everything is refused until then. */
function unanswerable(quota: ResourceQuota, booking: Booking): string | undefined {
  const { name } = quota.metadata;
  const limited = limitedBy(quota, booking);
  const missing = limited.length === 0 ? undefined : booking.missing?.(limited);
  if (missing !== undefined) return `failed quota: ${name}: ${missing}`;
  if (!usageIsUnknown(quota, limited)) return undefined;
  return `status unknown for quota: ${name}, resources: ${limited.join(",")}`;
}

function usageIsUnknown({ status }: ResourceQuota, limited: readonly string[]): boolean {
  return limited.some((name) => status?.used?.[name] === undefined);
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

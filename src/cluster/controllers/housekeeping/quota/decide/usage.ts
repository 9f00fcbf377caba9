/** What a quota should say about its usage. */
import type { Charges } from "../../../../../admission/quota-booking.ts";
import type { Gates } from "../../../../../core/gates.ts";
import { Quantity } from "../../../../../core/quantity.ts";
import { differingSizes, tryReadSize } from "../../../../../core/semantic-equal.ts";
import type { KubeObject, ResourceList, ResourceQuota } from "../../../../../core/types.ts";
import type { Kind } from "../../shared/decide/kind.ts";

export interface Counting {
  readonly gates: Pick<Gates, "RecoverExpansionFailure">;
  /** This moment. */
  readonly now: number;
}

export interface CountedKind {
  readonly resource: Kind;
  /** Whether more than the metadata of its objects is looked at. */
  readonly looksInside: boolean;
  /** Whether objects of this kind are charged for it. */
  isCharged(name: string): boolean;
  /** What the object is charged on this quota; undefined: the quota does not count it. */
  charges(object: KubeObject, quota: ResourceQuota, counting: Counting): Charges | undefined;
}

/** The objects of one kind in the quota's namespace. */
export interface Stock {
  readonly kind: CountedKind;
  readonly objects: Iterable<KubeObject>;
}

/** How much of everything that the quota limits is there. What no kind is charged for is left out. */
export function countStock(quota: ResourceQuota, stock: readonly Stock[], counting: Counting): Charges {
  const totals = new Map<string, Quantity>();
  for (const name of Object.keys(quota.spec?.hard ?? {})) {
    if (stock.some(({ kind }) => kind.isCharged(name))) totals.set(name, Quantity.zero);
  }
  for (const { kind, objects } of stock) {
    for (const object of objects) {
      for (const [name, amount] of kind.charges(object, quota, counting) ?? []) {
        const total = totals.get(name);
        if (total !== undefined) totals.set(name, total.plus(amount));
      }
    }
  }
  return totals;
}

export interface UsageVerdict {
  /** The status to write; undefined when it is right as it is. */
  readonly status: ResourceQuota["status"] | undefined;
  /** It says more than was counted, because of charges that are too young to be taken back. */
  readonly isProvisional: boolean;
}

/**
 * Usage goes up to what is there at once. It goes down only by what nobody can be waiting for: an object is charged before it is
 * stored, so a charge that was booked a moment ago (`young`) may be for one that is not there yet. Until it is old it is
 * kept beside the count, at the risk of counting it twice for that long.
 */
export function decideUsage(quota: ResourceQuota, counted: Charges, young: Charges): UsageVerdict {
  const hard = quota.spec?.hard ?? {};
  const before = quota.status?.used ?? {};
  const used: ResourceList = {};
  let isProvisional = false;
  for (const name of Object.keys(hard)) {
    const total = counted.get(name);
    const old = tryReadSize(before[name]);
    if (total === undefined) {
      if (before[name] !== undefined) used[name] = before[name];
    } else if (old === undefined || total.moreThan(old)) {
      used[name] = total.toString();
    } else {
      const least = total.plus(young.get(name) ?? Quantity.zero);
      const next = least.lessThan(old) ? least : old;
      if (next.moreThan(total)) isProvisional = true;
      used[name] = next.equals(old) ? (before[name] ?? "") : next.toString();
    }
  }
  const isRight =
    quota.status?.hard !== undefined &&
    quota.status.used !== undefined &&
    isSameList(quota.status.hard, hard) &&
    isSameList(before, used);
  return { status: isRight ? undefined : { ...quota.status, hard, used }, isProvisional };
}

function isSameList(a: ResourceList, b: ResourceList): boolean {
  return Object.keys(a).length === Object.keys(b).length && differingSizes(a, b).length === 0;
}

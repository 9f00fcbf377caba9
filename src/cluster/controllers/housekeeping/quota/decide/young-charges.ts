/** Charges that were booked on quotas a short while ago. */
import type { Charges } from "../../../../../admission/quota-booking.ts";
import { Quantity } from "../../../../../core/quantity.ts";
import { tryReadSize } from "../../../../../core/semantic-equal.ts";
import type { ResourceQuota } from "../../../../../core/types.ts";

export interface YoungCharges {
  /** The quota changed, or is seen for the first time (or after a gap): then all that it says may be young. */
  saw(before: ResourceQuota | undefined, after: ResourceQuota): void;
  /** What was added to the usage of this quota since then, at most. */
  of(uid: string): Charges;
  forget(uid: string): void;
}

/** `youth` in milliseconds of `elapsed`. */
export function createYoungCharges(youth: number, elapsed: () => number): YoungCharges {
  const charges = new Map<string, { readonly until: number; readonly name: string; readonly amount: Quantity }[]>();

  return {
    saw(before, after) {
      const uid = after.metadata.uid ?? "";
      const until = elapsed() + youth;
      const added = Object.entries(after.status?.used ?? {}).flatMap(([name, written]) => {
        const old = tryReadSize(before?.status?.used?.[name]) ?? Quantity.zero;
        const amount = (tryReadSize(written) ?? Quantity.zero).minus(old);
        return amount.moreThan(Quantity.zero) ? [{ until, name, amount }] : [];
      });
      if (added.length > 0) charges.set(uid, [...(charges.get(uid) ?? []), ...added]);
    },
    of(uid) {
      const now = elapsed();
      const young = (charges.get(uid) ?? []).filter(({ until }) => until > now);
      if (young.length === 0) charges.delete(uid);
      else charges.set(uid, young);
      const totals = new Map<string, Quantity>();
      for (const { name, amount } of young) totals.set(name, (totals.get(name) ?? Quantity.zero).plus(amount));
      return totals;
    },
    forget: (uid) => void charges.delete(uid),
  };
}

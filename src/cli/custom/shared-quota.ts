/** Quota for everything that follows one resource: each set may have room by itself, and all of them together none. Pure. */
import { Quantity } from "../../core/quantity.ts";
import type { PlannedQuota, PlanReport } from "../plan/report.ts";

/** In Kubernetes' words, with the way out, for each quota that only the sum exceeds; what one of them exceeds is said in its own plan. */
export function quotaErrors(parts: readonly Pick<PlanReport, "quota">[]): readonly string[] {
  const lines = parts.flatMap((part) => part.quota);
  return [...Map.groupBy(lines, ({ quota, resource }) => `${quota} ${resource}`).values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined || same.some((line) => added(line).moreThan(room(line)))) return [];
    const total = same.map(added).reduce((sum, each) => sum.plus(each));
    if (!total.moreThan(room(first))) return [];
    const { quota, resource, before, limit } = first;
    const reason = `exceeded quota: ${quota}, requested: ${resource}=${total}, used: ${resource}=${before}, limited: ${resource}=${limit}`;
    return [`${reason}; raise quota "${quota}", free storage in the namespace, or ask for less`];
  });
}

function added({ before, after }: PlannedQuota): Quantity {
  return Quantity.parse(after).minus(Quantity.parse(before));
}

function room({ before, limit }: PlannedQuota): Quantity {
  return Quantity.parse(limit).minus(Quantity.parse(before));
}

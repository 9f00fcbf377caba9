/** The smallest and largest claim that a namespace takes (LimitRange, type PersistentVolumeClaim). */
import { readSize } from "../core/claim.ts";
import { type LimitRange, type PersistentVolumeClaim, STORAGE } from "../core/types.ts";
import { aggregate } from "./verdict.ts";

/**
 * Why a claim is out of range, as Kubernetes puts it; undefined when it is not. It is asked at every update, also one
 * that leaves the size alone, unless the stored claim is being deleted. The first range that refuses speaks.
 */
export function limitRangeRefusal(
  claim: PersistentVolumeClaim,
  limitRanges: readonly LimitRange[],
  stored?: PersistentVolumeClaim,
): string | undefined {
  if (stored?.metadata.deletionTimestamp !== undefined) return undefined;
  for (const range of limitRanges) {
    const reasons = outOfRange(claim, range);
    if (reasons.length > 0) return aggregate(reasons);
  }
  return undefined;
}

function outOfRange(claim: PersistentVolumeClaim, range: LimitRange): string[] {
  const request = readSize(claim, claim.spec.resources?.requests, "spec.resources.requests.storage");
  if (request === undefined) return [];
  const reasons: string[] = [];
  for (const limit of range.spec?.limits ?? []) {
    if (limit.type !== "PersistentVolumeClaim") continue;
    const text = (word: string, size: string) =>
      `${word} ${STORAGE} usage per PersistentVolumeClaim is ${size}, but request is ${request.toString()}`;
    const min = readSize(range, limit.min, "spec.limits.min.storage");
    const max = readSize(range, limit.max, "spec.limits.max.storage");
    if (min !== undefined && request.lessThan(min)) reasons.push(text("minimum", min.toString()));
    if (max !== undefined && request.moreThan(max)) reasons.push(text("maximum", max.toString()));
  }
  return reasons;
}

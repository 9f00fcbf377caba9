/**
 * Everything that is looked at before a volume grows, in the order in which a person would ask. Admission, controllers
 * and `outgrow plan` run this one list.
 */
import type { Check, CheckId, Finding } from "./check.ts";
import { claimsStuck } from "./claims-stuck.ts";
import { classExpandable } from "./class-expandable.ts";
import { driverCanExpand } from "./driver-can-expand.ts";
import type { PreflightFacts } from "./facts.ts";
import { limitRange } from "./limit-range.ts";
import { nodeOrOffline } from "./node-or-offline.ts";
import { ownerReverts } from "./owner-reverts.ts";
import { quota } from "./quota.ts";
import { retentionPolicy } from "./retention-policy.ts";
import { rolloutInProgress } from "./rollout-in-progress.ts";
import { rounding } from "./rounding.ts";
import { setLeftBehind } from "./set-left-behind.ts";
import { sizeBelow } from "./size-below.ts";
import { templateFollows } from "./template-follows.ts";

export const PREFLIGHT: readonly Check[] = [
  // The size, and the claims that are to have it.
  sizeBelow,
  rounding,
  claimsStuck,
  // Who allows it, and who does it.
  classExpandable,
  driverCanExpand,
  quota,
  limitRange,
  nodeOrOffline,
  // The set around the claims.
  ownerReverts,
  rolloutInProgress,
  retentionPolicy,
  templateFollows,
  setLeftBehind,
];

export interface CheckResult extends Finding {
  readonly id: CheckId;
}

/** All findings of all checks, in the order of the list. The growth may start when none of them refuses. */
export function preflight(facts: PreflightFacts): readonly CheckResult[] {
  return PREFLIGHT.flatMap(({ id, run }) => run(facts).map((finding) => ({ id, ...finding })));
}

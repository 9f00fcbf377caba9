/**
 * A plan as data: what `outgrow plan -o json` prints, and what the text is made from. Sizes are Kubernetes quantities.
 * Fields are added over time, never renamed or removed (docs/plan.md).
 */
import type { CheckResult } from "../../admission/preflight/preflight.ts";
import type { ClaimPlan } from "../../statefulset/decide/plan-claims.ts";
import type { TargetName } from "./target.ts";

export interface PlanReport {
  readonly target: TargetName & { readonly namespace: string };
  /** `refused`: at least one check refuses, and nothing would be started. */
  readonly verdict: "would-be-done" | "nothing-to-do" | "refused";
  readonly sizes: readonly PlannedSize[];
  /** In the order in which they are grown; those that nothing is done about stand where they would. */
  readonly claims: readonly PlannedClaim[];
  /** When more than one claim is grown: in which order and how many at a time. */
  readonly order: string;
  /** What happens to the claim templates; undefined for a claim on its own. */
  readonly template?: PlannedTemplate;
  readonly quota: readonly PlannedQuota[];
  /** The pods that must be stopped, because the driver grows only volumes that are not in use. */
  readonly restarts: readonly string[];
  /** Who stops them: nobody but you (`Never`), or Outgrow, one at a time (`WhenNeeded`). */
  readonly restartPods: "Never" | "WhenNeeded";
  readonly checks: readonly CheckResult[];
  /** What this user may not read or try: the plan goes without it. */
  readonly notRead: readonly string[];
}

export interface PlannedSize {
  /** The claim template; the claim itself for a claim on its own. */
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** Who says so: the command line, the set's annotation, or nobody (it is the size that is written there now). */
  readonly because: "asked" | "wish" | "as-is";
}

export interface PlannedClaim {
  readonly name: string;
  /** What it asks for now, empty when it does not exist yet; and what it will ask for. */
  readonly now: string;
  readonly after: string;
  /** What its pod has; empty when that is not known. */
  readonly capacity: string;
  /** The turn in which it is changed, from 1; undefined when nothing is done about it. */
  readonly turn?: number;
  readonly action: ClaimPlan["kind"];
  readonly reason: string;
}

export interface PlannedTemplate {
  readonly way: "up-to-date" | "patch" | "re-create" | "wait";
  readonly changes: readonly { readonly template: string; readonly from: string; readonly to: string }[];
  /**
   * When, measured by the claims: at the same time, when all have their size, when the canaries have, or when the last turn has begun
   * and none is held back any more.
   */
  readonly follows: "with-the-claims" | "after-the-claims" | "after-the-canaries" | "after-the-last-turn";
  /** Why it goes this way, in words. */
  readonly reason: string;
  /** For `wait`: what holds it up. The claims do not wait for that. */
  readonly holds: readonly { readonly id: string; readonly reason: string }[];
}

export interface PlannedQuota {
  readonly quota: string;
  readonly resource: string;
  readonly before: string;
  readonly after: string;
  readonly limit: string;
}

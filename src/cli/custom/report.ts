/**
 * The plan for a custom resource as data: what `outgrow plan mysqlcluster/shop -o json` prints, and what the text is made from.
 * Fields are added over time, never renamed or removed (docs/plan.md).
 */
import type { PlannedSize, PlanReport } from "../plan/report.ts";
import type { Custom } from "./read-custom.ts";

export interface CustomPlan {
  readonly target: Custom["target"];
  /** `refused`: the edit of the resource would be, or growing what follows it. */
  readonly verdict: PlanReport["verdict"];
  /** The sources that know the kind, by name. */
  readonly sources: readonly string[];
  /** Who grows the volumes: `Operator`, if Outgrow is only to watch. */
  readonly grownBy: "Outgrow" | "Operator";
  /** Nothing is done until it is paused no longer. */
  readonly paused: boolean;
  readonly sizes: readonly CustomSize[];
  /** What the rules of the resource have against the edit, and quota against all its sets together. */
  readonly errors: readonly string[];
  /** What would happen to each StatefulSet that follows it, and to each claim where there is none. */
  readonly parts: readonly PlanReport[];
  /** What this user may not read or try: the plan goes without it. */
  readonly notRead: readonly string[];
}

export interface CustomSize extends PlannedSize {
  /** Where it is written in the resource. */
  readonly path: string;
}

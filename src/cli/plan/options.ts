import type { Gates } from "../../core/gates.ts";

/** What a person can say about a plan besides what should grow. */
export interface PlanOptions {
  /** Also grow claims of ordinals that have no pod. */
  readonly includeUnused: boolean;
  /** Go on although a controller owns the set. */
  readonly evenIfOwned: boolean;
  readonly gates: Gates;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

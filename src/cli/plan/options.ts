import type { Gates } from "../../core/gates.ts";
import type { HowToGrow } from "../growth-flags.ts";

/** What a person can say about a plan besides what should grow. */
export interface PlanOptions {
  /** In which order, whether pods may be restarted, what else is grown; where it is silent, the record is asked. */
  readonly how: HowToGrow;
  readonly gates: Gates;
  /** The sizes are written in a custom resource. @default false, unless the record says so */
  readonly fromResource?: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** An operator that we know: its source, ready to be used, and what was found out about it. */
import type { ExpansionSourceSpec } from "../types.ts";

export interface Preset {
  /** What `outgrow sources` and the ExpansionSource call it. */
  readonly name: string;
  /** The operator, as its makers call it. */
  readonly operator: string;
  /** The release whose definitions and code the source was held against. */
  readonly version: string;
  /** Where: files or pages of the operator's own project. */
  readonly verifiedIn: readonly string[];
  /** What the operator does by itself when somebody raises a size. */
  readonly itself: string;
  /** What we do, and why so. */
  readonly ours: string;
  /** What it means when somebody pauses the operator. */
  readonly pausing: string;
  /** What the source does not see. */
  readonly limits: readonly string[];
  readonly spec: ExpansionSourceSpec;
}

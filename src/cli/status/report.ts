/**
 * How far everything is that grows: what `outgrow status -o json` prints, and what text and progress bars are made from.
 * Sizes are Kubernetes quantities. Fields are added over time, never renamed or removed (docs/status.md).
 */
import type { ClaimState, Phase } from "../../statefulset/types.ts";

/** `stuck`: nothing more happens by itself, and somebody has to do something. */
export type Outcome = "done" | "growing" | "stuck";

export interface StatusReport {
  readonly items: readonly Growth[];
  /** What this user may not read; the report goes without it. */
  readonly notRead: readonly string[];
}

/** One StatefulSet, or one claim that is no set's. */
export interface Growth {
  readonly kind: "StatefulSet" | "PersistentVolumeClaim";
  readonly namespace: string;
  readonly name: string;
  readonly outcome: Outcome;
  /** As its record says it; none without a record. */
  readonly phase?: Phase;
  /** What holds for the whole of it; empty when the claims say all. */
  readonly message: string;
  readonly claims: readonly ClaimProgress[];
}

export interface ClaimProgress {
  readonly name: string;
  /** What it had when this growth began, as far as known; empty when it did not exist. */
  readonly from: string;
  readonly to: string;
  /** What its pod has; empty when that is not known. */
  readonly capacity: string;
  readonly state: ClaimState;
  readonly outcome: Outcome;
  /** What it waits for, or what is in its way and the way out; empty when it is done. */
  readonly why: string;
  /** From 0 to 1: asked for, grown by the storage, grown by the node. */
  readonly progress: number;
}

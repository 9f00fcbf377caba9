/**
 * How far everything is that grows: what `outgrow status -o json` prints, and what text and progress bars are made from.
 * Sizes are Kubernetes quantities. Fields are added over time, never renamed or removed (docs/status.md).
 */
import type { ClaimState, Phase } from "../../statefulset/types.ts";

/** `stuck`: nothing more happens by itself, and somebody has to do something. */
export type Outcome = "done" | "growing" | "stuck";

export interface StatusReport {
  readonly items: readonly Growth[];
  /** The custom resource that was asked about; the items follow it. */
  readonly resource?: ResourceStatus;
  /** What this user may not read; the report goes without it. */
  readonly notRead: readonly string[];
}

export interface ResourceStatus {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** What is reported on it about the sizes that it asks for now; none where nothing is. */
  readonly condition?: { readonly type: string; readonly status: string; readonly message: string };
}

/** One StatefulSet, or one claim that is no set's. */
export interface Growth {
  readonly kind: "StatefulSet" | "PersistentVolumeClaim";
  readonly namespace: string;
  readonly name: string;
  readonly outcome: Outcome;
  /** As its record says it; none without a record. */
  readonly phase?: Phase;
  /** The custom resource that its sizes come from. */
  readonly wishedBy?: { readonly kind: string; readonly name: string };
  /** Claims that failed and keep the others from starting: outgrow recover --go-on. */
  readonly stoppedBy?: readonly string[];
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

/**
 * The record of a growth: `VolumeExpansion` (`vx`), one per StatefulSet and of the same name. For people it shows the
 * progress; for the controller it is the journal of the one operation that must not be forgotten half-way.
 *
 * It never has an owner reference to the StatefulSet: while the set is being re-created the record holds the only copy,
 * and a garbage collector that sees the old set gone must not take the copy along.
 */
import type { Condition, KubeObject, StatefulSet } from "../core/types.ts";

/** In which order claims are grown, and how many at a time. Members are ordinals: all claims of one pod go together. */
export interface Rollout {
  /** `Parallel` (the default): up to `maxConcurrent` members at once. `OneByOne`: each waits until the one before is done. */
  mode?: "Parallel" | "OneByOne";
  /** How many members may keep the storage busy at once; 10 unless said otherwise. */
  maxConcurrent?: number;
  /** This many members first; the rest when all of those are done. */
  canary?: number;
  /** What a failure does to members that have not started. `Stop` in OneByOne and among canaries, `Continue` in Parallel. */
  onFailure?: "Stop" | "Continue";
  /** Claims whose failure is known and no longer stops the others: how a stopped rollout is resumed. */
  goOnDespite?: string[];
}

export interface VolumeExpansionSpec {
  statefulSetName: string;
  /** The wish, one entry per template that has one. */
  claims?: { template: string; storage: string }[];
  rollout?: Rollout;
  /** `WhenNeeded`: pods are evicted, one at a time, where the driver grows volumes only when they are not in use. */
  restartPods?: "Never" | "WhenNeeded";
  /** Whether claims of ordinals that have no pod (left behind by scaling down) grow too. */
  beyondReplicas?: "Leave" | "Grow";
  /** Re-create the set even though a controller owns it, which may take the change back. */
  evenIfOwned?: boolean;
  /**
   * The custom resource whose sizes these are: through an ExpansionSource, or without `source` told by its operator, through the
   * library. `claims` is the wish then, whatever the set's annotation says, and the set's owner does not stand against it:
   * that is where the sizes come from.
   */
  wishedBy?: { source?: string; kind: string; name: string };
  /**
   * Who creates the set again after it was deleted to change its template. An operator that does not within a minute is not
   * waited for any longer. @default Outgrow
   */
  recreatedBy?: "Outgrow" | "Operator";
}

export type Phase = "Checking" | "Growing" | "Restarting" | "UpdatingTemplate" | "Done" | "Stopped";

/** What a row of the progress table says about one claim. */
export type ClaimState = "Pending" | "Growing" | "Recovering" | "Waiting" | "Done" | "Left" | "Failed" | "Blocked";

export interface ClaimRow {
  name: string;
  /** The request when the claim was first seen by this growth; empty for a claim that does not exist yet. */
  from: string;
  to: string;
  capacity: string;
  state: ClaimState;
  message: string;
}

export interface VolumeExpansionStatus {
  observedGeneration?: number;
  phase?: Phase;
  /** How many of the claims have their size, for a column: `2/3`. */
  done?: string;
  claims?: ClaimRow[];
  conditions?: Condition[];
  /** The set as it was last seen, whole and raw; only from just before its deletion until it is there again. */
  savedStatefulSet?: StatefulSet;
}

export interface VolumeExpansion extends KubeObject {
  spec: VolumeExpansionSpec;
  status?: VolumeExpansionStatus;
}

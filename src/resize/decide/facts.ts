/** What the controller half must know to decide about one claim. Gathered by the controller, or made by a test. */
import type { ClaimView } from "../../core/claim.ts";
import type { Quantity } from "../../core/quantity.ts";
import type { VolumeView } from "../../core/volume.ts";

export interface ResizeFacts {
  readonly claim: ClaimView;
  readonly volume: VolumeView;
  readonly driver: DriverAbilities;
  /** What this process remembers of this very claim; see `ClaimMemory`. */
  readonly memory: ClaimMemory;
  /** The gate RecoverExpansionFailure. */
  readonly recovery: boolean;
  /** A pod that has not ended mentions the claim. */
  readonly usedByPod: boolean;
  /** This moment, in milliseconds since the epoch. */
  readonly now: number;
  /** How long an infeasible size is left alone, in milliseconds (`--retry-interval-max`). */
  readonly slowRetry: number;
}

export interface DriverAbilities {
  /** The name of the CSI driver. */
  readonly name: string;
  /** It has ControllerExpandVolume. Without it the controller half has nothing to call: a node-only driver. */
  readonly controller: boolean;
}

/**
 * What a process remembers about a claim between two attempts. It is tied to the claim's uid, goes away with the claim,
 * and is forgotten when the process loses the lease: another process may have called the driver since.
 */
export interface ClaimMemory {
  /**
   * The driver refused this size for good, nothing is under way, and the claim still records that size. Nothing else
   * makes it safe to ask for less.
   */
  readonly refused?: Quantity;
  /** An infeasible size is not tried again before this moment. */
  readonly notBefore?: number;
  /** The driver said that it cannot grow the volume while it is in use. */
  readonly inUse?: boolean;
  /** This process has written the record on the claim since it got the lease: nobody else's late write can land. */
  readonly owned?: boolean;
}

export const NOTHING_REMEMBERED: ClaimMemory = {};

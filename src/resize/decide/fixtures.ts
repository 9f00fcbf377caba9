/** Facts for the tests of these rules, told by what differs from a claim of 10Gi that has just been asked to be 20Gi. */
import { aClaim } from "../../admission/fixtures.ts";
import { readClaim } from "../../core/claim.ts";
import { applyClaimChange, type ConditionChange } from "../../core/claim-change.ts";
import { type Dialect, type ResizeState, TODAY } from "../../core/dialect.ts";
import type { PersistentVolumeClaim } from "../../core/types.ts";
import { readVolume, type VolumeView } from "../../core/volume.ts";
import { type ClaimMemory, NOTHING_REMEMBERED, type ResizeFacts } from "./facts.ts";

export const DRIVER = "csi.example.com";
export const NOW = Date.UTC(2026, 10, 15, 12, 0, 0);
export const MINUTE = 60_000;
export const SLOW_RETRY = 5 * MINUTE;

/** S, C, A and P are those of target-size.ts: request, capacity, recorded size, the volume's capacity. */
export interface ClaimTraits {
  readonly S?: string;
  /** null: none is known. */
  readonly C?: string | null;
  readonly A?: string | undefined;
  readonly state?: ResizeState;
  /** What the status tells since `since`, a moment (one minute ago unless said otherwise). */
  readonly conditions?: readonly ConditionChange[];
  readonly since?: number;
  readonly annotations?: Record<string, string>;
  readonly phase?: string;
  readonly dialect?: Dialect;
}

export interface Traits extends ClaimTraits {
  /** The volume's capacity: C unless said otherwise. */
  readonly P?: string;
  readonly volume?: Partial<VolumeView>;
  /** The driver has no ControllerExpandVolume. */
  readonly nodeOnly?: boolean;
  readonly driverName?: string;
  readonly memory?: ClaimMemory;
  readonly recovery?: boolean;
  readonly usedByPod?: boolean;
  readonly now?: number;
}

/** The claim as the API server holds it, in the words of a dialect. */
export function theClaim(traits: ClaimTraits = {}): PersistentVolumeClaim {
  const { S = "20Gi", C = "10Gi", A, state = "none", conditions = [], since = NOW - MINUTE, dialect = TODAY } = traits;
  const { annotations = {}, phase = "Bound" } = traits;
  const bare = aClaim({
    request: S,
    capacity: C ?? "0",
    phase,
    annotations,
    ...(A === undefined ? {} : { allocated: A }),
  });
  const { capacity: _, ...unknown } = bare.status ?? {};
  const claim = { ...bare, metadata: { ...bare.metadata, uid: "claim-1" } };
  return applyClaimChange(
    C === null ? { ...claim, status: unknown } : claim,
    { state, set: conditions },
    dialect,
    since,
  );
}

export function factsOf(claim: PersistentVolumeClaim, traits: Omit<Traits, keyof ClaimTraits> = {}): ResizeFacts {
  const { nodeOnly = false, driverName = DRIVER, memory = NOTHING_REMEMBERED } = traits;
  const { recovery = true, usedByPod = false, now = NOW } = traits;
  const capacity = { storage: traits.P ?? claim.status?.capacity?.["storage"] ?? "10Gi" };
  const volume = readVolume({
    metadata: { name: "pv-1" },
    spec: {
      capacity,
      claimRef: { namespace: "prod", name: "data", uid: "claim-1" },
      csi: { driver: DRIVER, volumeHandle: "vol-1" },
    },
  });
  return {
    claim: readClaim(claim),
    volume: { ...volume, ...traits.volume },
    driver: { name: driverName, controller: !nodeOnly },
    memory,
    recovery,
    usedByPod,
    now,
    slowRetry: SLOW_RETRY,
  };
}

export function facts(traits: Traits = {}): ResizeFacts {
  return factsOf(theClaim(traits), traits);
}

/**
 * Facts for the tests of these rules, told by what differs from a volume of 20Gi whose claim says 10Gi, and that it is the
 * node's turn.
 */
import { aClaim } from "../../admission/fixtures.ts";
import { readClaim } from "../../core/claim.ts";
import { applyClaimChange, type ConditionChange } from "../../core/claim-change.ts";
import { type Dialect, type ResizeState, TODAY } from "../../core/dialect.ts";
import type { PersistentVolumeClaim } from "../../core/types.ts";
import { readVolume } from "../../core/volume.ts";
import type { NodeFacts, NodeMemory } from "./facts.ts";

export const NOW = Date.UTC(2026, 10, 15, 12, 0, 0);

export interface ClaimTraits {
  /** `requests.storage` */
  readonly request?: string;
  /** null: none is known. */
  readonly capacity?: string | null;
  /** null: nothing is recorded. */
  readonly allocated?: string | null;
  readonly state?: ResizeState;
  readonly conditions?: readonly ConditionChange[];
  readonly annotations?: Record<string, string>;
  readonly accessModes?: string[];
  readonly volumeMode?: "Filesystem" | "Block";
  readonly dialect?: Dialect;
}

export interface Traits extends ClaimTraits {
  /** The volume's capacity. */
  readonly volume?: string;
  readonly canExpand?: boolean;
  readonly readOnly?: boolean;
  readonly memory?: NodeMemory;
}

/** The claim as the API server holds it, in the words of a dialect. */
export function theClaim(traits: ClaimTraits = {}): PersistentVolumeClaim {
  const { request = "20Gi", capacity = "10Gi", allocated = "20Gi", state = "node-pending" } = traits;
  const { conditions = [], annotations = {}, dialect = TODAY } = traits;
  const { accessModes = ["ReadWriteOnce"], volumeMode = "Filesystem" } = traits;
  const bare = aClaim({ request, annotations, ...(allocated === null ? {} : { allocated }) });
  const { capacity: _, ...unknown } = bare.status ?? {};
  const claim = {
    ...bare,
    spec: { ...bare.spec, accessModes, volumeMode },
    status: capacity === null ? unknown : { ...unknown, capacity: { storage: capacity } },
  };
  return applyClaimChange(claim, { state, set: conditions }, dialect, NOW - 60_000);
}

export function factsOf(claim: PersistentVolumeClaim, traits: Omit<Traits, keyof ClaimTraits> = {}): NodeFacts {
  const { volume = "20Gi", canExpand = true, readOnly = false, memory = {} } = traits;
  return {
    claim: readClaim(claim),
    volume: readVolume({ metadata: { name: "pv-1" }, spec: { capacity: { storage: volume } } }),
    canExpand,
    readOnly,
    memory,
  };
}

export function facts(traits: Traits = {}): NodeFacts {
  return factsOf(theClaim(traits), traits);
}

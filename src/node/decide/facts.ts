/** What the node half must know to decide about one mounted, or just being mounted, volume. */
import type { ClaimView } from "../../core/claim.ts";
import type { Quantity } from "../../core/quantity.ts";
import type { VolumeView } from "../../core/volume.ts";

export interface NodeFacts {
  readonly claim: ClaimView;
  readonly volume: VolumeView;
  /** The driver has NodeExpandVolume. */
  readonly canExpand: boolean;
  /** The pod mounts it read-only. */
  readonly readOnly: boolean;
  readonly memory: NodeMemory;
}

/** What the node remembers of a claim, by its uid, while the volume is attached here. */
export interface NodeMemory {
  /** The driver refused this size for good on this node. */
  readonly refused?: Quantity;
  /** The driver grows it only while nobody uses it: not again while it is attached here. */
  readonly inUse?: boolean;
}

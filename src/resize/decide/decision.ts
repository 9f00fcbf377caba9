/** What the controller half can decide to do about one claim. */
import type { ClaimChange } from "../../core/claim-change.ts";
import type { Quantity } from "../../core/quantity.ts";

export type Decision =
  /** There is nothing to do, or nothing that is ours to do. */
  | { readonly kind: "nothing"; readonly why: string }
  /** The controller's part is done; the node goes on. A change of the claim's status will say so. */
  | { readonly kind: "wait-for-node"; readonly why: string }
  /** An infeasible size: look again at this moment, or when the request changes. */
  | { readonly kind: "wait-until"; readonly at: number; readonly why: string }
  /** The driver grows only what nobody uses: look again when the last pod is gone, or when the request changes. */
  | { readonly kind: "wait-for-release"; readonly why: string }
  /** The status tells of something that is long over: write this, call nobody. */
  | { readonly kind: "record"; readonly change: ClaimChange; readonly why: string }
  /** Write `record` (it may turn out to change nothing), then have the volume grown to `size`. */
  | {
      readonly kind: "expand";
      readonly size: Quantity;
      readonly record: ClaimChange;
      /** The size goes below what was recorded: somebody is coming back from a failure. */
      readonly recovers: boolean;
    };

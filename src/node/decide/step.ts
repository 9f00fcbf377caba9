/**
 * The node half of growing one claim, as a decision (KEP-1790; the table of kubelet's NodeExpander).
 *
 * | state                                   | capacity < size | capacity ≥ size                                  |
 * |-----------------------------------------|-----------------|--------------------------------------------------|
 * | none                                    | wait            | done; a shared volume is grown here all the same |
 * | node-pending, node-in-progress          | expand          | only the record is behind: clear it              |
 * | node-infeasible, controller-…           | wait            | wait                                             |
 * | nothing recorded at all (older claims)  | expand          | done                                             |
 *
 * The size is the one recorded as allocated. A claim from before that field existed is grown to the volume's capacity.
 */

import type { ClaimChange } from "../../core/claim-change.ts";
import { NODE_EXPANSION_NOT_REQUIRED } from "../../core/names.ts";
import type { Quantity } from "../../core/quantity.ts";
import type { NodeFacts } from "./facts.ts";

export type NodeDecision =
  /** The file system has what the claim says; `size` is what the node may take note of. */
  | { readonly kind: "done"; readonly size: Quantity }
  /** Not yet, or not ours: the pod is mounted as usual. */
  | { readonly kind: "wait"; readonly why: string }
  /** It cannot be grown through this mount: say so on the pod and the claim, and mount as usual. */
  | { readonly kind: "read-only"; readonly why: string }
  /** The claim has the size already; only its status is behind. */
  | { readonly kind: "record"; readonly change: ClaimChange; readonly why: string }
  /** Write `record` (it may change nothing), then have the node grow it to `size`. */
  | { readonly kind: "expand"; readonly size: Quantity; readonly record: ClaimChange; readonly shared: boolean };

export function decideNodeStep(facts: NodeFacts): NodeDecision {
  const { claim, volume } = facts;
  if (claim.capacity === undefined) return wait("the claim has no capacity yet");
  const size = nodeSize(facts);
  const behind = claim.capacity.lessThan(size);

  if (isOlder(facts)) return behind ? expandHere(facts, size, {}) : { kind: "done", size };
  switch (claim.state) {
    case "none":
      if (behind) return wait("the controller has not finished its part");
      return needsSharedExpansion(facts) ? expandHere(facts, size, {}, true) : { kind: "done", size };
    case "node-pending":
    case "node-in-progress":
      if (!behind) return { kind: "record", change: DONE, why: `the claim has ${claim.capacity} already` };
      if (!volume.capacity.moreThan(claim.capacity)) return wait(`volume ${volume.name} is not larger than the claim`);
      return expandHere(facts, size, { state: "node-in-progress" });
    case "node-infeasible":
      return wait("the node could not grow it to this size; the controller is to choose another");
    case "controller-in-progress":
    case "controller-infeasible":
      return wait("the controller has not finished its part");
  }
}

/** The size to grow to. */
export function nodeSize({ claim, volume }: Pick<NodeFacts, "claim" | "volume">): Quantity {
  return claim.allocated ?? volume.capacity;
}

/** A claim that an old controller, or one with the recovery gate off, has expanded: nothing is recorded on it. */
function isOlder({ claim }: NodeFacts): boolean {
  return claim.state === "none" && claim.allocated === undefined;
}

function expandHere(facts: NodeFacts, size: Quantity, record: ClaimChange, shared = false): NodeDecision {
  if (facts.readOnly) return { kind: "read-only", why: "requested read-only file system" };
  if (!facts.canExpand) return wait("the driver has no node expansion");
  if (facts.memory.inUse === true) return wait("the driver does not grow this volume while it is attached here");
  return { kind: "expand", size, record, shared };
}

/**
 * A volume that several nodes mount is grown on one of them; the others still have to be told. Unless the driver said
 * that no node has to do anything.
 */
function needsSharedExpansion({ claim, canExpand, readOnly }: NodeFacts): boolean {
  if (!canExpand || readOnly || !claim.accessModes.includes("ReadWriteMany")) return false;
  return claim.annotations[NODE_EXPANSION_NOT_REQUIRED] === undefined;
}

function wait(why: string): NodeDecision {
  return { kind: "wait", why };
}

/** All that told of growing is gone. */
export const DONE: ClaimChange = {
  state: "none",
  set: [{ kind: "ready" }],
  clear: ["resizing", "file-system-pending", "controller-error", "node-error"],
};

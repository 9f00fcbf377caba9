/**
 * To which size should a claim be grown now? The table of KEP-1790, row by row as in the incumbent.
 *
 * S = request, C = capacity (S > C here), P = the volume's capacity, A = the size that is recorded as allocated.
 *
 * | row | state               | P < S                         | P ≥ S                                    |
 * |-----|---------------------|-------------------------------|------------------------------------------|
 * | 1   | node-infeasible     | A, or S without A             | A; S without A or for a node-only driver |
 * | 2   | node-pending, node- | wait while P ≥ A; A while     | wait                                     |
 * |     | in-progress         | P < A; S without A            |                                          |
 * | 3   | controller-in-      | S when the driver refused A   | A, or S without A                        |
 * |     | progress            | for good; else A; S without A |                                          |
 * | 4   | controller-         | S                             | A, or S without A                        |
 * |     | infeasible          |                               |                                          |
 * | 5   | none                | S, but see below              | A; without A: wait when the file system  |
 * |     |                     |                               | is pending (old servers), else S         |
 *
 * Two differences from the incumbent, both on the side of safety. An A that is not above C is history, not an open
 * expansion, and counts as missing. And in row 5 an open A above S is finished first: with no state recorded nobody
 * knows whether the driver did it.
 */
import type { Quantity } from "../../core/quantity.ts";
import type { ResizeFacts } from "./facts.ts";

export type Target = { readonly kind: "size"; readonly size: Quantity } | { readonly kind: "wait-for-node" };

export function targetSize({ claim, volume, driver, memory }: ResizeFacts): Target {
  const wanted = claim.request;
  const open = openRecord(claim);
  const reached = volume.capacity.atLeast(wanted);
  const recordedOrWanted = size(open ?? wanted);

  switch (claim.state) {
    case "node-infeasible":
      return reached && !driver.controller ? size(wanted) : recordedOrWanted;
    case "node-pending":
    case "node-in-progress":
      if (reached) return WAIT_FOR_NODE;
      return open !== undefined && volume.capacity.atLeast(open) ? WAIT_FOR_NODE : recordedOrWanted;
    case "controller-in-progress":
      if (!reached && open !== undefined && memory.refused?.equals(open) === true) return size(wanted);
      return recordedOrWanted;
    case "controller-infeasible":
      return reached ? recordedOrWanted : size(wanted);
    case "none":
      if (open !== undefined && (reached || open.moreThan(wanted))) return size(open);
      return reached && claim.conditions.has("file-system-pending") ? WAIT_FOR_NODE : size(wanted);
  }
}

/** The recorded size, if it is the record of an expansion that is not finished. */
export function openRecord(claim: ResizeFacts["claim"]): Quantity | undefined {
  const { allocated, capacity } = claim;
  if (allocated === undefined) return undefined;
  return capacity !== undefined && capacity.atLeast(allocated) ? undefined : allocated;
}

const WAIT_FOR_NODE: Target = { kind: "wait-for-node" };

function size(quantity: Quantity): Target {
  return { kind: "size", size: quantity };
}

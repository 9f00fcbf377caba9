/**
 * The old way, of KEP-284: for a claim without a record while the gate RecoverExpansionFailure is off. The request is
 * what counts, and no state is recorded; conditions alone tell how far it is.
 */
import type { Decision } from "./decision.ts";
import type { ResizeFacts } from "./facts.ts";
import { decideSatisfied } from "./satisfied.ts";

export function decideByRequest(facts: ResizeFacts): Decision {
  const { claim, volume, memory, usedByPod, driver } = facts;
  if (claim.capacity?.atLeast(claim.request) === true) return decideSatisfied(facts);
  if (volume.capacity.atLeast(claim.request) && claim.conditions.has("file-system-pending")) {
    return {
      kind: "wait-for-node",
      why: `volume ${volume.name} has ${volume.capacity}; the node is to grow the file system`,
    };
  }
  if (memory.inUse === true && usedByPod) {
    return { kind: "wait-for-release", why: `driver ${driver.name} grows this volume only while no pod uses it` };
  }
  return {
    kind: "expand",
    size: claim.request,
    record: {
      set: [{ kind: "resizing" }],
      clear: ["file-system-pending", "controller-error", "node-error", "ready"],
    },
    recovers: false,
  };
}

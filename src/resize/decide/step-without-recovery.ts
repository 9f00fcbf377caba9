/**
 * The step with the gate RecoverExpansionFailure off: the way of KEP-284. The request is what counts, and no state is
 * recorded.
 *
 * One thing is kept up even so: where a claim carries an allocated size from a time when the gate was on, it is raised
 * along with the request before the driver is called. Otherwise, with the gate on again, a request could be lowered
 * below what the backend holds and quota would count too little.
 */
import type { Decision } from "./decision.ts";
import type { ResizeFacts } from "./facts.ts";

export function decideWithoutRecovery({ claim, volume, memory, usedByPod, driver }: ResizeFacts): Decision {
  if (claim.capacity?.atLeast(claim.request) === true)
    return { kind: "nothing", why: "the claim has what it asks for" };
  if (volume.capacity.atLeast(claim.request) && claim.conditions.has("file-system-pending")) {
    return {
      kind: "wait-for-node",
      why: `volume ${volume.name} has ${volume.capacity}; the node is to grow the file system`,
    };
  }
  if (memory.inUse === true && usedByPod) {
    return { kind: "wait-for-release", why: `driver ${driver.name} grows this volume only while no pod uses it` };
  }
  const raises = claim.allocated?.lessThan(claim.request) === true;
  return {
    kind: "expand",
    size: claim.request,
    record: {
      ...(raises ? { allocated: claim.request } : {}),
      set: [{ kind: "resizing" }],
      clear: ["file-system-pending", "controller-error", "node-error", "ready"],
    },
    recovers: false,
  };
}

/**
 * The controller half of growing one claim, as a decision (KEP-1790).
 *
 * One step is: decide, write the record, call the driver, write what came of it (answer.ts). The record is written
 * before the call and with a precondition on the claim's resourceVersion, so that quota never counts less than what the
 * driver may be doing. A retry whose record is already there has nothing to write; whoever carries it out reads the
 * claim afresh from the API server instead, because a cache may be behind.
 */
import { NODE_EXPANSION_NOT_REQUIRED, STORAGE_RESIZER } from "../../core/names.ts";
import { Quantity } from "../../core/quantity.ts";
import { isBoundTo } from "../../core/volume.ts";
import type { Decision } from "./decision.ts";
import type { ResizeFacts } from "./facts.ts";
import { decideSatisfied, FINISHED } from "./satisfied.ts";
import { decideByRequest } from "./step-by-request.ts";
import { openRecord, targetSize } from "./target-size.ts";

/** In-tree volumes that a CSI driver took over keep their old source; the annotation says who grows them. */
const MIGRATED_DRIVERS: ReadonlySet<string> = new Set([
  "pd.csi.storage.gke.io",
  "ebs.csi.aws.com",
  "cinder.csi.openstack.org",
  "disk.csi.azure.com",
  "file.csi.azure.com",
  "csi.vsphere.vmware.com",
  "pxd.portworx.com",
]);

/** Whether this driver grows volumes that were made by an in-tree plugin. */
export function takesOver(driver: string): boolean {
  return MIGRATED_DRIVERS.has(driver);
}

export function decideStep(facts: ResizeFacts): Decision {
  const { claim, volume, driver } = facts;
  if (claim.phase !== "Bound" || claim.volumeName === "") return nothing("the claim is not bound");
  if (!isBoundTo(volume, claim)) return nothing(`volume ${volume.name} is not bound to this claim`);
  if (!isServedBy(facts)) return nothing(`volume ${volume.name} belongs to another driver than ${driver.name}`);
  return followsRecord(facts) ? decideByRecord(facts) : decideByRequest(facts);
}

/**
 * With the gate RecoverExpansionFailure off, a claim without a record goes the old way. One that has a record keeps
 * following it, or the node, which goes by the record, would wait for ever; only lowering it is out of the question.
 */
function followsRecord({ claim, recovery }: ResizeFacts): boolean {
  return recovery || claim.allocated !== undefined || claim.state !== "none";
}

/** Whether the volume is this driver's to grow. */
export function isServedBy({ claim, volume, driver }: Pick<ResizeFacts, "claim" | "volume" | "driver">): boolean {
  if (volume.driver !== undefined) return volume.driver === driver.name;
  return takesOver(driver.name) && claim.annotations[STORAGE_RESIZER] === driver.name;
}

function decideByRecord(facts: ResizeFacts): Decision {
  const { claim } = facts;
  const open = openRecord(claim);
  const satisfied = claim.capacity !== undefined && claim.capacity.atLeast(claim.request);

  if (isStale(facts)) {
    // Kubelets before 1.32 finish the file system but leave the state behind; so does a gate that was off meanwhile.
    if (satisfied) return { kind: "record", change: FINISHED, why: "the recorded expansion is long done" };
    return decideTarget({ ...facts, claim: { ...claim, state: "none", conditions: new Map() } });
  }
  if (!satisfied) return decideTarget(facts);
  if (open === undefined || claim.state === "none") return decideSatisfied(facts);
  switch (claim.state) {
    case "controller-in-progress":
      return expandWhenFree(facts, open); // in doubt: the record is finished before it is forgotten
    case "node-pending":
    case "node-in-progress":
      return { kind: "wait-for-node", why: `the node is to grow the volume to ${open}` };
    case "controller-infeasible":
    case "node-infeasible":
      return nothing("the claim has what it asks for; the larger size that was tried is infeasible");
  }
}

/** The status says that something is under way, but the claim already has the size that it speaks of. */
function isStale({ claim, volume }: ResizeFacts): boolean {
  if (claim.state === "none" || claim.capacity === undefined) return false;
  return claim.capacity.atLeast(claim.allocated ?? volume.capacity);
}

function decideTarget(facts: ResizeFacts): Decision {
  const { claim, volume } = facts;
  const target = targetSize(facts);
  if (target.kind === "wait-for-node") {
    return {
      kind: "wait-for-node",
      why: `volume ${volume.name} has ${volume.capacity}; the node is to grow the file system`,
    };
  }
  const open = openRecord(claim);
  const size = facts.recovery || open === undefined ? target.size : Quantity.max(target.size, open);
  if (claim.allocated?.equals(size) === true) {
    const at = nextTry(facts);
    if (at !== undefined && facts.now < at) {
      return {
        kind: "wait-until",
        at,
        why: `${size} is infeasible; it is tried again later, a changed request at once`,
      };
    }
  }
  return expandWhenFree(facts, size);
}

function expandWhenFree(facts: ResizeFacts, size: Quantity): Decision {
  if (facts.memory.inUse !== true || !facts.usedByPod) return expand(facts, size);
  return { kind: "wait-for-release", why: `driver ${facts.driver.name} grows this volume only while no pod uses it` };
}

/** When a size that was called infeasible may be tried again; undefined when it was not. */
function nextTry({ claim, memory, slowRetry }: ResizeFacts): number | undefined {
  if (claim.state !== "controller-infeasible" && claim.state !== "node-infeasible") return undefined;
  if (memory.notBefore !== undefined) return memory.notBefore;
  const failure = claim.conditions.get(claim.state === "node-infeasible" ? "node-error" : "controller-error");
  return failure?.at === undefined ? undefined : failure.at + slowRetry;
}

function expand({ claim, memory }: ResizeFacts, size: Quantity): Decision {
  const unchanged = claim.allocated?.equals(size) === true;
  return {
    kind: "expand",
    size,
    record: {
      allocated: size,
      // Also on a retry of an infeasible size: if this process dies during the call, the outcome is in doubt, and a
      // state that says "failed" would let a lower request forget it.
      state: "controller-in-progress",
      // The first record of a process is always a write. A former leader may have sent one that has not arrived yet;
      // once the claim has a newer version it will be refused.
      set: [memory.owned === true ? { kind: "resizing" } : { kind: "resizing", probed: "anew" }],
      clear: unchanged ? ["ready"] : ["file-system-pending", "controller-error", "node-error", "ready"],
      annotations: { [NODE_EXPANSION_NOT_REQUIRED]: null },
    },
    recovers: claim.allocated !== undefined && size.lessThan(claim.allocated),
  };
}

function nothing(why: string): Decision {
  return { kind: "nothing", why };
}

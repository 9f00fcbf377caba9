/**
 * What to write after the driver has answered. The second half of a step: see step.ts for the first.
 *
 * The writes are computed from the claim as it is when they are made. After a lost race the caller reads the claim
 * afresh and asks again here: the same answer gives the same kind of write, the driver is not called a second time. If
 * the fresh claim no longer records the size that was asked for, somebody else has moved on, and the answer says
 * nothing about the claim any more; only the volume's size is still a fact.
 */
import type { ClaimView } from "../../core/claim.ts";
import type { ClaimChange } from "../../core/claim-change.ts";
import { NODE_EXPANSION_NOT_REQUIRED } from "../../core/names.ts";
import { Quantity } from "../../core/quantity.ts";
import type { ClaimMemory, ResizeFacts } from "./facts.ts";

/** Whoever has come so far has written the record. */
const OWNED: ClaimMemory = { owned: true };

/** What the driver said. */
export type DriverAnswer =
  | { readonly kind: "expanded"; readonly capacity: Quantity; readonly nodeExpansionRequired: boolean }
  | { readonly kind: "failed"; readonly failure: DriverFailure };

/** How it failed, in the classes that CSI's error codes fall into (csi/error.ts has the table). */
export interface DriverFailure {
  /** As people will read it: `rpc error: code = OutOfRange desc = …`. */
  readonly message: string;
  /** Nothing was done and nothing is under way. Otherwise the outcome is in doubt. */
  readonly final: boolean;
  /** Final, and asking again for the same size makes no sense. */
  readonly infeasible: boolean;
  /** Final, and it would work while no pod uses the volume. */
  readonly inUse: boolean;
}

export interface AfterAnswer {
  readonly result: "node-expansion-required" | "finished" | "infeasible" | "failed" | "in-doubt" | "overtaken";
  /** First: the volume's new capacity. The node compares it with the claim's, so it must stand before the claim says "pending". */
  readonly volumeCapacity?: Quantity;
  /** Then: the claim's status, in one patch. */
  readonly claim: ClaimChange;
  readonly memory: ClaimMemory;
  /** The failure, in words, when there is one. */
  readonly message?: string;
}

/** `asked` is the size of the call; `facts` are those of now, with the claim and the volume read after the call. */
export function afterAnswer(facts: ResizeFacts, asked: Quantity, answer: DriverAnswer): AfterAnswer {
  const checked = answer.kind === "expanded" ? checkCapacity(asked, answer) : answer;
  if (checked.kind === "expanded") return afterExpansion(facts, asked, checked);
  return afterFailure(facts, asked, checked.failure);
}

/** A driver that reports less than it was asked for, or nothing, has not told us anything that may be recorded. */
function checkCapacity(asked: Quantity, answer: DriverAnswer & { kind: "expanded" }): DriverAnswer {
  if (answer.capacity.atLeast(asked)) return answer;
  const message = `the driver reported success but a size of ${answer.capacity}, less than the ${asked} that it was asked for`;
  return { kind: "failed", failure: { message, final: false, infeasible: false, inUse: false } };
}

function afterExpansion(
  { claim, volume, driver, now, slowRetry }: ResizeFacts,
  asked: Quantity,
  { capacity, nodeExpansionRequired }: DriverAnswer & { kind: "expanded" },
): AfterAnswer {
  // A node-only driver has no backend size of its own: after a failure on the node the volume goes back with the claim.
  const volumeCapacity = driver.controller ? Quantity.max(capacity, volume.capacity) : capacity;
  if (isOvertaken(claim, asked)) return { result: "overtaken", volumeCapacity, claim: {}, memory: OWNED };
  const recorded = hasRecord(claim);
  if (nodeExpansionRequired) {
    return {
      result: "node-expansion-required",
      volumeCapacity,
      claim: {
        ...(recorded ? { state: "node-pending" } : { clear: ["resizing"] }),
        set: [{ kind: "file-system-pending", message: FILE_SYSTEM_PENDING }],
        annotations: { [NODE_EXPANSION_NOT_REQUIRED]: null },
      },
      // The node refused this size before: not again before a while has passed, or the two halves chase each other.
      memory: claim.conditions.has("node-error") ? { owned: true, notBefore: now + slowRetry } : OWNED,
    };
  }
  return {
    result: "finished",
    volumeCapacity,
    claim: {
      // Never down: an answer that was overtaken by a former leader's may report an earlier rounding.
      capacity: Quantity.max(capacity, claim.capacity ?? capacity),
      state: "none",
      set: [{ kind: "ready" }],
      clear: ["resizing", "file-system-pending", "controller-error", "node-error"],
      ...(recorded ? { annotations: { [NODE_EXPANSION_NOT_REQUIRED]: "true" } } : {}),
    },
    memory: OWNED,
  };
}

function afterFailure(
  { claim, now, slowRetry }: ResizeFacts,
  asked: Quantity,
  { message, final, infeasible, inUse }: DriverFailure,
): AfterAnswer {
  if (!final) return { result: "in-doubt", claim: {}, memory: OWNED, message };
  if (isOvertaken(claim, asked)) return { result: "overtaken", claim: {}, memory: OWNED, message };
  const failed: ClaimChange = {
    set: [{ kind: "controller-error", message: `failed to expand pvc with ${message}`, probed: true }],
  };
  if (!hasRecord(claim)) return { result: "failed", claim: failed, memory: { owned: true, inUse }, message };
  if (!infeasible) return { result: "failed", claim: failed, memory: { owned: true, refused: asked, inUse }, message };
  return {
    result: "infeasible",
    claim: { ...failed, state: "controller-infeasible" },
    memory: { owned: true, refused: asked, notBefore: now + slowRetry },
    message,
  };
}

/** The step left a record. Not so on the old way, and on servers that drop the fields. */
function hasRecord(claim: ClaimView): boolean {
  return claim.allocated !== undefined || claim.state !== "none";
}

/** The record no longer tells of the call that was answered. */
function isOvertaken(claim: ClaimView, asked: Quantity): boolean {
  if (!hasRecord(claim)) return false;
  return claim.state !== "controller-in-progress" || claim.allocated?.equals(asked) !== true;
}

/** Kubernetes' own words; tools look for them. */
const FILE_SYSTEM_PENDING = "Waiting for user to (re-)start a pod to finish file system resize of volume on node.";

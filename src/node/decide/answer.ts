/** What the node writes after the driver has answered NodeExpandVolume. The second half of a step: see step.ts. */

import type { ClaimChange } from "../../core/claim-change.ts";
import { Quantity } from "../../core/quantity.ts";
import type { NodeFacts, NodeMemory } from "./facts.ts";
import { DONE } from "./step.ts";

export type NodeAnswer =
  | { readonly kind: "expanded" }
  /** The driver does not do this. */
  | { readonly kind: "unsupported"; readonly message: string }
  /** There is no file system on the device yet: nothing to grow, the mount will make one of the full size. */
  | { readonly kind: "no-file-system" }
  | {
      readonly kind: "failed";
      readonly message: string;
      readonly final: boolean;
      readonly infeasible: boolean;
      readonly inUse: boolean;
    };

export interface AfterNodeAnswer {
  readonly result: "expanded" | "format" | "failed" | "infeasible" | "in-doubt" | "overtaken";
  readonly claim: ClaimChange;
  readonly memory: NodeMemory;
  /** Whether a pod that is just being mounted may start. A volume in use elsewhere or infeasible does not hold it up. */
  readonly mount: "proceed" | "fail";
  readonly message?: string;
}

/** `asked` is the size of the call; `facts` are those of now, with the claim read after the call. */
export function afterNodeAnswer(facts: NodeFacts, asked: Quantity, answer: NodeAnswer): AfterNodeAnswer {
  const { claim, memory } = facts;
  switch (answer.kind) {
    case "expanded":
    case "no-file-system": {
      const overtaken = isOvertaken(facts, asked);
      const settled = overtaken || isGrown(facts, asked);
      return {
        result: overtaken ? "overtaken" : answer.kind === "expanded" ? "expanded" : "format",
        claim: settled ? {} : { ...DONE, capacity: Quantity.max(asked, claim.capacity ?? asked) },
        memory: {},
        mount: "proceed",
      };
    }
    case "unsupported":
      // Fine when there was nothing to do; else a failure like others.
      if (isGrown(facts, asked)) return { result: "expanded", claim: {}, memory, mount: "proceed" };
      return { result: "failed", claim: nodeError(answer.message), memory, mount: "fail", message: answer.message };
    case "failed":
      return afterFailure(facts, asked, answer);
  }
}

function afterFailure(
  facts: NodeFacts,
  asked: Quantity,
  { message, final, infeasible, inUse }: NodeAnswer & { kind: "failed" },
): AfterNodeAnswer {
  const { claim, memory } = facts;
  if (!final) return { result: "in-doubt", claim: {}, memory, mount: "fail", message };
  if (isOvertaken(facts, asked)) return { result: "overtaken", claim: {}, memory: {}, mount: "proceed", message };
  const recorded = claim.state !== "none";
  // Twice refused and no longer wanted: give it back to the controller, which may pick the new request.
  const unwanted = memory.refused?.equals(asked) === true && !claim.request.equals(asked);
  if (recorded && (infeasible || unwanted)) {
    return {
      result: "infeasible",
      claim: { ...nodeError(message), state: "node-infeasible" },
      memory: { refused: asked, inUse },
      mount: infeasible || inUse ? "proceed" : "fail",
      message,
    };
  }
  return {
    result: "failed",
    claim: nodeError(message),
    memory: { refused: asked, inUse },
    mount: inUse ? "proceed" : "fail",
    message,
  };
}

/** The claim has the size and says so: a shared volume that another node has grown. Nothing is left to write. */
function isGrown({ claim }: NodeFacts, asked: Quantity): boolean {
  return claim.state === "none" && claim.capacity?.atLeast(asked) === true;
}

/** The claim no longer tells of the call that was answered. */
function isOvertaken({ claim }: NodeFacts, asked: Quantity): boolean {
  return claim.allocated !== undefined && !claim.allocated.equals(asked);
}

function nodeError(message: string): ClaimChange {
  return { set: [{ kind: "node-error", message: `failed to expand pvc with ${message}`, probed: true }] };
}

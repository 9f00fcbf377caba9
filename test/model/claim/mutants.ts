/**
 * Rules that are wrong on purpose. A checker that cannot fail proves nothing: each of these must be caught.
 *
 * Several are mistakes that others have shipped; two were made here and found by the checker before anything ran.
 */
import type { ClaimView } from "../../../src/core/claim.ts";
import type { Bound } from "./bound.ts";
import { FULL, QUICK } from "./bounds.ts";
import { type ClaimRules, RULES } from "./rules.ts";

export interface ClaimMutant {
  readonly name: string;
  readonly description: string;
  readonly rules: ClaimRules;
  /** A graph in which it shows. */
  readonly bound: Bound;
}

function bound(name: string): Bound {
  const found = [...QUICK, ...FULL].find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`no graph is called ${name}`);
  return found;
}

function conducting(change: Partial<ClaimRules["conduct"]>): ClaimRules {
  return { ...RULES, conduct: { ...RULES.conduct, ...change } };
}

const BOTH = bound("controller-and-node, every failure");
const LEADERS = bound("node-only, changing leaders");
const LEADERS_BOTH = bound("controller-and-node, changing leaders");

export const CLAIM_MUTANTS: readonly ClaimMutant[] = [
  {
    name: "call-before-record",
    description: "the driver is called before the size is recorded",
    rules: conducting({ recordsFirst: false }),
    bound: BOTH,
  },
  {
    name: "lowered-in-doubt",
    description: "a lower request is followed while the last call is in doubt",
    rules: {
      ...RULES,
      decideStep: (facts) => RULES.decideStep({ ...facts, memory: { ...facts.memory, ...refusedRecord(facts.claim) } }),
    },
    bound: BOTH,
  },
  {
    name: "restart-means-refused",
    description: "a process that remembers nothing takes the recorded size for refused",
    rules: {
      ...RULES,
      decideStep: (facts) =>
        RULES.decideStep(facts.memory.owned === true ? facts : { ...facts, memory: { ...refusedRecord(facts.claim) } }),
    },
    bound: BOTH,
  },
  {
    name: "doubt-means-refused",
    description: "a call whose answer was lost is remembered as refused for good",
    rules: {
      ...RULES,
      afterAnswer: (facts, asked, answer) => {
        const after = RULES.afterAnswer(facts, asked, answer);
        return after.result === "in-doubt" ? { ...after, memory: { ...after.memory, refused: asked } } : after;
      },
    },
    bound: BOTH,
  },
  {
    name: "infeasible-not-reopened",
    description: "the retry of an infeasible size leaves the state as it is (the incumbent does this)",
    rules: {
      ...RULES,
      decideStep: (facts) => {
        const decision = RULES.decideStep(facts);
        if (decision.kind !== "expand" || facts.claim.state !== "controller-infeasible") return decision;
        if (facts.claim.allocated?.equals(decision.size) !== true) return decision;
        return { ...decision, record: { ...decision.record, state: "controller-infeasible" } };
      },
    },
    bound: BOTH,
  },
  {
    name: "quota-counts-request",
    description: "quota counts the request and not what is recorded",
    rules: { ...RULES, claimUsage: (claim) => claim.request },
    bound: BOTH,
  },
  {
    name: "stale-state-left",
    description: "a state that an old kubelet left behind is believed",
    rules: {
      ...RULES,
      decideStep: (facts) => {
        const decision = RULES.decideStep(facts);
        return decision.kind === "record" ? { kind: "wait-for-node", why: "the status says so" } : decision;
      },
      decideNodeStep: (facts) => {
        const decision = RULES.decideNodeStep(facts);
        return decision.kind === "record" ? { kind: "wait", why: "nothing to grow" } : decision;
      },
    },
    bound: bound("node-only, an old kubelet"),
  },
  {
    name: "node-success-forgotten",
    description: "the node grows the file system but does not write the capacity",
    rules: {
      ...RULES,
      afterNodeAnswer: (facts, asked, answer) => {
        const after = RULES.afterNodeAnswer(facts, asked, answer);
        const { capacity: _, ...claim } = after.claim;
        return { ...after, claim };
      },
    },
    bound: BOTH,
  },
  {
    name: "node-follows-request",
    description: "the node grows to the request instead of the recorded size",
    rules: {
      ...RULES,
      decideNodeStep: (facts) => {
        const decision = RULES.decideNodeStep(facts);
        return decision.kind === "expand" ? { ...decision, size: facts.claim.request } : decision;
      },
    },
    bound: BOTH,
  },
  {
    name: "zero-believed",
    description: "the size that the driver reports is recorded even when it is less than was asked for",
    rules: {
      ...RULES,
      afterAnswer: (facts, asked, answer) => {
        if (answer.kind !== "expanded" || answer.capacity.atLeast(asked))
          return RULES.afterAnswer(facts, asked, answer);
        const after = RULES.afterAnswer(facts, asked, { ...answer, capacity: asked });
        return { ...after, claim: { ...after.claim, capacity: answer.capacity } };
      },
    },
    bound: bound("controller-only, every failure"),
  },
  {
    name: "capacity-falls",
    description: "the driver's size is recorded even when the claim has been given more meanwhile",
    rules: {
      ...RULES,
      afterAnswer: (facts, asked, answer) => {
        const after = RULES.afterAnswer(facts, asked, answer);
        if (after.result !== "finished" || answer.kind !== "expanded") return after;
        return { ...after, claim: { ...after.claim, capacity: answer.capacity } };
      },
    },
    bound: bound("controller-only, everything at once"),
  },
  {
    name: "claim-before-volume",
    description: "the claim says that the node may begin before the volume has its new size",
    rules: conducting({ volumeFirst: false }),
    bound: BOTH,
  },
  {
    name: "retry-unverified",
    description: "a retry that has nothing to write trusts its cache",
    rules: conducting({ verifies: false }),
    bound: bound("controller-only, a cache that is behind"),
  },
  {
    name: "no-preconditions",
    description: "writes do not say which version they were made for",
    rules: conducting({ preconditions: false }),
    bound: BOTH,
  },
  {
    name: "first-record-no-write",
    description: "a new leader that finds the record as it should be does not write it anew",
    rules: {
      ...RULES,
      decideStep: (facts) => RULES.decideStep({ ...facts, memory: { ...facts.memory, owned: true } }),
    },
    bound: LEADERS_BOTH,
  },
  {
    name: "unfenced",
    description: "a process that has lost the lease goes on with its step",
    rules: conducting({ fenced: false }),
    bound: LEADERS,
  },
  {
    name: "memory-outlives-lease",
    description: "a process remembers a refusal from before another held the lease",
    rules: conducting({ forgetsWithLease: false }),
    bound: LEADERS_BOTH,
  },
  {
    name: "memory-outlives-failure",
    description: "a process remembers a refusal although the API server failed in the middle of a later step",
    rules: conducting({ forgetsOnFailure: false }),
    bound: BOTH,
  },
  {
    name: "lowered-to-capacity",
    description: "a request may be lowered to what the claim has",
    rules: {
      ...RULES,
      validateClaimUpdate: (old, next, gates) =>
        RULES.validateClaimUpdate(old, next, gates).filter(({ detail }) => !detail.includes("status.capacity")),
    },
    bound: BOTH,
  },
  {
    name: "lowered-without-record",
    description: "with the gate on again, a request may be lowered while an expansion of the old way is under way",
    rules: {
      ...RULES,
      validateClaimUpdate: (old, next, gates) =>
        RULES.validateClaimUpdate(old, next, gates).filter(
          ({ detail }) => !gates.RecoverExpansionFailure || !detail.includes("previous value"),
        ),
    },
    bound: bound("controller-only, the recovery gate switched"),
  },
];

/** The recorded size, remembered as refused. */
function refusedRecord(claim: ClaimView): { refused?: NonNullable<ClaimView["allocated"]> } {
  return claim.allocated === undefined ? {} : { refused: claim.allocated };
}

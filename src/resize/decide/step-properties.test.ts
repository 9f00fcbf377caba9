/** What holds of every decision, however strange the claim; the model checker (`npm run model`) follows them through time. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyClaimChange } from "../../core/claim-change.ts";
import { RESIZE_STATES, TODAY } from "../../core/dialect.ts";
import { Quantity } from "../../core/quantity.ts";
import { facts, factsOf, MINUTE, NOW, theClaim } from "./fixtures.ts";
import { decideStep } from "./step.ts";
import { openRecord } from "./target-size.ts";

const gib = fc.integer({ min: 1, max: 5 }).map((size) => `${size}Gi`);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const traits = fc.record({
  S: gib,
  C: fc.option(gib),
  A: maybe(gib),
  P: gib,
  state: fc.constantFrom(...RESIZE_STATES),
  conditions: fc
    .subarray(["resizing", "file-system-pending", "controller-error", "node-error"] as const)
    .map((kinds) => kinds.map((kind) => ({ kind, probed: true }))),
  nodeOnly: fc.boolean(),
  recovery: fc.boolean(),
  usedByPod: fc.boolean(),
  memory: fc
    .record({ refused: maybe(gib), notBefore: maybe(fc.constantFrom(NOW - MINUTE, NOW + MINUTE)), inUse: fc.boolean() })
    .map(({ refused, notBefore, inUse }) => ({
      inUse,
      ...(refused === undefined ? {} : { refused: Quantity.parse(refused) }),
      ...(notBefore === undefined ? {} : { notBefore }),
    })),
});

test("the driver is called only for what the claim lacks, and never below an open record that nobody refused", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(traits, (traits) => {
      const given = facts(traits);
      const decision = decideStep(given);
      seen.add(decision.kind);
      if (decision.kind !== "expand") return;
      const { claim } = given;
      const open = openRecord(claim);
      // Rule 3: nothing is asked to shrink, or to stay as it is.
      expect(decision.size.moreThan(claim.capacity ?? Quantity.zero)).toBe(true);
      // Rule 1: what the driver is asked for is recorded, or else it is the request, which quota counts anyway.
      expect(decision.record.allocated ?? claim.request).toEqual(decision.size);
      // Rule 2: the record goes down with the gate on only, and never where the controller is in doubt.
      expect(decision.recovers).toBe(claim.allocated !== undefined && decision.size.lessThan(claim.allocated));
      if (open !== undefined && decision.size.lessThan(open)) {
        expect(given.recovery).toBe(true);
        expect(claim.state === "controller-in-progress" && given.memory.refused?.equals(open) !== true).toBe(false);
        expect(["none", "node-pending", "node-in-progress"]).not.toContain(claim.state);
      }
    }),
    { seed: 1790, numRuns: 5_000 },
  );
  expect([...seen].sort()).toEqual(["expand", "nothing", "record", "wait-for-node", "wait-for-release", "wait-until"]);
});

test("what was tidied is not tidied again; what was recorded is what a successor goes for", () => {
  fc.assert(
    fc.property(traits, (traits) => {
      const claim = theClaim(traits);
      const { usedByPod: _, memory: __, ...rest } = traits;
      const decision = decideStep(factsOf(claim, traits));
      if (decision.kind !== "record" && decision.kind !== "expand") return;
      const change = decision.kind === "record" ? decision.change : decision.record;
      const next = decideStep(factsOf(applyClaimChange(claim, change, TODAY, NOW), rest));
      if (decision.kind === "record") expect(next.kind).toBe("nothing");
      else expect(next).toMatchObject({ kind: "expand", size: decision.size, recovers: false });
    }),
    { seed: 284, numRuns: 5_000 },
  );
});

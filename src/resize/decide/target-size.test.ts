import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readClaim } from "../../core/claim.ts";
import { RESIZE_STATES } from "../../core/dialect.ts";
import { Quantity } from "../../core/quantity.ts";
import { facts, factsOf, type Traits, theClaim } from "./fixtures.ts";
import { openRecord, targetSize } from "./target-size.ts";

const FILE_SYSTEM_PENDING = [{ kind: "file-system-pending" }] as const;
const refused = (size: string) => ({ memory: { refused: Quantity.parse(size) } });

function target(traits: Traits): string {
  const result = targetSize(facts(traits));
  return result.kind === "size" ? result.size.toString() : "wait for the node";
}

/** One row of the incumbent's table (pkg/controller/expand_and_recover.go). The capacity C is 10Gi, S is above it. */
type Row = readonly [id: string, what: string, traits: Traits, expected: string];

const VOLUME_BEHIND: readonly Row[] = [
  ["A1", "the node failed: A again", { state: "node-infeasible", P: "15Gi", A: "15Gi" }, "15Gi"],
  ["A1b", "the node failed, nothing recorded: S", { state: "node-infeasible", P: "15Gi" }, "20Gi"],
  ["A2", "node's turn, the volume has A", { state: "node-pending", P: "15Gi", A: "15Gi" }, "wait for the node"],
  ["A2", "node at work, the volume has A", { state: "node-in-progress", P: "15Gi", A: "12Gi" }, "wait for the node"],
  ["A2b", "node's turn, the volume is below A", { state: "node-pending", P: "12Gi", A: "15Gi" }, "15Gi"],
  ["A2b", "node at work, the volume is below A", { state: "node-in-progress", P: "12Gi", A: "15Gi" }, "15Gi"],
  ["A2c", "node's turn, nothing recorded", { state: "node-pending", P: "15Gi" }, "20Gi"],
  ["A2c", "node at work, nothing recorded", { state: "node-in-progress", P: "15Gi" }, "20Gi"],
  ["A3", "A was refused, less is wanted", { state: "controller-in-progress", A: "90Gi", ...refused("90Gi") }, "20Gi"],
  ["A3", "A was refused, more is wanted", { state: "controller-in-progress", A: "15Gi", ...refused("15Gi") }, "20Gi"],
  ["A3b", "in doubt, less is wanted", { state: "controller-in-progress", A: "90Gi" }, "90Gi"],
  ["A3b", "in doubt, more is wanted", { state: "controller-in-progress", A: "15Gi" }, "15Gi"],
  ["A3c", "in doubt, nothing recorded", { state: "controller-in-progress" }, "20Gi"],
  ["A4", "nothing under way", { state: "none" }, "20Gi"],
  ["A4", "nothing under way, a smaller A", { state: "none", A: "15Gi" }, "20Gi"],
  ["A4", "infeasible, less is wanted", { state: "controller-infeasible", A: "90Gi" }, "20Gi"],
  ["A4", "infeasible, more is wanted", { state: "controller-infeasible", A: "15Gi" }, "20Gi"],
];

const VOLUME_REACHED: readonly Row[] = [
  ["B1", "node's turn", { state: "node-pending", P: "20Gi", A: "20Gi" }, "wait for the node"],
  [
    "B1",
    "node at work on more than is wanted",
    { state: "node-in-progress", P: "90Gi", A: "90Gi" },
    "wait for the node",
  ],
  ["B1", "node's turn, nothing recorded", { state: "node-pending", P: "20Gi" }, "wait for the node"],
  ["B2", "the node failed, the controller had done A", { state: "node-infeasible", P: "90Gi", A: "90Gi" }, "90Gi"],
  ["B2b", "the node failed, nothing recorded", { state: "node-infeasible", P: "90Gi" }, "20Gi"],
  [
    "B2b",
    "the node of a node-only driver failed: back to S",
    { state: "node-infeasible", P: "90Gi", A: "90Gi", nodeOnly: true },
    "20Gi",
  ],
  ["B3", "in doubt, the volume is written", { state: "controller-in-progress", P: "90Gi", A: "90Gi" }, "90Gi"],
  [
    "B3",
    "refused by now, but the volume says it was done once",
    { state: "controller-in-progress", P: "90Gi", A: "90Gi", ...refused("90Gi") },
    "90Gi",
  ],
  ["B3", "in doubt, nothing recorded", { state: "controller-in-progress", P: "20Gi" }, "20Gi"],
  ["B3", "infeasible, the volume is there", { state: "controller-infeasible", P: "20Gi", A: "90Gi" }, "90Gi"],
  ["B3", "infeasible, nothing recorded", { state: "controller-infeasible", P: "20Gi" }, "20Gi"],
  ["B4", "nothing under way, A above C", { state: "none", P: "90Gi", A: "90Gi" }, "90Gi"],
  [
    "B5",
    "an old server, the file system is pending",
    { state: "none", P: "20Gi", conditions: FILE_SYSTEM_PENDING },
    "wait for the node",
  ],
  ["B5b", "an old server, nothing is pending", { state: "none", P: "20Gi" }, "20Gi"],
];

describe("the volume has less than is asked for (P < S)", () => {
  test.each(VOLUME_BEHIND)("%s: %s", (_id, _what, traits, expected) => {
    expect(target(traits)).toBe(expected);
  });
});

describe("the volume has what is asked for (P ≥ S)", () => {
  test.each(VOLUME_REACHED)("%s: %s", (_id, _what, traits, expected) => {
    expect(target(traits)).toBe(expected);
  });
});

test("every row of the table is here", () => {
  const ids = new Set([...VOLUME_BEHIND, ...VOLUME_REACHED].map(([id]) => id));
  const behind = ["A1", "A1b", "A2", "A2b", "A2c", "A3", "A3b", "A3c", "A4"];
  const reached = ["B1", "B2", "B2b", "B3", "B4", "B5", "B5b"];
  expect([...ids].sort()).toEqual([...behind, ...reached]);
});

describe("a state that nobody knows counts as none", () => {
  const strange = (traits: Traits) => {
    const claim = theClaim(traits);
    const status = { ...claim.status, allocatedResourceStatuses: { storage: "Frobnicating" } };
    return targetSize(factsOf({ ...claim, status }, traits));
  };
  test.each<[string, Traits, string | undefined]>([
    ["A4: S", {}, "20Gi"],
    ["B5: wait while the file system is pending", { P: "20Gi", conditions: FILE_SYSTEM_PENDING }, undefined],
    ["B5b: S", { P: "20Gi" }, "20Gi"],
  ])("%s", (_, traits, size) => {
    expect(strange(traits)).toEqual(
      size === undefined ? { kind: "wait-for-node" } : { kind: "size", size: Quantity.parse(size) },
    );
  });
});

describe("where we differ from the incumbent", () => {
  test.each<[string, Traits, string]>([
    ["B4 would ask for 10Gi again", { state: "none", P: "20Gi", A: "10Gi" }, "20Gi"],
    ["B4 would ask for less than there is", { state: "none", P: "20Gi", A: "5Gi" }, "20Gi"],
    ["A3b would ask for 10Gi again", { state: "controller-in-progress", A: "10Gi" }, "20Gi"],
    ["A2 would wait for a node that is done", { state: "node-pending", P: "10Gi", A: "10Gi" }, "20Gi"],
    ["A1 would go back to 10Gi", { state: "node-infeasible", P: "15Gi", A: "10Gi" }, "20Gi"],
  ])("an A that is not above C is history, not an open expansion: %s", (_, traits, expected) => {
    expect(target(traits)).toBe(expected);
  });

  test("with no state recorded, an open A above S is finished first: A4 would forget what the driver may have done", () => {
    expect(target({ state: "none", A: "90Gi" })).toBe("90Gi");
  });
});

describe("the recorded size is that of an open expansion", () => {
  test.each<[string, Traits, string | undefined]>([
    ["when it is above the capacity", { A: "90Gi" }, "90Gi"],
    ["not when the claim has it", { A: "10Gi" }, undefined],
    ["not when the claim has more", { A: "5Gi" }, undefined],
    ["when no capacity is known", { A: "5Gi", C: null }, "5Gi"],
    ["not when there is none", {}, undefined],
  ])("%s", (_, traits, expected) => {
    expect(openRecord(readClaim(theClaim(traits)))?.toString()).toBe(expected);
  });
});

test("sizes are compared as numbers, not as texts", () => {
  const volume = { capacity: Quantity.parse("15360Mi") };
  expect(target({ state: "node-pending", S: "20Gi", A: "15Gi", volume })).toBe("wait for the node");
  expect(target({ state: "controller-in-progress", A: "15Gi", ...refused("15360Mi") })).toBe("20Gi");
});

describe("whatever the claim looks like", () => {
  const gib = fc.integer({ min: 1, max: 6 }).map((size) => `${size}Gi`);
  const traits = fc.record({
    S: fc.integer({ min: 4, max: 7 }).map((size) => `${size}Gi`),
    C: fc.constantFrom("2Gi", "3Gi"),
    P: gib,
    A: fc.option(gib, { nil: undefined }),
    state: fc.constantFrom(...RESIZE_STATES),
    conditions: fc.constantFrom([], FILE_SYSTEM_PENDING),
    nodeOnly: fc.boolean(),
    memory: fc.option(gib, { nil: undefined }).map((size) => (size === undefined ? {} : refused(size).memory)),
  });

  test("the target is S or an open A, and above C: nothing is ever asked to shrink", () => {
    fc.assert(
      fc.property(traits, (traits) => {
        const result = targetSize(facts(traits));
        if (result.kind !== "size") return;
        expect([traits.S, traits.A]).toContain(result.size.toString());
        expect(result.size.moreThan(Quantity.parse(traits.C))).toBe(true);
      }),
      { seed: 1790, numRuns: 2_000 },
    );
  });

  test("it is below an open A only after that was refused for good and where nothing shows that it was done (KEP-1790)", () => {
    let lowered = 0;
    fc.assert(
      fc.property(traits, (traits) => {
        const given = facts(traits);
        const result = targetSize(given);
        const open = openRecord(given.claim);
        if (open === undefined || result.kind !== "size" || !result.size.lessThan(open)) return;
        lowered++;
        const reached = given.volume.capacity.atLeast(given.claim.request);
        const known = given.memory.refused?.equals(open) === true;
        const allowed =
          (traits.state === "controller-infeasible" && !reached) ||
          (traits.state === "controller-in-progress" && known && !reached) ||
          (traits.state === "node-infeasible" && traits.nodeOnly);
        expect(allowed).toBe(true);
      }),
      { seed: 1790, numRuns: 2_000 },
    );
    expect(lowered).toBeGreaterThan(20);
  });
});

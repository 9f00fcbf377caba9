/** KEP-284, "Controller Manager resize": what holds for a claim on which nothing is recorded. */
import { describe, expect, test } from "vitest";
import { applyClaimChange } from "../../core/claim-change.ts";
import { DIALECTS, TODAY } from "../../core/dialect.ts";
import { Quantity } from "../../core/quantity.ts";
import { facts, factsOf, NOW, type Traits, theClaim } from "./fixtures.ts";
import { decideByRequest } from "./step-by-request.ts";

const PENDING = { conditions: [{ kind: "file-system-pending" }] } as const;
const decide = (traits: Traits = {}) => decideByRequest(facts({ recovery: false, ...traits }));

describe("the old way", () => {
  test.each<[string, Traits, string]>([
    ["grows to the request", {}, "expand"],
    ["grows again when the volume has the size but nobody says that the node is to go on", { P: "20Gi" }, "expand"],
    ["waits for the node when both are so", { P: "20Gi", ...PENDING }, "wait-for-node"],
    ["grows further when the request has risen meanwhile", { S: "30Gi", P: "20Gi", ...PENDING }, "expand"],
    ["has nothing to do when the claim has the size", { C: "20Gi" }, "nothing"],
    ["has nothing to do when the claim has more", { C: "21Gi" }, "nothing"],
    ["takes back what no longer holds: the node was faster", { C: "20Gi", ...PENDING }, "record"],
    [
      "waits while a pod uses a volume that must not be in use",
      { memory: { inUse: true }, usedByPod: true },
      "wait-for-release",
    ],
    ["goes on when that pod is gone", { memory: { inUse: true } }, "expand"],
  ])("%s", (_, traits, kind) => {
    expect(decide(traits).kind).toBe(kind);
  });

  test.each(Object.values(DIALECTS))("records no size and no state, in dialect $name", (dialect) => {
    const before = theClaim({ dialect, conditions: [{ kind: "controller-error", message: "the last time" }] });
    const decision = decideByRequest(factsOf(before, { recovery: false }));
    if (decision.kind !== "expand") throw new Error(decision.kind);
    expect(decision).toMatchObject({ size: Quantity.parse("20Gi"), recovers: false });
    const { status } = applyClaimChange(before, decision.record, dialect, NOW);
    expect(Object.keys(status ?? {}).sort()).toEqual(["capacity", "conditions", "phase"]);
    expect(status?.conditions?.map(({ type }) => type)).toEqual(dialect.conditions.resizing);
  });

  test("of a retry has nothing to write", () => {
    const claim = theClaim({ conditions: [{ kind: "resizing" }] });
    const decision = decideByRequest(factsOf(claim, { recovery: false }));
    if (decision.kind !== "expand") throw new Error(decision.kind);
    expect(applyClaimChange(claim, decision.record, TODAY, NOW)).toBe(claim);
  });
});

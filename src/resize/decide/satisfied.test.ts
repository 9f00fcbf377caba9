import { describe, expect, test } from "vitest";
import { applyClaimChange } from "../../core/claim-change.ts";
import { type ConditionKind, DIALECTS } from "../../core/dialect.ts";
import { facts, NOW, theClaim } from "./fixtures.ts";
import { decideSatisfied, FINISHED } from "./satisfied.ts";

const SATISFIED = { S: "20Gi", C: "20Gi", A: "20Gi", P: "20Gi" };
const NOTHING = { kind: "nothing", why: "the claim has what it asks for" };

describe("a claim that has what it asks for", () => {
  test("is left alone", () => {
    expect(decideSatisfied(facts(SATISFIED))).toEqual(NOTHING);
  });

  test.each<ConditionKind>(["resizing", "file-system-pending", "controller-error", "node-error"])(
    "has the condition %s taken back, which tells of an expansion that is over",
    (kind) => {
      expect(decideSatisfied(facts({ ...SATISFIED, conditions: [{ kind }] }))).toEqual({
        kind: "record",
        change: FINISHED,
        why: "the conditions tell of an expansion that is over",
      });
    },
  );

  test("keeps the condition that says so (Ready, of the first text)", () => {
    const ready = facts({ ...SATISFIED, dialect: DIALECTS.expansion, conditions: [{ kind: "ready" }] });
    expect(ready.claim.conditions.has("ready")).toBe(true);
    expect(decideSatisfied(ready)).toEqual(NOTHING);
  });

  test("is left to the node while the volume is larger than the claim", () => {
    expect(decideSatisfied(facts({ ...SATISFIED, P: "30Gi", conditions: [{ kind: "file-system-pending" }] }))).toEqual(
      NOTHING,
    );
  });
});

test.each(Object.values(DIALECTS))("taking back removes every trace, once, in dialect $name", (dialect) => {
  const conditions = (["resizing", "file-system-pending", "controller-error", "node-error"] as const).map((kind) => ({
    kind,
  }));
  const told = theClaim({ ...SATISFIED, dialect, state: "node-pending", conditions });
  const tidy = applyClaimChange(told, FINISHED, dialect, NOW);
  expect(tidy.status?.conditions).toBeUndefined();
  expect(tidy.status?.allocatedResourceStatuses?.["storage"] ?? tidy.status?.resizeStatus ?? "").toBe("");
  expect(tidy.status?.allocatedResources).toEqual({ storage: "20Gi" });
  expect(applyClaimChange(tidy, FINISHED, dialect, NOW)).toBe(tidy);
});

import { describe, expect, test } from "vitest";
import { forbidden } from "../../admission/verdict.ts";
import { Quantity } from "../../core/quantity.ts";
import type { ClaimStanding, TemplateGrowth } from "./growth.ts";
import { type Outcome, type OutcomeFacts, outcomeOf } from "./outcome.ts";

function growth(inSet: TemplateGrowth["inSet"], ...standings: ClaimStanding[]): TemplateGrowth {
  const [request, capacity] = [Quantity.parse("20Gi"), Quantity.parse("10Gi")];
  return {
    template: "mysql-data",
    wish: Quantity.parse("20Gi"),
    inSet,
    claims: standings.map((standing, ordinal) => ({
      claim: {
        name: `mysql-data-moco-x-${ordinal}`,
        template: "mysql-data",
        request,
        capacity,
        failure: standing === "failed" ? "out of space" : undefined,
      },
      standing,
    })),
  };
}

describe("the outcome", () => {
  const NOTHING = { errors: [], refusals: [] };
  test.each<[string, OutcomeFacts, Outcome["kind"], string]>([
    [
      "every claim has it and the template follows",
      { growth: [growth("follows", "done", "done")], ...NOTHING },
      "resized",
      "every claim has its size: mysql-data 20Gi",
    ],
    [
      "the template is ahead: nothing is missing",
      { growth: [growth("ahead", "done")], ...NOTHING },
      "resized",
      "every claim has its size: mysql-data 20Gi",
    ],
    [
      "the claims have it, the template does not follow yet",
      { growth: [growth("behind", "done")], ...NOTHING },
      "growing",
      "growing mysql-data 20Gi",
    ],
    [
      "the template follows, a claim is yet to grow",
      { growth: [growth("follows", "done", "grow")], ...NOTHING },
      "growing",
      "growing mysql-data 20Gi",
    ],
    [
      "accepted writes are no success: the capacity must be there",
      { growth: [growth("follows", "growing")], ...NOTHING },
      "growing",
      "growing mysql-data 20Gi",
    ],
    [
      "one claim failed",
      { growth: [growth("follows", "growing", "failed")], ...NOTHING },
      "failed",
      "Resize failed: mysql-data-moco-x-1: out of space",
    ],
    [
      "several claims failed",
      { growth: [growth("follows", "failed", "failed", "failed")], ...NOTHING },
      "failed",
      "Resize failed: mysql-data-moco-x-0: out of space (and 2 more)",
    ],
    [
      "the API server refused",
      { growth: [growth("behind", "grow")], errors: [], refusals: ["exceeded quota: q"] },
      "failed",
      "Resize failed: exceeded quota: q",
    ],
    [
      "the resource asks for what cannot be",
      { growth: [], errors: [forbidden("spec", "no"), forbidden("spec", "never")], refusals: [] },
      "invalid",
      "Validation failed: [spec: Forbidden: no, spec: Forbidden: never]",
    ],
  ])("%s", (_, facts, kind, message) => {
    expect(outcomeOf(facts)).toEqual({ kind, message });
  });
});

import { describe, expect, test } from "vitest";
import type { Pod } from "../../../../core/types.ts";
import type { Amount, Budget } from "./budget.ts";
import { goSelector } from "./go-selector.ts";
import { DELETION_TIMEOUT, disruptedPods, failedStatus, healthyPods, statusOf, wantedPods } from "./health.ts";

const NOW = Date.parse("2026-01-01T00:10:00Z");
const pod = (name: string, ready = true, metadata: object = {}): Pod => ({
  metadata: { name, namespace: "prod", ...metadata },
  spec: {},
  status: { conditions: [{ type: "Ready", status: ready ? "True" : "False" }] },
});
const pods = (count: number): Pod[] => Array.from({ length: count }, (_, i) => pod(`p${i}`));
const budget = (spec: Budget["spec"], status: Budget["status"] = {}): Budget => ({
  metadata: { name: "b", namespace: "prod", generation: 2 },
  spec: { selector: {}, ...spec },
  status,
});

describe("how many must stay", () => {
  test.each<[string, Budget["spec"], number, number, { expected: number; desired: number }]>([
    ["a number of pods", { minAvailable: 2 }, 3, 0, { expected: 3, desired: 2 }],
    ["a share of what the owners want, rounded up", { minAvailable: "50%" }, 3, 5, { expected: 5, desired: 3 }],
    ["all", { minAvailable: "100%" }, 1, 4, { expected: 4, desired: 4 }],
    ["all but a number", { maxUnavailable: 1 }, 3, 3, { expected: 3, desired: 2 }],
    ["all but a share, rounded up", { maxUnavailable: "30%" }, 5, 5, { expected: 5, desired: 3 }],
    ["none, where more may go than there are", { maxUnavailable: 9 }, 3, 3, { expected: 3, desired: 0 }],
    ["nothing is said", {}, 3, 3, { expected: 0, desired: 0 }],
  ])("%s", (_, spec, count, scale, wanted) => {
    expect(wantedPods(budget(spec), pods(count), scale)).toEqual(wanted);
  });

  test.each<Amount>(["half", "50", "-5%", "5.5%"])("what is no share is refused: %s", (maxUnavailable) => {
    expect(() => wantedPods(budget({ maxUnavailable }), [], 3)).toThrow("is not a percentage");
  });
});

describe("a pod that was evicted", () => {
  const evicted = (ago: number, metadata: object = {}) => {
    const at = new Date(NOW - ago).toISOString().replace(".000Z", "Z");
    return disruptedPods(budget({}, { disruptedPods: { p0: at, gone: at } }), [pod("p0", true, metadata)], NOW);
  };

  test("counts as gone until it is", () => {
    const { pods: expected, lookAgainAt, stayed } = evicted(1_000);
    expect(Object.keys(expected)).toEqual(["p0"]);
    expect([lookAgainAt, stayed]).toEqual([NOW - 1_000 + DELETION_TIMEOUT, []]);
    expect(healthyPods([pod("p0"), pod("p1")], expected)).toBe(1);
  });

  test("is forgotten when it is on its way out", () => {
    expect(evicted(1_000, { deletionTimestamp: "2026-01-01T00:00:00Z" }).pods).toEqual({});
  });

  test("counts again when it has stayed for too long", () => {
    const { pods: expected, stayed } = evicted(DELETION_TIMEOUT + 1_000);
    expect([expected, stayed.map(({ metadata }) => metadata.name)]).toEqual([{}, ["p0"]]);
  });
});

test("a pod that is not ready, or is going, is not healthy", () => {
  const going = pod("going", true, { deletionTimestamp: "2026-01-01T00:00:00Z" });
  expect(healthyPods([pod("a"), pod("b", false), going], {})).toBe(1);
});

describe("what the budget says", () => {
  const count = { currentHealthy: 3, desiredHealthy: 2, expectedPods: 3, disruptedPods: {} };
  const since = "2025-01-01T00:00:00Z";

  test("how many may go, and that some may", () => {
    expect(statusOf(budget({}), count, NOW)).toEqual({
      currentHealthy: 3,
      desiredHealthy: 2,
      expectedPods: 3,
      disruptionsAllowed: 1,
      observedGeneration: 2,
      conditions: [
        {
          type: "DisruptionAllowed",
          status: "True",
          reason: "SufficientPods",
          message: "",
          observedGeneration: 2,
          lastTransitionTime: "2026-01-01T00:10:00Z",
        },
      ],
    });
  });

  test.each([
    ["too few are healthy", { ...count, currentHealthy: 1 }],
    ["there are none", { ...count, expectedPods: 0 }],
  ])("that none may go, when %s", (_, found) => {
    const { disruptionsAllowed, conditions } = statusOf(budget({}), found, NOW);
    expect([disruptionsAllowed, conditions?.[0]?.reason]).toEqual([0, "InsufficientPods"]);
  });

  test("that none may go, when it cannot be told", () => {
    const old = { type: "DisruptionAllowed", status: "False", lastTransitionTime: since };
    const before = { disruptionsAllowed: 2, observedGeneration: 1, conditions: [old] };
    expect(failedStatus(budget({}, before), "why", NOW)).toMatchObject({
      disruptionsAllowed: 0,
      conditions: [{ reason: "SyncFailed", message: "why", observedGeneration: 1, lastTransitionTime: since }],
    });
  });
});

test("a selector in upstream's words", () => {
  const matchExpressions = [{ key: "tier", operator: "In", values: ["a", "b"] }];
  expect(goSelector({ matchLabels: { b: "2", a: "1" }, matchExpressions })).toBe(
    "&LabelSelector{MatchLabels:map[string]string{a: 1,b: 2,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:tier,Operator:In,Values:[a b],},},}",
  );
});

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_GATES } from "../../core/gates.ts";
import type { PersistentVolumeClaim } from "../../core/types.ts";
import { desiredSizes } from "./desired-sizes.ts";
import { aClaim, aSet, CLASSES, type ClaimTraits, claimsFor, type SetTraits } from "./fixtures.ts";
import { type ClaimPlan, type ClaimsFacts, planClaims } from "./plan-claims.ts";
import { parseWish } from "./wish.ts";

const ONE: SetTraits = { replicas: 1, templates: { data: "100Gi" } };

function plan(set: SetTraits, claims: PersistentVolumeClaim[], facts: Partial<ClaimsFacts> = {}): readonly ClaimPlan[] {
  const object = aSet(set);
  const desired = desiredSizes(object);
  return planClaims({
    set: object,
    desired,
    claims,
    classes: CLASSES,
    gates: DEFAULT_GATES,
    beyondReplicas: false,
    ...facts,
  });
}

/** The plan for the only claim of a set whose desired size is 200Gi. */
function planOne(claim: ClaimTraits, facts: Partial<ClaimsFacts> = {}): ClaimPlan | undefined {
  return plan({ ...ONE, wish: "data=200Gi" }, [aClaim("data-db-0", claim)], facts)[0];
}

function told(plans: readonly ClaimPlan[]): string[] {
  return plans.map((each) => `${each.name} ${each.kind}`);
}

describe("KEP-661: the claims of a set follow its desired size", () => {
  it.each<[string, ClaimTraits, string, string]>([
    ["below is grown", { request: "100Gi" }, "grow", "grows from 100Gi to 200Gi"],
    ["equal is done", { request: "200Gi" }, "done", "has 200Gi"],
    ["equal in another notation is done", { request: "204800Mi" }, "done", "has 200Gi"],
    [
      "larger is left alone",
      { request: "300Gi" },
      "leave",
      "asks for 300Gi, more than 200Gi; a claim is never made smaller",
    ],
    [
      "a volume that is larger than its request is grown all the same",
      { request: "150Gi", capacity: "250Gi" },
      "grow",
      "grows from 150Gi to 200Gi",
    ],
    ["equal, with a volume that was rounded up, is done", { request: "200Gi", capacity: "201Gi" }, "done", "has 201Gi"],
  ])("a claim that is %s", (_, claim, kind, reason) => {
    expect(planOne(claim)).toMatchObject({
      kind,
      reason,
      name: "data-db-0",
      ordinal: 0,
      template: "data",
      inRange: true,
    });
  });

  it("6G is not 6Gi", () => {
    expect(told(plan({ ...ONE, wish: "data=6Gi" }, [aClaim("data-db-0", { request: "6G" })]))).toEqual([
      "data-db-0 grow",
    ]);
  });

  it("the template says nothing about the claims: they grow although it has the size already", () => {
    const templates = { data: "200Gi" };
    expect(told(plan({ ...ONE, templates }, [aClaim("data-db-0", { request: "100Gi" })]))).toEqual(["data-db-0 grow"]);
  });

  it("a set of several templates: each by its own size", () => {
    const plans = plan({ replicas: 1, wish: "wal=20Gi" }, [
      aClaim("data-db-0"),
      aClaim("wal-db-0", { request: "10Gi" }),
    ]);
    expect(told(plans)).toEqual(["data-db-0 done", "wal-db-0 grow"]);
  });

  it("an earlier expansion that still runs does not keep a claim from being asked for more", () => {
    const claim = { request: "150Gi", capacity: "100Gi", state: "ControllerResizeInProgress" };
    expect(planOne(claim)?.kind).toBe("grow");
  });

  it("says what the decision was based on, so that a patch on an older reading can be refused", () => {
    expect(planOne({})).toMatchObject({ uid: "uid-data-db-0", resourceVersion: "7" });
  });
});

describe("a claim that asks for the desired size but does not have it yet", () => {
  const growing = { request: "200Gi", capacity: "100Gi" };
  it.each<[string, ClaimTraits, object]>([
    ["waits for the resizer", {}, { kind: "waiting", for: "resizer", reason: "the storage is growing to 200Gi" }],
    ["waits for the resizer at work", { state: "ControllerResizeInProgress" }, { kind: "waiting", for: "resizer" }],
    ["waits for the node", { state: "NodeResizePending" }, { kind: "waiting", for: "node" }],
    ["waits for the node at work", { state: "NodeResizeInProgress" }, { kind: "waiting", for: "node" }],
    [
      "waits for the node, by an older resizer",
      { conditions: { FileSystemResizePending: "" } },
      { kind: "waiting", for: "node" },
    ],
    [
      "has failed when the driver cannot make that size",
      { state: "ControllerResizeInfeasible", conditions: { ControllerResizeError: "out of range" } },
      {
        kind: "failed",
        message: "out of range",
        reason: "the storage refused 200Gi: out of range; ask for less, but more than 100Gi",
      },
    ],
    ["has failed on an older server", { state: "ControllerResizeFailed" }, { kind: "failed" }],
    [
      "has failed when the driver said no",
      { conditions: { ControllerResizeError: "no" } },
      { kind: "failed", message: "no" },
    ],
    [
      "waits for its pod to go when the driver grows only what is not in use",
      {
        state: "ControllerResizeInProgress",
        conditions: { ControllerResizeError: "rpc error: code = FailedPrecondition desc = in use" },
      },
      { kind: "waiting", for: "release", reason: expect.stringContaining("restartPods: WhenNeeded") },
    ],
    [
      "has failed when the node cannot do it",
      { state: "NodeResizeInfeasible", conditions: { NodeResizeError: "no" } },
      { kind: "failed", message: "no" },
    ],
    [
      "has not failed because of a node error alone: kubelet says that on a timeout, too",
      { state: "NodeResizeInProgress", conditions: { NodeResizeError: "timeout" } },
      { kind: "waiting", for: "node" },
    ],
  ])("%s", (_, claim, expected) => {
    expect(planOne({ ...growing, ...claim })).toMatchObject(expected);
  });
});

it("says that the pod is restarted where that is wanted, in place of how to want it", () => {
  const inUse = {
    request: "200Gi",
    capacity: "100Gi",
    state: "ControllerResizeInProgress",
    conditions: { ControllerResizeError: "rpc error: code = FailedPrecondition desc = in use" },
  };
  const reason = planOne(inUse, { restarts: true })?.reason;
  expect(reason).toMatch(/only while no pod uses it: .* in use; its pod is restarted in its turn$/);
});

describe("what failed was another size than what is asked for by now", () => {
  const failed = {
    capacity: "100Gi",
    state: "ControllerResizeInfeasible",
    conditions: { ControllerResizeError: "no room" },
  };

  it.each<[string, ClaimTraits, string]>([
    [
      "lowered since: the resizer goes for that at once",
      { request: "200Gi", allocated: "300Gi", ...failed },
      "waiting",
    ],
    ["raised since, the same", { request: "200Gi", allocated: "150Gi", ...failed }, "waiting"],
    ["the very size that failed", { request: "200Gi", allocated: "200Gi", ...failed }, "failed"],
    ["in another notation", { request: "204800Mi", allocated: "200Gi", ...failed }, "failed"],
    ["beside the record of an expansion that is over", { request: "200Gi", allocated: "100Gi", ...failed }, "failed"],
    [
      "on the node, which goes on with what the storage has made",
      { request: "200Gi", allocated: "300Gi", ...failed, state: "NodeResizeInfeasible" },
      "failed",
    ],
  ])("%s", (_, claim, kind) => {
    expect(planOne(claim)).toMatchObject({ kind });
  });
});

describe("KEP-1790 by way of the set: a desired size below the request", () => {
  const tooLarge = { request: "500Gi", capacity: "100Gi" };
  const infeasible = {
    ...tooLarge,
    state: "ControllerResizeInfeasible",
    conditions: { ControllerResizeError: "too big" },
  };

  it("recovers a claim whose expansion failed for good", () => {
    expect(planOne(infeasible)).toMatchObject({
      kind: "recover",
      reason: "growing to 500Gi failed (too big); goes for 200Gi instead",
    });
  });

  it.each<[string, ClaimTraits, string]>([
    ["also when the node failed for good", { ...tooLarge, state: "NodeResizeInfeasible" }, "recover"],
    ["also when only the condition says so", { ...tooLarge, conditions: { ControllerResizeError: "no" } }, "recover"],
    ["waits while it may still succeed", { ...tooLarge, state: "ControllerResizeInProgress" }, "waiting"],
    ["waits while nobody has begun", tooLarge, "waiting"],
    [
      "waits for the node: the volume has grown already",
      { ...tooLarge, state: "NodeResizePending", conditions: { ControllerResizeError: "old" } },
      "waiting",
    ],
    [
      "leaves a claim whose capacity is the desired size: it cannot go back to that",
      { ...infeasible, capacity: "200Gi" },
      "leave",
    ],
    ["leaves a claim whose capacity is above", { ...infeasible, capacity: "300Gi" }, "leave"],
    ["recovers a bound claim without a known capacity", { ...infeasible, capacity: "0" }, "recover"],
  ])("%s", (_, claim, kind) => {
    expect(planOne(claim)?.kind).toBe(kind);
  });

  it("says how far down one can go when it must be left", () => {
    expect(planOne({ ...infeasible, capacity: "250Gi" })?.reason).toBe(
      "has 250Gi; growing to 500Gi failed, and only a size above 250Gi can take that back",
    );
  });

  it("is blocked while the recovery gate is off", () => {
    const gates = { ...DEFAULT_GATES, RecoverExpansionFailure: false };
    expect(planOne(infeasible, { gates })).toMatchObject({ kind: "blocked", because: "recovery-is-off" });
  });
});

describe("a step that cannot be taken is blocked, with the way out", () => {
  it.each<[string, ClaimTraits, string, RegExp]>([
    [
      "the class does not allow expansion",
      { className: "rigid" },
      "class-rigid",
      /storage class "rigid" does not allow expansion; set allowVolumeExpansion: true/,
    ],
    ["the class is gone", { className: "gone" }, "class-missing", /storage class "gone" does not exist; create it/],
    ["the claim names no class", { className: "" }, "no-class", /names no storage class/],
    ["the volume is gone", { phase: "Lost" }, "lost", /pv-data-db-0 is gone/],
    [
      "the claim is being deleted",
      { metadata: { deletionTimestamp: "2026-03-01T12:00:00Z" } },
      "being-deleted",
      /is being deleted/,
    ],
  ])("%s", (_, claim, because, reason) => {
    expect(planOne(claim)).toMatchObject({ kind: "blocked", because, reason: expect.stringMatching(reason) });
  });

  it("nothing new starts while the gate is off, and what runs is not touched", () => {
    const gates = { ...DEFAULT_GATES, StatefulSetVolumeExpansion: false };
    expect(planOne({}, { gates })).toMatchObject({ kind: "blocked", because: "growing-is-off" });
    expect(planOne({ request: "200Gi", capacity: "100Gi" }, { gates })?.kind).toBe("waiting");
  });

  it("the class does not matter to a claim that need not grow", () => {
    expect(planOne({ request: "200Gi", className: "rigid" })?.kind).toBe("done");
  });

  it("a claim that another set may own is touched by nobody", () => {
    const set: SetTraits = { name: "a", replicas: 1, templates: { "data-b": "1Gi" } };
    const others = [aSet({ name: "b-a", templates: { data: "1Gi" } })];
    const [only] = plan(set, [aClaim("data-b-a-0", { labels: {} })], { others });
    expect(only).toMatchObject({
      kind: "blocked",
      because: "disputed",
      reason: expect.stringContaining("StatefulSet b-a"),
    });
  });
});

describe("claims that are not there, or not needed", () => {
  it("a claim that is not bound waits for it: only bound claims can grow", () => {
    expect(planOne({ phase: "Pending" })).toMatchObject({ kind: "waiting", for: "binding" });
  });

  it("a missing claim comes with its pod, from the template", () => {
    expect(plan({ ...ONE, wish: "data=200Gi" }, [])[0]).toMatchObject({
      kind: "missing",
      name: "data-db-0",
      reason: "does not exist yet; it will be made from the template (100Gi) together with its pod",
    });
  });

  it("claims above the replicas are left alone unless asked for", () => {
    const claims = [aClaim("data-db-0"), aClaim("data-db-1")];
    const set = { ...ONE, wish: "data=200Gi" };
    expect(told(plan(set, claims))).toEqual(["data-db-0 grow", "data-db-1 leave"]);
    const asked = plan(set, claims, { beyondReplicas: true });
    expect(told(asked)).toEqual(["data-db-0 grow", "data-db-1 grow"]);
    expect(asked.map(({ inRange }) => inRange)).toEqual([true, false]);
  });

  it("a set that is scaled to zero still has claims to grow, when asked", () => {
    const set = { ...ONE, replicas: 0, wish: "data=200Gi" };
    expect(told(plan(set, [aClaim("data-db-0")], { beyondReplicas: true }))).toEqual(["data-db-0 grow"]);
  });

  it("plans come by ordinal and template, the missing ones among the others", () => {
    const claims = [aClaim("wal-db-1", { request: "10Gi" }), aClaim("data-db-0")];
    expect(told(plan({ replicas: 2 }, claims))).toEqual([
      "data-db-0 done",
      "wal-db-0 missing",
      "data-db-1 missing",
      "wal-db-1 done",
    ]);
  });
});

it("ten thousand claims are planned in one go", () => {
  const set = aSet({ replicas: 5_000, wish: "data=200Gi" });
  const desired = desiredSizes(set);
  const plans = planClaims({
    set,
    desired,
    claims: claimsFor(set),
    classes: CLASSES,
    gates: DEFAULT_GATES,
    beyondReplicas: false,
  });
  expect(plans.filter(({ kind }) => kind === "grow")).toHaveLength(5_000);
  expect(plans.filter(({ kind }) => kind === "done")).toHaveLength(5_000);
});

it("whatever the claim: a request is raised to the desired size or, after a final failure, lowered to above the capacity", () => {
  const gib = fc.integer({ min: 1, max: 5 });
  const state = fc.constantFrom(
    undefined,
    "ControllerResizeInProgress",
    "ControllerResizeInfeasible",
    "NodeResizePending",
    "NodeResizeInProgress",
    "NodeResizeInfeasible",
  );
  const errors = fc.subarray(["ControllerResizeError", "NodeResizeError", "Resizing", "FileSystemResizePending"]);
  fc.assert(
    fc.property(gib, gib, gib, state, errors, (wish, request, capacity, state, types) => {
      const traits = {
        request: `${request}Gi`,
        capacity: `${capacity}Gi`,
        conditions: Object.fromEntries(types.map((type) => [type, "x"])),
        ...(state !== undefined && { state }),
      };
      const set = aSet(ONE);
      const desired = desiredSizes(set, parseWish(`data=${wish}Gi`));
      const claims = [aClaim("data-db-0", traits)];
      const facts = { set, desired, claims, classes: CLASSES, gates: DEFAULT_GATES, beyondReplicas: false };
      const [only] = planClaims(facts);
      const failed = state?.endsWith("Infeasible") === true || types.includes("ControllerResizeError");
      if (wish > request) expect(only?.kind).toBe("grow");
      if (only?.kind === "grow") expect(wish).toBeGreaterThan(request);
      if (only?.kind === "recover") {
        expect(failed).toBe(true);
        expect(wish).toBeLessThan(request);
        expect(wish).toBeGreaterThan(capacity);
      }
      if (only?.kind === "done" || only?.kind === "leave") expect(capacity).toBeGreaterThanOrEqual(wish);
    }),
    { seed: 1790, numRuns: 1_000 },
  );
});

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Rollout } from "../types.ts";
import { size } from "./fixtures.ts";
import type { ClaimPlan } from "./plan-claims.ts";
import { rolloutStep } from "./rollout.ts";

/** `2 grow`, `0 failed`, `5 grow beyond`, `1/wal resizer`: one claim of that ordinal in that state. */
function plans(...words: string[]): ClaimPlan[] {
  return words.map((word) => {
    const [place = "", kind = "", beyond] = word.split(" ");
    const [ordinal, template = "data"] = place.split("/");
    const base = {
      name: `${template}-db-${ordinal}`,
      uid: "",
      resourceVersion: "",
      template,
      ordinal: Number(ordinal),
      inRange: beyond === undefined,
      from: size(kind === "grow" ? "100Gi" : kind === "recover" ? "300Gi" : "200Gi"),
      to: size("200Gi"),
      capacity: size(kind === "done" ? "200Gi" : "100Gi"),
      reason: "because",
    };
    switch (kind) {
      case "resizer":
      case "node":
      case "binding":
        return { ...base, kind: "waiting", for: kind };
      case "failed":
        return { ...base, kind, message: "out of range" };
      case "being-deleted":
      case "class-rigid":
        return { ...base, kind: "blocked", because: kind };
      default:
        return { ...base, kind: kind as "grow" };
    }
  });
}

function step(rollout: Rollout, ...words: string[]) {
  const { start, held, stoppedBy, reason } = rolloutStep(plans(...words), rollout);
  const names = (list: readonly ClaimPlan[]) => list.map(({ name }) => name.replace("data-db-", ""));
  return { start: names(start), held: names(held), stoppedBy: names(stoppedBy), reason };
}

const ONE_BY_ONE: Rollout = { mode: "OneByOne" };

describe("parallel", () => {
  it("starts all, from the highest ordinal down", () => {
    expect(step({}, "0 grow", "1 grow", "2 grow")).toMatchObject({ start: ["2", "1", "0"], held: [], reason: "" });
  });

  it("starts no more than maxConcurrent, and more as others get done", () => {
    const rollout = { maxConcurrent: 2 };
    expect(step(rollout, "0 grow", "1 grow", "2 grow")).toMatchObject({
      start: ["2", "1"],
      held: ["0"],
      reason: "at most 2 ordinals at a time, from the highest down",
    });
    expect(step(rollout, "0 grow", "1 resizer", "2 resizer")).toMatchObject({ start: [], held: ["0"] });
    expect(step(rollout, "0 grow", "1 resizer", "2 done")).toMatchObject({ start: ["0"], held: [] });
  });

  it("takes ten at a time when nothing is said", () => {
    const many = Array.from({ length: 12 }, (_, ordinal) => `${ordinal} grow`);
    expect(step({}, ...many)).toMatchObject({ held: ["1", "0"] });
  });

  it("is not held up by nodes: growth never waits for pods", () => {
    expect(step({ maxConcurrent: 1 }, "0 grow", "1 node", "2 node")).toMatchObject({ start: ["0"], held: [] });
  });

  it("1 of 10 claims infeasible: the rest grow", () => {
    const words = ["9 failed", ...Array.from({ length: 9 }, (_, ordinal) => `${ordinal} grow`)];
    expect(step({}, ...words)).toMatchObject({ held: [], stoppedBy: [] });
    expect(step({}, ...words).start).toHaveLength(9);
  });

  it("stops at the first failure when told so", () => {
    expect(step({ onFailure: "Stop" }, "0 grow", "1 failed", "2 resizer")).toMatchObject({
      start: [],
      held: ["0"],
      stoppedBy: ["1"],
      reason: "stopped: data-db-1 failed: because",
    });
  });
});

describe("the claims of one ordinal go together", () => {
  it("all templates of a pod start at once and count as one", () => {
    expect(step({ maxConcurrent: 1 }, "0/data grow", "0/wal grow", "1/data grow", "1/wal grow")).toMatchObject({
      start: ["1", "wal-db-1"],
      held: ["0", "wal-db-0"],
    });
  });

  it("a process that died between the two goes on with the second, even if that ordinal alone fills the limit", () => {
    expect(step(ONE_BY_ONE, "0 grow", "1/data resizer", "1/wal grow")).toMatchObject({
      start: ["wal-db-1"],
      held: ["0"],
    });
  });
});

describe("one by one", () => {
  it("starts the highest ordinal, and the next when that is done", () => {
    expect(step(ONE_BY_ONE, "0 grow", "1 grow", "2 grow")).toMatchObject({
      start: ["2"],
      held: ["1", "0"],
      reason: "one ordinal at a time, from the highest down",
    });
    expect(step(ONE_BY_ONE, "0 grow", "1 grow", "2 resizer")).toMatchObject({ start: [], held: ["1", "0"] });
    expect(step(ONE_BY_ONE, "0 grow", "1 grow", "2 node")).toMatchObject({ start: [], held: ["1", "0"] });
    expect(step(ONE_BY_ONE, "0 grow", "1 grow", "2 done")).toMatchObject({ start: ["1"], held: ["0"] });
  });

  it("stops at a failure, and says which", () => {
    expect(step(ONE_BY_ONE, "0 grow", "1 failed", "2 done")).toMatchObject({
      start: [],
      held: ["0"],
      stoppedBy: ["1"],
    });
  });

  it("stops at a claim that cannot grow", () => {
    expect(step(ONE_BY_ONE, "0 grow", "1 class-rigid")).toMatchObject({ start: [], held: ["0"], stoppedBy: ["1"] });
  });

  it("resumes by itself when the failure is mended", () => {
    expect(step(ONE_BY_ONE, "0 grow", "1 recover")).toMatchObject({ start: ["1"], held: ["0"], stoppedBy: [] });
    expect(step(ONE_BY_ONE, "0 grow", "1 done")).toMatchObject({ start: ["0"], stoppedBy: [] });
  });

  it("is resumed by naming the claims that may fail", () => {
    expect(step({ ...ONE_BY_ONE, goOnDespite: ["data-db-1"] }, "0 grow", "1 failed")).toMatchObject({
      start: ["0"],
      stoppedBy: [],
    });
    expect(step({ ...ONE_BY_ONE, goOnDespite: ["data-db-7"] }, "0 grow", "1 failed")).toMatchObject({
      start: [],
      stoppedBy: ["1"],
    });
  });

  it("goes on after a failure when told so", () => {
    expect(step({ ...ONE_BY_ONE, onFailure: "Continue" }, "0 grow", "1 failed")).toMatchObject({ start: ["0"] });
  });

  it("does not wait for what can never be waited for: a missing, unbound or vanishing claim", () => {
    expect(step(ONE_BY_ONE, "0 grow", "1 missing", "2 binding", "3 being-deleted")).toMatchObject({
      start: ["0"],
      held: [],
    });
  });
});

describe("canary", () => {
  it("starts the first few only, and the rest when those are done", () => {
    const rollout = { canary: 1 };
    expect(step(rollout, "0 grow", "1 grow", "2 grow")).toMatchObject({
      start: ["2"],
      held: ["1", "0"],
      reason: "waits for the canaries: ordinal 2",
    });
    expect(step(rollout, "0 grow", "1 grow", "2 node")).toMatchObject({ start: [], held: ["1", "0"] });
    expect(step(rollout, "0 grow", "1 grow", "2 done")).toMatchObject({ start: ["1", "0"], held: [] });
  });

  it("counts a larger claim as proof", () => {
    expect(step({ canary: 1 }, "0 grow", "1 leave")).toMatchObject({ start: ["0"] });
  });

  it("a canary that fails keeps back the rest", () => {
    expect(step({ canary: 1 }, "0 grow", "1 failed")).toMatchObject({ start: [], held: ["0"], stoppedBy: ["1"] });
  });

  it("a failure after the canaries does not", () => {
    expect(step({ canary: 1 }, "0 grow", "1 failed", "2 done")).toMatchObject({ start: ["0"], stoppedBy: [] });
  });

  it("is never a member that cannot tell anything", () => {
    expect(step({ canary: 1 }, "0 grow", "1 grow", "2 missing", "3 binding")).toMatchObject({
      start: ["1"],
      held: ["0"],
    });
  });
});

describe("what the order has to show before the template follows", () => {
  const proven = (rollout: Rollout, ...words: string[]): boolean => rolloutStep(plans(...words), rollout).proven;

  it("in parallel nothing: new replicas come up with the new size at once", () => {
    expect(proven({ maxConcurrent: 1 }, "0 grow", "1 resizer", "2 failed")).toBe(true);
  });

  it("with canaries that all of them have their size, even if there is nobody else", () => {
    expect(proven({ canary: 1 }, "0 grow", "1 resizer")).toBe(false);
    expect(proven({ canary: 1 }, "0 resizer")).toBe(false);
    expect(proven({ canary: 1 }, "0 grow", "1 failed")).toBe(false);
    expect(proven({ canary: 1 }, "0 grow", "1 done")).toBe(true);
  });

  it("one by one that everybody has had their turn", () => {
    expect(proven(ONE_BY_ONE, "0 grow", "1 done")).toBe(false);
    expect(proven(ONE_BY_ONE, "0 node", "1 done")).toBe(false);
    expect(proven(ONE_BY_ONE, "0 failed", "1 done")).toBe(false);
    expect(proven({ ...ONE_BY_ONE, goOnDespite: ["data-db-0"] }, "0 failed", "1 done")).toBe(true);
    expect(proven(ONE_BY_ONE, "0 done", "1 leave", "2 missing", "3 binding")).toBe(true);
  });
});

describe("recovering", () => {
  it("is always in order: it asks the storage for less", () => {
    expect(step(ONE_BY_ONE, "0 recover", "1 failed", "2 resizer")).toMatchObject({ start: ["0"], stoppedBy: [] });
  });
});

describe("claims without a pod", () => {
  it("come last, and nothing waits for them", () => {
    expect(step({}, "0 grow", "5 grow beyond")).toMatchObject({ start: ["0", "5"] });
    expect(step(ONE_BY_ONE, "0 grow", "1 grow", "5 grow beyond")).toMatchObject({ start: ["1"], held: ["0", "5"] });
    expect(step(ONE_BY_ONE, "0 grow", "5 node beyond", "6 failed beyond")).toMatchObject({
      start: ["0"],
      stoppedBy: [],
    });
  });
});

it("whatever the plans: every claim that is due is either started or held, and the limit is kept", () => {
  const kind = fc.constantFrom(
    "grow",
    "recover",
    "done",
    "leave",
    "resizer",
    "node",
    "binding",
    "failed",
    "missing",
    "class-rigid",
  );
  const words = fc
    .uniqueArray(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 8 })
    .chain((ordinals) => fc.tuple(...ordinals.map((ordinal) => kind.map((word) => `${ordinal} ${word}`))));
  const rollout: fc.Arbitrary<Rollout> = fc.record({
    mode: fc.constantFrom("Parallel", "OneByOne"),
    maxConcurrent: fc.integer({ min: 1, max: 4 }),
    canary: fc.integer({ min: 0, max: 3 }),
  });
  fc.assert(
    fc.property(words, rollout, (words, rollout) => {
      const all = plans(...words);
      const { start, held, stoppedBy, reason } = rolloutStep(all, rollout);
      const due = all.filter(({ kind }) => kind === "grow" || kind === "recover");
      expect([...start, ...held].map(({ name }) => name).sort()).toEqual(due.map(({ name }) => name).sort());
      expect(held.every(({ kind }) => kind === "grow")).toBe(true);
      expect(reason === "").toBe(held.length === 0);
      const grown = start.filter(({ kind }) => kind === "grow").length;
      const busy = all.filter((plan) => plan.kind === "waiting" && plan.for === "resizer").length;
      const limit = rollout.mode === "OneByOne" ? 1 : (rollout.maxConcurrent ?? 0);
      if (grown > 0) expect(grown + busy).toBeLessThanOrEqual(limit);
      if (stoppedBy.length > 0) expect(grown).toBe(0);
      // Nothing is held for no reason: somebody is at work, has failed, or must come first.
      const moves = start.length > 0 || all.some((plan) => plan.kind === "waiting" && plan.for !== "binding");
      if (held.length > 0) expect(moves || stoppedBy.length > 0).toBe(true);
    }),
    { seed: 4650, numRuns: 1_000 },
  );
});

import { describe, expect, it } from "vitest";
import type { VolumeExpansionStatus } from "../types.ts";
import { NOW, size } from "./fixtures.ts";
import type { ClaimPlan } from "./plan-claims.ts";
import { type Progress, summarize } from "./record.ts";
import { rolloutStep } from "./rollout.ts";

const BASE = { uid: "u", resourceVersion: "1", template: "data", inRange: true, reason: "because", to: size("200Gi") };

function aPlan(ordinal: number, kind: ClaimPlan["kind"], more: object = {}): ClaimPlan {
  const [from, capacity] = kind === "done" ? ["200Gi", "200Gi"] : ["100Gi", "100Gi"];
  return {
    ...BASE,
    name: `data-db-${ordinal}`,
    ordinal,
    kind,
    from: size(from),
    capacity: size(capacity),
    ...more,
  } as ClaimPlan;
}

function progress(plans: ClaimPlan[], more: Partial<Progress> = {}): Progress {
  return {
    plans,
    rollout: rolloutStep(plans),
    way: { kind: "up-to-date" },
    recreation: { kind: "nothing" },
    refusals: [],
    restarting: [],
    ...more,
  };
}

function told(status: VolumeExpansionStatus): object {
  const holds = status.conditions?.filter(({ status }) => status === "True").map(({ type }) => type);
  const [{ reason, message } = { reason: undefined, message: undefined }] = status.conditions ?? [];
  return { phase: status.phase, holds, reason, message };
}

it("counts the claims that have their size, for a column", () => {
  const plans = [aPlan(0, "done"), aPlan(1, "grow"), aPlan(2, "failed"), aPlan(9, "done", { inRange: false })];
  expect(summarize(progress(plans), undefined, 1, NOW).done).toBe("1/3");
});

describe("phase and conditions", () => {
  it.each<[string, Progress, object]>([
    ["not checked yet", progress([], { refusals: undefined }), { phase: "Checking", holds: ["Progressing"] }],
    [
      "refused",
      progress([aPlan(0, "grow")], { refusals: ["quota is too small"] }),
      { phase: "Stopped", holds: ["Stalled"], reason: "Refused", message: "quota is too small" },
    ],
    [
      "growing",
      progress([aPlan(0, "grow"), aPlan(1, "done")]),
      { phase: "Growing", holds: ["Progressing"], message: "1 of 2 claims have their size" },
    ],
    [
      "waiting for a node",
      progress([aPlan(0, "waiting", { for: "node" })]),
      { phase: "Growing", holds: ["Progressing"] },
    ],
    [
      "one failed, others go on",
      progress([aPlan(0, "grow"), aPlan(1, "failed", { reason: "too big" })]),
      {
        phase: "Growing",
        holds: ["Stalled"],
        reason: "ClaimFailed",
        message: "data-db-1: too big; 0 of 2 claims have their size",
      },
    ],
    [
      "one failed, nothing moves",
      progress([aPlan(0, "done"), aPlan(1, "failed")]),
      { phase: "Stopped", holds: ["Stalled"] },
    ],
    [
      "stopped at a failure",
      progress([aPlan(0, "grow"), aPlan(1, "failed")], {
        rollout: rolloutStep([aPlan(0, "grow"), aPlan(1, "failed")], { mode: "OneByOne" }),
      }),
      { phase: "Stopped", holds: ["Stalled"], message: "stopped: data-db-1 failed: because" },
    ],
    [
      "in use, and nobody is to be restarted",
      progress([aPlan(0, "done"), aPlan(1, "waiting", { for: "release", reason: "stop its pod" })]),
      {
        phase: "Growing",
        holds: ["Stalled"],
        reason: "VolumeInUse",
        message: "data-db-1: stop its pod; 1 of 2 claims have their size",
      },
    ],
    [
      "restarting pods",
      progress([aPlan(0, "waiting", { for: "resizer" })], { restarting: ["db-0"] }),
      { phase: "Restarting", holds: ["Progressing"] },
    ],
    [
      "the template waits for a rollout, which ends by itself",
      progress([aPlan(0, "done")], {
        way: { kind: "wait", sizes: new Map(), holds: [{ id: "rollout", reason: "busy", lookAgain: { on: "set" } }] },
      }),
      {
        phase: "UpdatingTemplate",
        holds: ["Progressing"],
        message: "1 of 1 claims have their size; the template follows later: busy",
      },
    ],
    [
      "the template waits for somebody to act",
      progress([aPlan(0, "done")], {
        way: { kind: "wait", sizes: new Map(), holds: [{ id: "owned", reason: "owned", lookAgain: { on: "set" } }] },
      }),
      { phase: "UpdatingTemplate", holds: ["Stalled"], reason: "TemplateDeferred" },
    ],
    [
      "re-creating",
      progress([aPlan(0, "done")], {
        way: undefined,
        recreation: { kind: "wait", reason: "waits for pods", lookAgain: { on: "pods" } },
      }),
      { phase: "UpdatingTemplate", holds: ["Progressing"], message: "waits for pods" },
    ],
    [
      "done, but our marks are still on the set",
      progress([aPlan(0, "done")], { recreation: { kind: "unguard" } }),
      { phase: "UpdatingTemplate", holds: ["Progressing"] },
    ],
    [
      "done",
      progress([aPlan(0, "done"), aPlan(1, "leave")]),
      {
        phase: "Done",
        holds: ["Ready"],
        reason: "Grown",
        message: "2 of 2 claims have their size, and so has the template",
      },
    ],
    ["done, a missing claim comes with its size", progress([aPlan(0, "missing")]), { phase: "Done", holds: ["Ready"] }],
    [
      "done, whatever becomes of claims without a pod",
      progress([aPlan(0, "done"), aPlan(9, "failed", { inRange: false })]),
      { phase: "Done", holds: ["Ready"] },
    ],
    [
      "done, although a claim is being deleted",
      progress([aPlan(0, "blocked", { because: "being-deleted" })]),
      { phase: "Done", holds: ["Ready"] },
    ],
    [
      "a claim that must still be bound and then grown",
      progress([aPlan(0, "waiting", { for: "binding" })]),
      { phase: "Growing", holds: ["Progressing"] },
    ],
  ])("%s", (_, given, expected) => {
    expect(told(summarize(given, undefined, 1, NOW))).toMatchObject(expected);
  });
});

describe("rows", () => {
  it("tell for each claim where it came from, where it goes, what it has, and why", () => {
    expect(summarize(progress([aPlan(0, "grow"), aPlan(1, "missing")]), undefined, 1, NOW).claims).toEqual([
      { name: "data-db-0", from: "100Gi", to: "200Gi", capacity: "100Gi", state: "Growing", message: "because" },
      { name: "data-db-1", from: "", to: "200Gi", capacity: "", state: "Pending", message: "because" },
    ]);
  });

  it("remember where a growth began until it is done, also when the size changes on the way", () => {
    const first = summarize(progress([aPlan(0, "grow")]), undefined, 1, NOW);
    const later = aPlan(0, "done", { from: size("150Gi"), to: size("150Gi"), capacity: size("150Gi") });
    const second = summarize(progress([later]), first, 1, NOW);
    expect(second.claims).toMatchObject([{ from: "100Gi", to: "150Gi", state: "Done", message: "" }]);
    const next = aPlan(0, "grow", { from: size("150Gi"), capacity: size("150Gi") });
    expect(summarize(progress([next]), second, 1, NOW).claims).toMatchObject([{ from: "150Gi", to: "200Gi" }]);
  });

  it("show what is held as pending", () => {
    const plans = [aPlan(0, "grow"), aPlan(1, "grow")];
    const { claims } = summarize(
      progress(plans, { rollout: rolloutStep(plans, { mode: "OneByOne" }) }),
      undefined,
      1,
      NOW,
    );
    expect(claims?.map(({ state }) => state)).toEqual(["Pending", "Growing"]);
  });
});

describe("what is written", () => {
  it("is nothing when nothing changed", () => {
    const first = summarize(progress([aPlan(0, "grow")]), undefined, 1, NOW);
    expect(summarize(progress([aPlan(0, "grow")]), first, 1, NOW + 60_000)).toBe(first);
  });

  it("keeps the transition time of a condition whose status stays", () => {
    const first = summarize(progress([aPlan(0, "grow"), aPlan(1, "grow")]), undefined, 1, NOW);
    const second = summarize(progress([aPlan(0, "grow"), aPlan(1, "done")]), first, 1, NOW + 60_000);
    expect(second.conditions?.map(({ lastTransitionTime }) => lastTransitionTime)).toEqual(
      first.conditions?.map(({ lastTransitionTime }) => lastTransitionTime),
    );
    const last = summarize(progress([aPlan(0, "done")]), second, 1, NOW + 120_000);
    expect(last.conditions?.find(({ type }) => type === "Ready")?.lastTransitionTime).toBe("2026-03-01T12:02:00Z");
    expect(last.conditions?.find(({ type }) => type === "Stalled")?.lastTransitionTime).toBe("2026-03-01T12:00:00Z");
  });

  it("leaves the journal alone", () => {
    const savedStatefulSet = { metadata: { name: "db" } } as NonNullable<VolumeExpansionStatus["savedStatefulSet"]>;
    expect(summarize(progress([]), { savedStatefulSet }, 1, NOW).savedStatefulSet).toBe(savedStatefulSet);
  });
});

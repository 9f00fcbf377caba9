import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Condition } from "../../core/types.ts";
import type { Outcome } from "./outcome.ts";
import { type WithConditions, withOutcome } from "./volume-resized.ts";

const NOON = Date.UTC(2026, 0, 1, 12);
const LATER = NOON + 60_000;

const OUTCOMES = {
  resized: { kind: "resized", message: "every claim has its size" },
  growing: { kind: "growing", message: "growing mysql-data 20Gi" },
  invalid: { kind: "invalid", message: "Validation failed: no" },
  failed: { kind: "failed", message: "Resize failed: out of space" },
} as const satisfies Record<string, Outcome>;

function cluster(generation: number, ...conditions: Condition[]): WithConditions {
  return { kind: "MySQLCluster", metadata: { name: "x", generation }, status: { conditions } };
}

function conditionOf(resource: WithConditions): Condition | undefined {
  return resource.status?.conditions?.find((condition) => condition.type === "VolumeResized");
}

/** A resource that goes through these outcomes, one a minute; each condition as `status reason`, and when it turned. */
function history(...outcomes: Outcome[]): string[] {
  let resource = cluster(1);
  return outcomes.map((outcome, minute) => {
    resource = withOutcome(resource, "VolumeResized", outcome, NOON + minute * 60_000);
    const condition = conditionOf(resource);
    return `${condition?.status} ${condition?.reason} ${condition?.lastTransitionTime?.slice(11, 16)}`;
  });
}

describe("the VolumeResized condition", () => {
  test.each<[Outcome, string, string]>([
    [OUTCOMES.resized, "True", "Resized"],
    [OUTCOMES.growing, "Unknown", "Progressing"],
    [OUTCOMES.invalid, "False", "ValidationFailed"],
    [OUTCOMES.failed, "False", "ResizeFailed"],
  ])("$kind", (outcome, status, reason) => {
    expect(conditionOf(withOutcome(cluster(3), "VolumeResized", outcome, NOON))).toEqual({
      type: "VolumeResized",
      status,
      reason,
      message: outcome.message,
      lastTransitionTime: "2026-01-01T12:00:00Z",
      observedGeneration: 3,
    });
  });

  test("a growth that goes well", () => {
    expect(history(OUTCOMES.growing, OUTCOMES.growing, OUTCOMES.resized, OUTCOMES.resized)).toEqual([
      "Unknown Progressing 12:00",
      "Unknown Progressing 12:00",
      "True Resized 12:02",
      "True Resized 12:02",
    ]);
  });

  test("a failed one that is tried again says False until it succeeds", () => {
    expect(history(OUTCOMES.failed, OUTCOMES.growing, OUTCOMES.failed, OUTCOMES.growing, OUTCOMES.resized)).toEqual([
      "False ResizeFailed 12:00",
      "False ResizeFailed 12:00",
      "False ResizeFailed 12:00",
      "False ResizeFailed 12:00",
      "True Resized 12:04",
    ]);
  });

  test("an obstacle that was removed is forgotten at once", () => {
    expect(history(OUTCOMES.invalid, OUTCOMES.growing)).toEqual([
      "False ValidationFailed 12:00",
      "Unknown Progressing 12:01",
    ]);
  });

  test("somebody asks for something else after a failure: under way again", () => {
    const failed = withOutcome(cluster(1), "VolumeResized", OUTCOMES.failed, NOON);
    const edited = { ...failed, metadata: { ...failed.metadata, generation: 2 } };
    expect(conditionOf(withOutcome(edited, "VolumeResized", OUTCOMES.growing, LATER))?.status).toBe("Unknown");
  });

  test("nothing changed: the very same object", () => {
    const first = withOutcome(cluster(1), "VolumeResized", OUTCOMES.failed, NOON);
    expect(withOutcome(first, "VolumeResized", OUTCOMES.failed, LATER)).toBe(first);
    expect(withOutcome(first, "VolumeResized", OUTCOMES.growing, LATER)).toBe(first);
  });

  test("another reason for the same status: the transition time is kept", () => {
    const first = withOutcome(cluster(1), "VolumeResized", OUTCOMES.failed, NOON);
    expect(conditionOf(withOutcome(first, "VolumeResized", OUTCOMES.invalid, LATER))).toMatchObject({
      reason: "ValidationFailed",
      message: "Validation failed: no",
      lastTransitionTime: "2026-01-01T12:00:00Z",
    });
  });

  test("a newer generation is noted without a transition", () => {
    const first = withOutcome(cluster(1), "VolumeResized", OUTCOMES.resized, NOON);
    const edited = { ...first, metadata: { ...first.metadata, generation: 2 } };
    expect(conditionOf(withOutcome(edited, "VolumeResized", OUTCOMES.resized, LATER))).toMatchObject({
      observedGeneration: 2,
      lastTransitionTime: "2026-01-01T12:00:00Z",
    });
  });

  test("other conditions, and everything else in the status, stay as they are", () => {
    const healthy = { type: "Healthy", status: "True" };
    const resource = { ...cluster(1, healthy), status: { conditions: [healthy], syncedReplicas: 3 } };
    const { status } = withOutcome(resource, "VolumeResized", OUTCOMES.growing, NOON);
    expect(status.syncedReplicas).toBe(3);
    expect(status.conditions[0]).toBe(healthy);
    const bare: WithConditions = { metadata: { name: "bare" } };
    expect(withOutcome(bare, "Grown", OUTCOMES.growing, NOON).status).toMatchObject({
      conditions: [{ type: "Grown" }],
    });
  });
});

test("whatever happens: writing the same outcome twice is one write, and time moves only with the status", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...Object.values(OUTCOMES)), { maxLength: 12 }), (outcomes) => {
      let resource = cluster(1);
      for (const [minute, outcome] of outcomes.entries()) {
        const before = conditionOf(resource);
        resource = withOutcome(resource, "VolumeResized", outcome, NOON + minute * 60_000);
        const after = conditionOf(resource);
        expect(withOutcome(resource, "VolumeResized", outcome, LATER + minute * 60_000)).toBe(resource);
        expect(before?.lastTransitionTime === after?.lastTransitionTime).toBe(before?.status === after?.status);
      }
    }),
    { seed: 661 },
  );
});

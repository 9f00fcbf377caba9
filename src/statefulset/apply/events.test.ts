import { expect, test } from "vitest";
import { aSet } from "../decide/fixtures.ts";
import type { VolumeExpansion, VolumeExpansionStatus } from "../types.ts";
import { createGrowthEvents } from "./events.ts";

function status(reason: string, message: string, stalled = false): VolumeExpansionStatus {
  return {
    conditions: [
      { type: "Ready", status: "False", reason, message },
      { type: "Stalled", status: stalled ? "True" : "False", reason, message },
    ],
  };
}

function told(before: VolumeExpansionStatus | undefined, after: VolumeExpansionStatus): string[] {
  const events: string[] = [];
  const record: VolumeExpansion = { metadata: { name: "db" }, spec: { statefulSetName: "db" }, status: after };
  const growth = createGrowthEvents({
    event: ({ kind }, type, reason, message) => void events.push(`${kind} ${type} ${reason}: ${message}`),
  });
  growth.told({ record }, after, before);
  growth.told({ set: aSet() }, after, before);
  return events;
}

test("a new stage is told once on the record and once on the set", () => {
  expect(told(undefined, status("Growing", "0 of 3 claims have their size"))).toEqual([
    "VolumeExpansion Normal Growing: 0 of 3 claims have their size",
    "StatefulSet Normal Growing: 0 of 3 claims have their size",
  ]);
});

test("progress within a stage is not told again", () => {
  expect(told(status("Growing", "0 of 3 claims"), status("Growing", "1 of 3 claims"))).toEqual([]);
});

test("where somebody has to act, each new reason is a warning, and the same with another count is not", () => {
  const failed = status("ClaimFailed", "data-db-1: too big; 1 of 3 claims have their size", true);
  expect(told(status("Growing", "1 of 3 claims"), failed)[0]).toContain("Warning ClaimFailed");
  expect(told(failed, status("ClaimFailed", "data-db-1: too big; 2 of 3 claims have their size", true))).toEqual([]);
  expect(told(failed, status("ClaimFailed", "data-db-0: no; 2 of 3 claims have their size", true))).toHaveLength(2);
});

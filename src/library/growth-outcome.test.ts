import { describe, expect, test } from "vitest";
import type { ClaimState, VolumeExpansion } from "../statefulset/types.ts";
import { type GrowthOutcome, isFinal, outcomeOfRecord } from "./growth-outcome.ts";

function aRecord(isTrue: string, generation = 2, observedGeneration = 2): VolumeExpansion {
  const conditions = ["Ready", "Progressing", "Stalled"].map((type) => ({
    type,
    status: type === isTrue ? "True" : "False",
    message: "1 of 2 claims have their size",
  }));
  return {
    metadata: { name: "db", namespace: "prod", generation },
    spec: { statefulSetName: "db" },
    status: { observedGeneration, conditions, claims: [] },
  };
}

describe("what a record says", () => {
  test.each<[string, VolumeExpansion, GrowthOutcome["kind"]]>([
    ["everything has its size", aRecord("Ready"), "resized"],
    ["it is under way", aRecord("Progressing"), "growing"],
    ["somebody has to act", aRecord("Stalled"), "failed"],
  ])("%s", (_, record, kind) => {
    expect(outcomeOfRecord(record)).toEqual({ kind, message: "1 of 2 claims have their size", claims: [] });
  });

  test.each<[string, VolumeExpansion]>([
    ["an answer to an earlier wish does not count", aRecord("Ready", 3, 2)],
    ["nor does none at all", { metadata: { name: "db", generation: 1 }, spec: { statefulSetName: "db" } }],
  ])("%s", (_, record) => {
    expect(outcomeOfRecord(record)).toMatchObject({
      kind: "growing",
      message: "nobody has looked at these sizes yet",
    });
  });
});

describe("the end", () => {
  const outcome = (kind: GrowthOutcome["kind"], ...states: ClaimState[]): GrowthOutcome => ({
    kind,
    message: "",
    claims: states.map((state) => ({ name: "", from: "", to: "", capacity: "", message: "", state })),
  });

  test.each<[GrowthOutcome, boolean]>([
    [outcome("resized", "Done", "Done"), true],
    [outcome("growing", "Done", "Growing"), false],
    [outcome("growing", "Done", "Done"), false],
    [outcome("failed", "Failed", "Done"), true],
    [outcome("failed", "Failed", "Pending"), true],
    [outcome("failed", "Failed", "Growing"), false],
    [outcome("failed", "Failed", "Recovering"), false],
    [outcome("failed", "Waiting"), true],
  ])("%j: %s", (each, isEnd) => {
    expect(isFinal(each)).toBe(isEnd);
  });
});

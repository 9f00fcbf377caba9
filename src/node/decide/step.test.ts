/** The table of kubelet's NodeExpander, and KEP-284's "File system resize on kubelet". */
import { describe, expect, test } from "vitest";
import { applyClaimChange } from "../../core/claim-change.ts";
import { DIALECTS, TODAY } from "../../core/dialect.ts";
import { NODE_EXPANSION_NOT_REQUIRED } from "../../core/names.ts";
import { Quantity } from "../../core/quantity.ts";
import { facts, NOW, type Traits, theClaim } from "./fixtures.ts";
import { DONE, decideNodeStep, type NodeDecision, nodeSize } from "./step.ts";

const size = (text: string) => Quantity.parse(text);
const decide = (traits: Traits = {}) => decideNodeStep(facts(traits));

/** A decision in one line: what a table can show. */
function told(decision: NodeDecision): string {
  switch (decision.kind) {
    case "done":
      return `done: ${decision.size}`;
    case "expand":
      return `${decision.shared ? "expand here too" : "expand"} to ${decision.size}`;
    case "wait":
    case "read-only":
    case "record":
      return decision.kind;
  }
}

const SHARED: Traits = { accessModes: ["ReadWriteMany"] };
const NOT_REQUIRED: Traits = { annotations: { [NODE_EXPANSION_NOT_REQUIRED]: "true" } };
const GROWN: Traits = { state: "none", capacity: "20Gi" };
/** A claim from before the record existed, or grown with the recovery gate off. */
const OLDER: Traits = { state: "none", allocated: null };

describe("no state is recorded", () => {
  test.each<[string, Traits, string]>([
    ["the claim has the size: done", GROWN, "done: 20Gi"],
    ["the claim has more: done", { ...GROWN, capacity: "21Gi" }, "done: 20Gi"],
    ["the claim is behind: the controller has not finished, the mount goes on", { state: "none" }, "wait"],
    ["shared and grown elsewhere: grown here too", { ...GROWN, ...SHARED }, "expand here too to 20Gi"],
    [
      "shared among other modes: grown here too",
      { ...GROWN, accessModes: ["ReadWriteOnce", "ReadWriteMany"] },
      "expand here too to 20Gi",
    ],
    ["shared, but no node has to do anything: done", { ...GROWN, ...SHARED, ...NOT_REQUIRED }, "done: 20Gi"],
    [
      "shared, annotated with any value: done",
      { ...GROWN, ...SHARED, annotations: { [NODE_EXPANSION_NOT_REQUIRED]: "" } },
      "done: 20Gi",
    ],
    ["shared, but the driver has no node expansion: done", { ...GROWN, ...SHARED, canExpand: false }, "done: 20Gi"],
    [
      "shared, but the driver refused because it is in use: wait",
      { ...GROWN, ...SHARED, memory: { inUse: true } },
      "wait",
    ],
    ["shared, mounted read-only: done", { ...GROWN, ...SHARED, readOnly: true }, "done: 20Gi"],
    ["shared read-only by many: done", { ...GROWN, accessModes: ["ReadOnlyMany"] }, "done: 20Gi"],
    ["shared and behind: wait", { ...SHARED, state: "none" }, "wait"],
  ])("%s", (_, traits, expected) => {
    expect(told(decide(traits))).toBe(expected);
  });

  test("growing a shared volume here too writes nothing on the claim", () => {
    expect(decide({ ...GROWN, ...SHARED })).toMatchObject({ record: {} });
  });
});

describe.each(["node-pending", "node-in-progress"] as const)("%s", (state) => {
  test.each<[string, Traits, string]>([
    ["the claim is behind: grow", {}, "expand to 20Gi"],
    ["shared: grow", SHARED, "expand to 20Gi"],
    ["raw block: grow, the device needs it as well", { volumeMode: "Block" }, "expand to 20Gi"],
    [
      "the recorded size counts, not the volume's (rounded up) and not the request",
      { volume: "21Gi", request: "15Gi" },
      "expand to 20Gi",
    ],
    ["nothing recorded: the volume's size counts", { allocated: null, volume: "30Gi" }, "expand to 30Gi"],
    ["the claim has the size: only the record is behind", { capacity: "20Gi" }, "record"],
    ["the claim has more: only the record is behind", { capacity: "21Gi", volume: "21Gi" }, "record"],
    ["the volume is no larger than the claim: wait for it to be written", { volume: "10Gi" }, "wait"],
    ["mounted read-only: cannot be grown here", { readOnly: true }, "read-only"],
    ["the driver has no node expansion: wait", { canExpand: false }, "wait"],
    [
      "the driver refused because it is in use: not again while it is attached here",
      { memory: { inUse: true } },
      "wait",
    ],
    ["the driver refused for good: it is tried again", { memory: { refused: size("20Gi") } }, "expand to 20Gi"],
    ["no capacity is known yet: wait", { capacity: null }, "wait"],
  ])("%s", (_, traits, expected) => {
    expect(told(decide({ ...traits, state }))).toBe(expected);
  });

  test.each([
    [DIALECTS.expansion, { resizeStatus: "NodeExpansionInProgress" }],
    [DIALECTS.resize, { allocatedResourceStatuses: { storage: "NodeResizeInProgress" } }],
    [DIALECTS.infeasible, { allocatedResourceStatuses: { storage: "NodeResizeInProgress" } }],
  ] as const)("the node says that it is at work, in the words of dialect $name", (dialect, words) => {
    const decision = decide({ state, dialect });
    if (decision.kind !== "expand") throw new Error(told(decision));
    const before = theClaim({ state, dialect });
    const after = applyClaimChange(before, decision.record, dialect, NOW);
    expect(after.status).toEqual({ ...before.status, ...words });
    expect(applyClaimChange(after, decision.record, dialect, NOW)).toBe(after);
  });
});

describe.each(["node-infeasible", "controller-in-progress", "controller-infeasible"] as const)("%s", (state) => {
  test.each<[string, Traits]>([
    ["the claim is behind", {}],
    ["the claim has the size", { capacity: "20Gi" }],
    ["no size is recorded", { allocated: null }],
    ["shared", SHARED],
    ["read-only", { readOnly: true }],
  ])("%s: wait, the mount goes on", (_, traits) => {
    expect(decide({ ...traits, state }).kind).toBe("wait");
  });
});

describe("nothing is recorded at all: an older claim", () => {
  test.each<[string, Traits, string]>([
    ["pv.spec.capacity is greater than pvc.status.capacity: grow to it", { volume: "30Gi" }, "expand to 30Gi"],
    ["the claim has the volume's size: done", { capacity: "20Gi" }, "done: 20Gi"],
    ["the claim has more: done", { capacity: "21Gi" }, "done: 20Gi"],
    ["mounted read-only: cannot be grown here", { readOnly: true }, "read-only"],
    ["the driver has no node expansion: wait", { canExpand: false }, "wait"],
    ["shared: grow", SHARED, "expand to 20Gi"],
    [
      "the driver refused because it is in use: not again while it is attached here",
      { memory: { inUse: true } },
      "wait",
    ],
    ["no capacity is known yet: wait", { capacity: null }, "wait"],
  ])("%s", (_, traits, expected) => {
    expect(told(decide({ ...OLDER, ...traits }))).toBe(expected);
  });

  test("nothing is recorded before it is grown", () => {
    expect(decide(OLDER)).toMatchObject({ kind: "expand", record: {} });
  });
});

test.each<[string, Traits, string]>([
  ["the recorded one", { volume: "30Gi" }, "20Gi"],
  ["the volume's, for a claim without a record", { ...OLDER, volume: "30Gi" }, "30Gi"],
])("the size to grow to is %s", (_, traits, expected) => {
  expect(nodeSize(facts(traits)).toString()).toBe(expected);
});

describe("what a person reads", () => {
  test.each<[string, Traits, string]>([
    ["a read-only mount, in Kubernetes' words", { readOnly: true }, "requested read-only file system"],
    ["the controller's turn", { state: "controller-in-progress" }, "the controller has not finished its part"],
    [
      "a node that failed",
      { state: "node-infeasible" },
      "the node could not grow it to this size; the controller is to choose another",
    ],
    ["a volume that is not there yet", { volume: "10Gi" }, "volume pv-1 is not larger than the claim"],
    ["a record that is behind", { capacity: "20Gi" }, "the claim has 20Gi already"],
  ])("%s", (_, traits, why) => {
    expect(decide(traits)).toMatchObject({ why });
  });
});

describe("what is written when it is over", () => {
  const kinds = ["resizing", "file-system-pending", "controller-error", "node-error"] as const;

  test.each([
    [DIALECTS.expansion, ["Ready"], ""],
    [DIALECTS.resize, undefined, undefined],
    [DIALECTS.infeasible, undefined, undefined],
  ] as const)(
    "all that told of growing is gone, in the words of dialect $name",
    (dialect, conditions, resizeStatus) => {
      const before = theClaim({ dialect, capacity: "20Gi", conditions: kinds.map((kind) => ({ kind })) });
      const after = applyClaimChange(before, DONE, dialect, NOW);
      expect(after.status?.conditions?.map(({ type }) => type)).toEqual(conditions);
      expect(after.status?.resizeStatus).toBe(resizeStatus);
      expect(after.status).not.toHaveProperty("allocatedResourceStatuses");
      expect(after.status?.allocatedResources).toEqual({ storage: "20Gi" });
      expect(applyClaimChange(after, DONE, dialect, NOW)).toBe(after);
    },
  );

  test("a claim that is done is not written at all", () => {
    const claim = theClaim(GROWN);
    expect(applyClaimChange(claim, DONE, TODAY, NOW)).toBe(claim);
  });
});

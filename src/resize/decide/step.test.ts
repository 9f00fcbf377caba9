import { describe, expect, test } from "vitest";
import { applyClaimChange, type ConditionChange } from "../../core/claim-change.ts";
import { DIALECTS, RESIZE_STATES } from "../../core/dialect.ts";
import { NODE_EXPANSION_NOT_REQUIRED, STORAGE_RESIZER } from "../../core/names.ts";
import { Quantity } from "../../core/quantity.ts";
import type { Decision } from "./decision.ts";
import { facts, factsOf, MINUTE, NOW, SLOW_RETRY, type Traits, theClaim } from "./fixtures.ts";
import { decideStep } from "./step.ts";

const size = (text: string) => Quantity.parse(text);
const decide = (traits: Traits = {}) => decideStep(facts(traits));

/** A decision in one line: what a table can show. */
function told(decision: Decision): string {
  return decision.kind === "expand" ? `expand to ${decision.size}` : decision.kind;
}

function expansion(decision: Decision): Extract<Decision, { kind: "expand" }> {
  if (decision.kind !== "expand") throw new Error(`expected an expansion, not ${JSON.stringify(decision)}`);
  return decision;
}

describe("whose claim it is", () => {
  const EBS = "ebs.csi.aws.com";
  const resizer = (driver: string) => ({ annotations: { [STORAGE_RESIZER]: driver } });

  test("a bound claim on a volume of this driver is grown", () => {
    expect(told(decide())).toBe("expand to 20Gi");
  });

  test.each<[string, Traits, string]>([
    ["a claim that is pending", { phase: "Pending" }, "the claim is not bound"],
    ["a claim that lost its volume", { phase: "Lost" }, "the claim is not bound"],
    ["a volume of another claim", { volume: { claimUid: "claim-2" } }, "volume pv-1 is not bound to this claim"],
    ["a claim in another namespace", { volume: { claimNamespace: "x" } }, "volume pv-1 is not bound to this claim"],
    ["a volume of no claim", { volume: { claimUid: undefined } }, "volume pv-1 is not bound to this claim"],
    [
      "another driver's volume",
      { driverName: "other.example.com" },
      "volume pv-1 belongs to another driver than other.example.com",
    ],
    [
      "a volume that names another driver, whatever the annotation says",
      { driverName: EBS, ...resizer(EBS) },
      `volume pv-1 belongs to another driver than ${EBS}`,
    ],
    [
      "an in-tree volume that nobody has migrated",
      { driverName: EBS, volume: { driver: undefined } },
      `volume pv-1 belongs to another driver than ${EBS}`,
    ],
    [
      "an in-tree volume that is another driver's",
      { driverName: EBS, volume: { driver: undefined }, ...resizer("pd.csi.storage.gke.io") },
      `volume pv-1 belongs to another driver than ${EBS}`,
    ],
    [
      "an in-tree volume, for a driver that takes none over",
      { volume: { driver: undefined }, ...resizer("csi.example.com") },
      "volume pv-1 belongs to another driver than csi.example.com",
    ],
  ])("%s is left alone", (_, traits, why) => {
    expect(decide(traits)).toEqual({ kind: "nothing", why });
  });

  test("a claim without a volume's name is left alone", () => {
    const claim = theClaim();
    const unnamed = factsOf({ ...claim, spec: { ...claim.spec, volumeName: "" } });
    expect(decideStep(unnamed)).toEqual({ kind: "nothing", why: "the claim is not bound" });
  });

  test.each([
    "pd.csi.storage.gke.io",
    EBS,
    "cinder.csi.openstack.org",
    "disk.csi.azure.com",
    "file.csi.azure.com",
    "csi.vsphere.vmware.com",
    "pxd.portworx.com",
  ])("an in-tree volume that %s has taken over is grown by it", (driverName) => {
    expect(told(decide({ driverName, volume: { driver: undefined }, ...resizer(driverName) }))).toBe("expand to 20Gi");
  });

  test("a claim without a known capacity has nothing yet: it is grown", () => {
    expect(told(decide({ C: null, P: "10Gi" }))).toBe("expand to 20Gi");
  });
});

describe("the record that is written before the driver is called", () => {
  const { record } = expansion(
    decide({
      conditions: [{ kind: "file-system-pending" }, { kind: "controller-error", message: "old" }],
      annotations: { [NODE_EXPANSION_NOT_REQUIRED]: "true" },
      A: "10Gi",
    }),
  );

  test("carries size, state, conditions and annotation in one change", () => {
    expect(record).toEqual({
      allocated: size("20Gi"),
      state: "controller-in-progress",
      set: [{ kind: "resizing", probed: "anew" }],
      clear: ["file-system-pending", "controller-error", "node-error", "ready"],
      annotations: { [NODE_EXPANSION_NOT_REQUIRED]: null },
    });
  });

  test.each([
    [DIALECTS.expansion, { resizeStatus: "ControllerExpansionInProgress" }, ["Resizing", "ResizeStarted"]],
    [DIALECTS.resize, { allocatedResourceStatuses: { storage: "ControllerResizeInProgress" } }, ["Resizing"]],
    [DIALECTS.infeasible, { allocatedResourceStatuses: { storage: "ControllerResizeInProgress" } }, ["Resizing"]],
  ] as const)("in the words of dialect $name", (dialect, words, conditions) => {
    const before = theClaim({ dialect, A: "10Gi", conditions: [{ kind: "controller-error", message: "old" }] });
    const { status } = applyClaimChange(before, record, dialect, NOW);
    expect(status).toMatchObject({ ...words, allocatedResources: { storage: "20Gi" }, capacity: { storage: "10Gi" } });
    expect(status?.conditions?.map(({ type }) => type)).toEqual(conditions);
  });

  test("comes back from a failure when its size is below what was recorded", () => {
    expect(expansion(decide({ state: "controller-infeasible", A: "90Gi" })).recovers).toBe(true);
    expect(expansion(decide({ state: "controller-in-progress", A: "90Gi" })).recovers).toBe(false);
    expect(expansion(decide({ state: "controller-infeasible", A: "15Gi" })).recovers).toBe(false);
    expect(expansion(decide()).recovers).toBe(false);
  });

  describe.each(Object.values(DIALECTS))("of a retry, in dialect $name", (dialect) => {
    const started = theClaim({
      dialect,
      A: "20Gi",
      state: "controller-in-progress",
      conditions: [{ kind: "resizing" }],
    });
    const recordOf = (claim: typeof started, owned: boolean, now: number) =>
      applyClaimChange(claim, expansion(decideStep(factsOf(claim, { memory: { owned }, now }))).record, dialect, now);

    test("changes nothing in a process that has written it before: no empty patch", () => {
      expect(recordOf(started, true, NOW)).toBe(started);
    });

    test("is always a write in a process that has just got the lease: a late write of the former leader must not land", () => {
      const first = recordOf(started, false, NOW);
      expect(first).not.toEqual(started);
      // Even in the very second in which the former leader wrote.
      expect(recordOf(first, false, NOW)).not.toEqual(first);
    });
  });

  test("of a retry leaves the last failure to be read", () => {
    const conditions: readonly ConditionChange[] = [{ kind: "controller-error", message: "no space" }];
    const claim = theClaim({ A: "20Gi", state: "controller-in-progress", conditions });
    const { record } = expansion(decideStep(factsOf(claim, { memory: { owned: true } })));
    expect(applyClaimChange(claim, record, DIALECTS.infeasible, NOW).status?.conditions).toMatchObject([
      { type: "ControllerResizeError", message: "no space" },
      { type: "Resizing" },
    ]);
  });
});

describe("a size that the driver called infeasible", () => {
  const FAILED = { kind: "controller-error", message: "failed to expand pvc with …", probed: true } as const;
  const infeasible: Traits = { state: "controller-infeasible", A: "20Gi", conditions: [FAILED] };
  const node: Traits = {
    ...infeasible,
    state: "node-infeasible",
    P: "20Gi",
    conditions: [{ ...FAILED, kind: "node-error" }],
  };

  test.each<[string, Traits, string | number]>([
    ["waits for as long as is remembered", { ...infeasible, memory: { notBefore: NOW + MINUTE } }, NOW + MINUTE],
    ["is tried at that moment", { ...infeasible, memory: { notBefore: NOW } }, "expand to 20Gi"],
    ["is tried after it", { ...infeasible, memory: { notBefore: NOW - 1 } }, "expand to 20Gi"],
    ["waits from the condition's time after a restart", { ...infeasible, since: NOW - MINUTE }, NOW + 4 * MINUTE],
    ["is tried when that is long ago", { ...infeasible, since: NOW - SLOW_RETRY }, "expand to 20Gi"],
    ["is tried at once when no condition tells since when", { ...infeasible, conditions: [] }, "expand to 20Gi"],
    ["on the node waits as well", { ...node, memory: { notBefore: NOW + MINUTE } }, NOW + MINUTE],
    ["on the node waits from its own condition's time", { ...node, since: NOW - MINUTE }, NOW + 4 * MINUTE],
    ["on the node is tried when that is long ago", { ...node, since: NOW - SLOW_RETRY }, "expand to 20Gi"],
    [
      "is not tried again at once when a changed request is recorded as equal in number",
      { ...infeasible, A: "20480Mi" },
      NOW + 4 * MINUTE,
    ],
  ])("%s", (_, traits, expected) => {
    const decision = decide(traits);
    expect(decision.kind === "wait-until" ? decision.at : told(decision)).toBe(expected);
  });

  test.each<[string, string]>([
    ["less", "15Gi"],
    ["more", "90Gi"],
  ])("does not hold up a changed request: %s is tried at once", (_, S) => {
    expect(told(decide({ ...infeasible, S, memory: { notBefore: NOW + MINUTE } }))).toBe(`expand to ${S}`);
  });

  test("on the node of a node-only driver does not hold up a changed request", () => {
    const lowered = decide({ ...node, P: "20Gi", S: "15Gi", nodeOnly: true, memory: { notBefore: NOW + MINUTE } });
    expect(told(lowered)).toBe("expand to 15Gi");
  });

  test("on the node stays the size to reach where the controller has done it, whatever is requested", () => {
    const lowered = decide({ ...node, S: "15Gi", since: NOW - SLOW_RETRY });
    expect(told(lowered)).toBe("expand to 20Gi");
  });

  test.each<[string, Traits]>([
    ["controller", infeasible],
    ["node", node],
  ])(
    "is recorded as in progress before it is tried again (%s): if we die now, the outcome is in doubt",
    (_, traits) => {
      const { record } = expansion(decide({ ...traits, memory: { notBefore: NOW, owned: true } }));
      expect(record).toMatchObject({ allocated: size("20Gi"), state: "controller-in-progress" });
    },
  );
});

describe("a driver that grows only what nobody uses", () => {
  const memory = { inUse: true, refused: size("20Gi"), owned: true };
  const inUse: Traits = { state: "controller-in-progress", A: "20Gi", memory };

  test.each<[string, Traits, string]>([
    ["is not called while a pod uses the volume", { ...inUse, usedByPod: true }, "wait-for-release"],
    ["is called when the last pod is gone", { ...inUse, usedByPod: false }, "expand to 20Gi"],
    ["is called when it has never refused", { ...inUse, usedByPod: true, memory: {} }, "expand to 20Gi"],
  ])("%s", (_, traits, expected) => {
    expect(told(decide(traits))).toBe(expected);
  });

  test("is named in what a person reads", () => {
    expect(decide({ ...inUse, usedByPod: true })).toEqual({
      kind: "wait-for-release",
      why: "driver csi.example.com grows this volume only while no pod uses it",
    });
  });
});

describe("a state that the claim has outgrown (k/k#131402)", () => {
  const states = RESIZE_STATES.filter((state) => state !== "none");

  describe.each(states)("%s", (state) => {
    test("is taken back when the claim has what it asks for", () => {
      const decision = decide({ S: "20Gi", C: "20Gi", A: "20Gi", P: "20Gi", state });
      expect(decision).toMatchObject({ kind: "record", change: { state: "none" } });
    });

    test("does not hold up the next expansion", () => {
      expect(told(decide({ S: "30Gi", C: "20Gi", A: "20Gi", P: "20Gi", state }))).toBe("expand to 30Gi");
    });

    test("does not hold up the next expansion either when nothing is recorded and the claim has all of the volume", () => {
      expect(told(decide({ S: "30Gi", C: "20Gi", P: "20Gi", state }))).toBe("expand to 30Gi");
    });
  });

  test("neither does what the conditions still tell: no slow retry, no waiting for the node", () => {
    const conditions = [{ kind: "file-system-pending" }, { kind: "node-error", message: "old", probed: true }] as const;
    const stale: Traits = { S: "30Gi", C: "20Gi", A: "20Gi", P: "40Gi", conditions };
    expect(told(decide({ ...stale, state: "node-pending" }))).toBe("expand to 30Gi");
    expect(told(decide({ ...stale, state: "node-infeasible", memory: { notBefore: NOW + MINUTE } }))).toBe(
      "expand to 30Gi",
    );
  });

  test("is left to the node while the node has something to do", () => {
    expect(told(decide({ S: "20Gi", C: "10Gi", A: "20Gi", P: "20Gi", state: "node-pending" }))).toBe("wait-for-node");
  });
});

describe("a claim that has what it asks for while more is recorded", () => {
  const more: Traits = { S: "10Gi", C: "10Gi", A: "20Gi", P: "20Gi" };

  test.each<[string, Traits, string]>([
    ["in doubt: the record is finished before it is forgotten", { state: "controller-in-progress" }, "expand to 20Gi"],
    ["the node's turn", { state: "node-pending" }, "wait-for-node"],
    ["the node at work", { state: "node-in-progress" }, "wait-for-node"],
    ["infeasible", { state: "controller-infeasible" }, "nothing"],
    ["infeasible on the node", { state: "node-infeasible" }, "nothing"],
    ["nothing under way", { state: "none" }, "nothing"],
  ])("%s", (_, traits, expected) => {
    expect(told(decide({ ...more, ...traits }))).toBe(expected);
  });
});

describe("with the gate RecoverExpansionFailure off", () => {
  const off = { recovery: false };

  test("a claim without a record goes the old way: nothing is recorded but a condition", () => {
    expect(expansion(decide(off)).record).toEqual({
      set: [{ kind: "resizing" }],
      clear: ["file-system-pending", "controller-error", "node-error", "ready"],
    });
  });

  test.each<[string, Traits, string]>([
    ["a claim with a record keeps following it", { A: "90Gi", state: "controller-in-progress" }, "expand to 90Gi"],
    ["one with a state and no size as well", { P: "20Gi", state: "node-pending" }, "wait-for-node"],
    [
      "it never goes below: refused",
      { A: "90Gi", state: "controller-in-progress", memory: { refused: size("90Gi") } },
      "expand to 90Gi",
    ],
    ["it never goes below: infeasible", { A: "90Gi", state: "controller-infeasible" }, "expand to 90Gi"],
    [
      "it never goes below: node-only",
      { A: "90Gi", P: "90Gi", state: "node-infeasible", nodeOnly: true },
      "expand to 90Gi",
    ],
    [
      "it goes above: refused",
      { A: "15Gi", state: "controller-in-progress", memory: { refused: size("15Gi") } },
      "expand to 20Gi",
    ],
    ["it goes above: infeasible", { A: "15Gi", state: "controller-infeasible" }, "expand to 20Gi"],
    ["an old record that is history does not count", { A: "10Gi", state: "none" }, "expand to 20Gi"],
  ])("%s", (_, traits, expected) => {
    expect(told(decide({ ...off, ...traits }))).toBe(expected);
  });

  test("a claim with a record keeps recording, or the node would wait for ever", () => {
    const { record, recovers } = expansion(decide({ ...off, A: "90Gi", state: "controller-infeasible" }));
    expect(record).toMatchObject({ allocated: size("90Gi"), state: "controller-in-progress" });
    expect(recovers).toBe(false);
  });
});

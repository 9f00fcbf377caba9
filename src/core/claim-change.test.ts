import { describe, expect, test } from "vitest";
import { readClaim } from "./claim.ts";
import { applyClaimChange, type ClaimChange } from "./claim-change.ts";
import { DIALECTS, TODAY } from "./dialect.ts";
import { Quantity } from "./quantity.ts";
import type { Condition, PersistentVolumeClaim } from "./types.ts";

const NOW = Date.UTC(2026, 10, 15, 12, 0, 0);
const STAMP = "2026-11-15T12:00:00Z";
const EARLIER = "2026-11-15T11:00:00Z";
const size = (text: string) => Quantity.parse(text);

/** A claim in the middle of growing, with fields that this program has never heard of at every level. */
function growing(): PersistentVolumeClaim {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "data-db-0", annotations: { team: "db", note: "old" }, managedFields: [{ manager: "kubectl" }] },
    spec: { resources: { requests: { storage: "20Gi" } }, futureField: { deep: [1, 2] } },
    status: {
      phase: "Bound",
      capacity: { storage: "10Gi", "example.com/iops": "3k" },
      allocatedResources: { storage: "20Gi", "example.com/iops": "4k" },
      allocatedResourceStatuses: { storage: "ControllerResizeInProgress", "example.com/iops": "Pending" },
      conditions: [
        { type: "ModifyingVolume", status: "True", lastProbeTime: null, lastTransitionTime: EARLIER },
        {
          type: "Resizing",
          status: "True",
          reason: "Kept",
          lastProbeTime: null,
          lastTransitionTime: EARLIER,
          observedGeneration: 7,
        },
      ],
      modifyVolumeStatus: { status: "InProgress" },
    },
  } as unknown as PersistentVolumeClaim;
}

const apply = (change: ClaimChange, claim = growing(), dialect = TODAY) =>
  applyClaimChange(claim, change, dialect, NOW);
const conditionsAfter = (change: ClaimChange, claim = growing(), dialect = TODAY) =>
  apply(change, claim, dialect).status?.conditions ?? [];
const withCondition = (condition: Condition) => {
  const claim = growing();
  return { ...claim, status: { ...claim.status, conditions: [condition] } };
};

describe("a change that changes nothing gives back the very same object", () => {
  test.each<[string, ClaimChange]>([
    ["an empty one", {}],
    ["the state that is recorded", { state: "controller-in-progress" }],
    ["the sizes that are recorded", { allocated: size("20Gi"), capacity: size("10Gi") }],
    ["an equal size in another notation", { allocated: size("20480Mi") }],
    ["a condition that holds", { set: [{ kind: "resizing" }] }],
    ["an empty message where there is none", { set: [{ kind: "resizing", message: "" }] }],
    ["conditions cleared that are not there", { clear: ["controller-error", "node-error", "file-system-pending"] }],
    ["a condition that this dialect has no word for", { set: [{ kind: "ready" }] }],
    ["annotations as they are", { annotations: { note: "old", gone: null } }],
    ["annotations named like what every object has", { annotations: { toString: null, constructor: null } }],
  ])("%s", (_, change) => {
    const claim = growing();
    expect(apply(change, claim)).toBe(claim);
  });

  test("a probe noted in this very second", () => {
    const probing: ClaimChange = { set: [{ kind: "resizing", probed: true }] };
    const probed = apply(probing);
    expect(probed.status?.conditions?.[1]?.lastProbeTime).toBe(STAMP);
    expect(apply(probing, probed)).toBe(probed);
  });

  test("the same change made again", () => {
    const change: ClaimChange = {
      allocated: size("30Gi"),
      state: "node-pending",
      capacity: size("15Gi"),
      set: [{ kind: "file-system-pending", message: "waiting for the pod" }],
      clear: ["resizing"],
      annotations: { note: null, fresh: "yes" },
    };
    const once = apply(change);
    expect(apply(change, once)).toBe(once);
  });
});

describe("what a change touches, and what it leaves", () => {
  test("sizes and state, beside other keys of the same maps", () => {
    expect(apply({ allocated: size("30Gi"), capacity: size("20Gi"), state: "node-pending" }).status).toMatchObject({
      capacity: { storage: "20Gi", "example.com/iops": "3k" },
      allocatedResources: { storage: "30Gi", "example.com/iops": "4k" },
      allocatedResourceStatuses: { storage: "NodeResizePending", "example.com/iops": "Pending" },
    });
  });

  test("the state none removes the record", () => {
    expect(apply({ state: "none" }).status?.allocatedResourceStatuses).toEqual({ "example.com/iops": "Pending" });
  });

  test("fields that nobody here knows survive, and the given claim is left as it is", () => {
    const claim = growing();
    const next = apply({ state: "node-pending", annotations: { note: "new" }, clear: ["resizing"] }, claim);
    expect(claim).toEqual(growing());
    expect(next).toEqual({
      ...growing(),
      metadata: { ...growing().metadata, annotations: { team: "db", note: "new" } },
      status: {
        ...growing().status,
        allocatedResourceStatuses: { storage: "NodeResizePending", "example.com/iops": "Pending" },
        conditions: [growing().status?.conditions?.[0]],
      },
    });
  });

  test("a claim without a status gets one; one whose annotations change alone keeps none", () => {
    const bare: PersistentVolumeClaim = { metadata: { name: "x" }, spec: {} };
    expect(apply({ allocated: size("1Gi"), state: "controller-in-progress" }, bare).status).toEqual({
      allocatedResources: { storage: "1Gi" },
      allocatedResourceStatuses: { storage: "ControllerResizeInProgress" },
    });
    expect(apply({ annotations: { a: "b" } }, bare)).toEqual({
      metadata: { name: "x", annotations: { a: "b" } },
      spec: {},
    });
  });

  test("what was written is what is read", () => {
    const view = readClaim(apply({ allocated: size("30Gi"), capacity: size("20Gi"), state: "node-infeasible" }));
    expect([view.allocated, view.capacity, view.state].map(String)).toEqual(["30Gi", "20Gi", "node-infeasible"]);
  });

  test("a state in the words of an older server is written in this server's", () => {
    const old = apply({ state: "controller-infeasible" }, growing(), DIALECTS.resize);
    expect(old.status?.allocatedResourceStatuses?.["storage"]).toBe("ControllerResizeFailed");
    expect(apply({ state: "controller-infeasible" }, old).status?.allocatedResourceStatuses?.["storage"]).toBe(
      "ControllerResizeInfeasible",
    );
  });
});

describe("conditions", () => {
  test("a new one begins now, at the end of the list", () => {
    expect(conditionsAfter({ set: [{ kind: "file-system-pending", message: "waiting" }] })).toEqual([
      ...(growing().status?.conditions ?? []),
      {
        type: "FileSystemResizePending",
        status: "True",
        message: "waiting",
        lastProbeTime: null,
        lastTransitionTime: STAMP,
      },
    ]);
  });

  test("one that holds keeps its transition time, its reason and unknown fields when the message changes", () => {
    expect(conditionsAfter({ set: [{ kind: "resizing", message: "to 20Gi" }] })[1]).toEqual({
      ...growing().status?.conditions?.[1],
      message: "to 20Gi",
    });
  });

  test("a message that is no longer given is removed", () => {
    const claim = withCondition({ type: "Resizing", status: "True", message: "old", lastTransitionTime: EARLIER });
    expect(conditionsAfter({ set: [{ kind: "resizing" }] }, claim)[0]).toEqual({
      type: "Resizing",
      status: "True",
      lastProbeTime: null,
      lastTransitionTime: EARLIER,
    });
  });

  test("one that did not hold begins now", () => {
    const claim = withCondition({ type: "Resizing", status: "False", lastTransitionTime: EARLIER });
    expect(conditionsAfter({ set: [{ kind: "resizing" }] }, claim)[0]).toMatchObject({
      status: "True",
      lastTransitionTime: STAMP,
    });
  });

  test("a probe is noted without touching the transition time", () => {
    expect(conditionsAfter({ set: [{ kind: "resizing", probed: true }] })[1]).toMatchObject({
      lastProbeTime: STAMP,
      lastTransitionTime: EARLIER,
    });
  });

  test("a probe that must be anew differs from the last even within one second", () => {
    const anew: ClaimChange = { set: [{ kind: "resizing", probed: "anew" }] };
    const first = apply(anew);
    const second = apply(anew, first);
    const third = apply(anew, second);
    const probes = [first, second, third].map((claim) => claim.status?.conditions?.[1]?.lastProbeTime);
    expect(probes[0]).toBe(STAMP);
    expect(probes[1]).not.toBe(probes[0]);
    expect(probes[2]).not.toBe(probes[1]);
  });

  test("set wins over clear, and clearing the last one removes the list", () => {
    expect(conditionsAfter({ set: [{ kind: "resizing" }], clear: ["resizing"] })).toHaveLength(2);
    const claim = withCondition({ type: "Resizing", status: "True" });
    expect(apply({ clear: ["resizing"] }, claim).status).not.toHaveProperty("conditions");
  });

  test("clearing removes every dialect's word for it", () => {
    const claim = withCondition({ type: "ResizeStarted", status: "True" });
    expect(conditionsAfter({ clear: ["resizing"] }, claim)).toEqual([]);
  });

  test("the first dialect writes the words of its text and of its releases", () => {
    const claim: PersistentVolumeClaim = { metadata: { name: "x" }, spec: {} };
    const change: ClaimChange = { set: [{ kind: "resizing" }, { kind: "controller-error", message: "no space" }] };
    expect(
      conditionsAfter(change, claim, DIALECTS.expansion).map(({ type, message }) => [type, message] as const),
    ).toEqual([
      ["Resizing", undefined],
      ["ResizeStarted", undefined],
      ["ResizeFailed", "no space"],
    ]);
  });
});

describe("annotations", () => {
  test("are set and removed beside the others", () => {
    expect(apply({ annotations: { note: null, fresh: "yes" } }).metadata.annotations).toEqual({
      team: "db",
      fresh: "yes",
    });
  });

  test("leave the status object alone", () => {
    const claim = growing();
    expect(apply({ annotations: { note: "new" } }, claim).status).toBe(claim.status);
  });
});

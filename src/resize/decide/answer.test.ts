import { describe, expect, test } from "vitest";
import { applyClaimChange } from "../../core/claim-change.ts";
import { DIALECTS, type Dialect, TODAY } from "../../core/dialect.ts";
import { NODE_EXPANSION_NOT_REQUIRED } from "../../core/names.ts";
import { Quantity } from "../../core/quantity.ts";
import type { PersistentVolumeClaim } from "../../core/types.ts";
import { type AfterAnswer, afterAnswer, type DriverAnswer, type DriverFailure } from "./answer.ts";
import { type ClaimTraits, factsOf, MINUTE, NOW, SLOW_RETRY, type Traits, theClaim } from "./fixtures.ts";

const size = (text: string) => Quantity.parse(text);
const OWNED = { owned: true };

/** The claim as the step has left it before the call: 20Gi recorded. */
const CALLED: ClaimTraits = { A: "20Gi", state: "controller-in-progress", conditions: [{ kind: "resizing" }] };
const NODE_IS_NEXT: DriverAnswer = { kind: "expanded", capacity: size("20Gi"), nodeExpansionRequired: true };
const DONE: DriverAnswer = { ...NODE_IS_NEXT, nodeExpansionRequired: false };

const REFUSED: DriverFailure = {
  message: "rpc error: code = Internal desc = no",
  final: true,
  infeasible: false,
  inUse: false,
};
const failed = (failure: Partial<DriverFailure> = {}): DriverAnswer => ({
  kind: "failed",
  failure: { ...REFUSED, ...failure },
});

interface Outcome extends AfterAnswer {
  readonly before: PersistentVolumeClaim;
  /** The claim with what came of it written. */
  readonly after: PersistentVolumeClaim;
}

/** What comes of an answer to a call for 20Gi. */
function answered(answer: DriverAnswer, traits: Traits = CALLED): Outcome {
  const dialect = traits.dialect ?? TODAY;
  const before = theClaim(traits);
  const outcome = afterAnswer(factsOf(before, traits), size("20Gi"), answer);
  return { ...outcome, before, after: applyClaimChange(before, outcome.claim, dialect, NOW) };
}

const conditionTypes = ({ status }: PersistentVolumeClaim) => (status?.conditions ?? []).map(({ type }) => type);

/** The word in the field that the dialect has for it, and nothing in the other. */
function recordedState({ status }: PersistentVolumeClaim, dialect: Dialect): string | undefined {
  const [current, old] = [status?.allocatedResourceStatuses?.["storage"], status?.resizeStatus ?? undefined];
  return dialect.name === "expansion" ? old : current;
}

describe("the driver has grown the volume, and the node is to go on", () => {
  test.each([
    [DIALECTS.expansion, "NodeExpansionPending", ["Resizing", "ResizeStarted", "FileSystemResizePending"]],
    [DIALECTS.resize, "NodeResizePending", ["Resizing", "FileSystemResizePending"]],
    [DIALECTS.infeasible, "NodeResizePending", ["Resizing", "FileSystemResizePending"]],
  ] as const)("in the words of dialect $name", (dialect, state, conditions) => {
    const { result, volumeCapacity, after, memory } = answered(NODE_IS_NEXT, { ...CALLED, dialect });
    expect(result).toBe("node-expansion-required");
    expect(volumeCapacity).toEqual(size("20Gi"));
    expect(recordedState(after, dialect)).toBe(state);
    expect(conditionTypes(after)).toEqual(conditions);
    expect(after.status).toMatchObject({ capacity: { storage: "10Gi" }, allocatedResources: { storage: "20Gi" } });
    expect(memory).toEqual(OWNED);
  });

  test("in Kubernetes' own words: tools look for them", () => {
    expect(answered(NODE_IS_NEXT).after.status?.conditions?.[1]).toMatchObject({
      type: "FileSystemResizePending",
      status: "True",
      message: "Waiting for user to (re-)start a pod to finish file system resize of volume on node.",
    });
  });

  test("the annotation that no node has anything to do is taken away", () => {
    const annotations = { [NODE_EXPANSION_NOT_REQUIRED]: "true" };
    expect(answered(NODE_IS_NEXT, { ...CALLED, annotations }).after.metadata.annotations).toEqual({});
  });

  test("a driver that rounds up: the volume has what it says, the record stays at what was asked for", () => {
    const { volumeCapacity, after } = answered({ ...NODE_IS_NEXT, capacity: size("21Gi") });
    expect(volumeCapacity).toEqual(size("21Gi"));
    expect(after.status).toMatchObject({ capacity: { storage: "10Gi" }, allocatedResources: { storage: "20Gi" } });
  });

  test("a node that has refused this size before is not sent back to it before a while has passed", () => {
    const conditions = [{ kind: "node-error", message: "no" }] as const;
    expect(answered(NODE_IS_NEXT, { ...CALLED, conditions }).memory).toEqual({
      owned: true,
      notBefore: NOW + SLOW_RETRY,
    });
  });
});

describe("the driver has grown the volume, and no node has anything to do", () => {
  test.each([
    [DIALECTS.expansion, "", ["Ready"]],
    [DIALECTS.resize, undefined, []],
    [DIALECTS.infeasible, undefined, []],
  ] as const)("in the words of dialect $name", (dialect, state, conditions) => {
    const { result, volumeCapacity, after, memory } = answered(DONE, { ...CALLED, dialect });
    expect(result).toBe("finished");
    expect(volumeCapacity).toEqual(size("20Gi"));
    expect(recordedState(after, dialect)).toBe(state);
    expect(conditionTypes(after)).toEqual(conditions);
    expect(after.status).toMatchObject({ capacity: { storage: "20Gi" }, allocatedResources: { storage: "20Gi" } });
    expect(after.metadata.annotations).toEqual({ [NODE_EXPANSION_NOT_REQUIRED]: "true" });
    expect(memory).toEqual(OWNED);
  });

  test("a driver that rounds up: the claim has what the driver says", () => {
    const { volumeCapacity, after } = answered({ ...DONE, capacity: size("21Gi") });
    expect(volumeCapacity).toEqual(size("21Gi"));
    expect(after.status).toMatchObject({ capacity: { storage: "21Gi" }, allocatedResources: { storage: "20Gi" } });
  });

  test("every condition that told of growing is gone, others stay", () => {
    const kinds = ["resizing", "file-system-pending", "controller-error", "node-error"] as const;
    const claim = theClaim({ ...CALLED, conditions: kinds.map((kind) => ({ kind })) });
    const other = { type: "ModifyingVolume", status: "True" };
    const status = { ...claim.status, conditions: [...(claim.status?.conditions ?? []), other] };
    const before = { ...claim, status };
    const { claim: change } = afterAnswer(factsOf(before), size("20Gi"), DONE);
    expect(applyClaimChange(before, change, TODAY, NOW).status?.conditions).toEqual([other]);
  });
});

describe("what the volume is made to say", () => {
  test("is never less than before for a driver that has a controller half", () => {
    expect(answered(NODE_IS_NEXT, { ...CALLED, P: "30Gi" }).volumeCapacity).toEqual(size("30Gi"));
  });

  test("goes back with the claim for a node-only driver, which has no backend size (KEP-1790, case 2)", () => {
    expect(answered(NODE_IS_NEXT, { ...CALLED, P: "90Gi", nodeOnly: true }).volumeCapacity).toEqual(size("20Gi"));
  });

  test("is left alone after a failure", () => {
    expect(answered(failed())).not.toHaveProperty("volumeCapacity");
  });
});

/** From the table of src/csi/error.ts, by hand. */
const CLASSES = {
  InvalidArgument: "infeasible",
  NotFound: "infeasible",
  OutOfRange: "infeasible",
  Unknown: "final",
  AlreadyExists: "final",
  PermissionDenied: "final",
  Unimplemented: "final",
  Internal: "final",
  DataLoss: "final",
  Unauthenticated: "final",
  FailedPrecondition: "in use",
  Canceled: "in doubt",
  DeadlineExceeded: "in doubt",
  ResourceExhausted: "in doubt",
  Aborted: "in doubt",
  Unavailable: "in doubt",
} as const;
const codes = (wanted: (typeof CLASSES)[keyof typeof CLASSES]) =>
  Object.entries(CLASSES)
    .filter(([, kind]) => kind === wanted)
    .map(([code]) => ({ code, message: `rpc error: code = ${code} desc = no` }));

describe("the driver refuses: infeasible", () => {
  describe.each(codes("infeasible"))("$code", ({ message }) => {
    const answer = failed({ message, infeasible: true });

    test.each([
      [DIALECTS.expansion, "ControllerExpansionFailed", ["Resizing", "ResizeStarted", "ResizeFailed"]],
      [DIALECTS.resize, "ControllerResizeFailed", ["Resizing"]],
      [DIALECTS.infeasible, "ControllerResizeInfeasible", ["Resizing", "ControllerResizeError"]],
    ] as const)("is recorded in the words of dialect $name", (dialect, state, conditions) => {
      const { result, after } = answered(answer, { ...CALLED, dialect });
      expect(result).toBe("infeasible");
      expect(recordedState(after, dialect)).toBe(state);
      expect(conditionTypes(after)).toEqual(conditions);
      expect(after.status).toMatchObject({ capacity: { storage: "10Gi" }, allocatedResources: { storage: "20Gi" } });
    });

    test("is not tried again before a while has passed, and no second call is made to find that out", () => {
      expect(answered(answer).memory).toEqual({ owned: true, refused: size("20Gi"), notBefore: NOW + SLOW_RETRY });
    });

    test("says why, and when, where people look", () => {
      const { after, message: told } = answered(answer);
      expect(told).toBe(message);
      expect(after.status?.conditions?.[1]).toEqual({
        type: "ControllerResizeError",
        status: "True",
        message: `failed to expand pvc with ${message}`,
        lastProbeTime: "2026-11-15T12:00:00Z",
        lastTransitionTime: "2026-11-15T12:00:00Z",
      });
    });
  });

  test("again: the time of the failure is that of the last one, and a restart waits from there", () => {
    const first = answered(failed({ infeasible: true }));
    const again = {
      ...first.after,
      status: { ...first.after.status, allocatedResourceStatuses: { storage: "ControllerResizeInProgress" } },
    };
    const later = NOW + SLOW_RETRY;
    const { claim } = afterAnswer(factsOf(again, { now: later }), size("20Gi"), failed({ infeasible: true }));
    expect(applyClaimChange(again, claim, TODAY, later).status?.conditions?.[1]).toMatchObject({
      lastProbeTime: "2026-11-15T12:05:00Z",
      lastTransitionTime: "2026-11-15T12:00:00Z",
    });
  });
});

describe("the driver refuses for good", () => {
  describe.each(codes("final"))("$code", ({ message }) => {
    test("the state stays, the condition tells, and the size is remembered as refused", () => {
      const { result, after, memory, message: told } = answered(failed({ message }));
      expect(result).toBe("failed");
      expect(recordedState(after, TODAY)).toBe("ControllerResizeInProgress");
      expect(after.status?.conditions?.[1]?.message).toBe(`failed to expand pvc with ${message}`);
      expect(memory).toEqual({ owned: true, refused: size("20Gi"), inUse: false });
      expect(told).toBe(message);
    });
  });

  test.each(codes("in use"))("$code: the volume is in use, which is remembered as well", ({ message }) => {
    const { result, after, memory } = answered(failed({ message, inUse: true }));
    expect(result).toBe("failed");
    expect(recordedState(after, TODAY)).toBe("ControllerResizeInProgress");
    expect(conditionTypes(after)).toEqual(["Resizing", "ControllerResizeError"]);
    expect(memory).toEqual({ owned: true, refused: size("20Gi"), inUse: true });
  });

  test.each([
    [DIALECTS.expansion, ["Resizing", "ResizeStarted", "ResizeFailed"]],
    [DIALECTS.resize, ["Resizing"]],
    [DIALECTS.infeasible, ["Resizing", "ControllerResizeError"]],
  ] as const)("it is told in the words of dialect $name", (dialect, conditions) => {
    expect(conditionTypes(answered(failed(), { ...CALLED, dialect }).after)).toEqual(conditions);
  });

  test("a server that has no word for it gets no patch", () => {
    const { before, after } = answered(failed(), { ...CALLED, dialect: DIALECTS.resize });
    expect(after).toBe(before);
  });

  test("the same failure in the same second is no patch", () => {
    const { after } = answered(failed());
    const { claim } = afterAnswer(factsOf(after), size("20Gi"), failed());
    expect(applyClaimChange(after, claim, TODAY, NOW)).toBe(after);
  });
});

describe("nobody knows what the driver did", () => {
  describe.each(codes("in doubt"))("$code", ({ message }) => {
    test("nothing is written, and nothing that was refused before is remembered", () => {
      const memory = { owned: true, refused: size("20Gi"), notBefore: NOW - MINUTE, inUse: true };
      const outcome = answered(failed({ message, final: false }), { ...CALLED, memory });
      expect(outcome.result).toBe("in-doubt");
      expect(outcome.after).toBe(outcome.before);
      expect(outcome.memory).toEqual(OWNED);
      expect(outcome.message).toBe(message);
    });
  });

  test.each(["0", "10Gi", "21474836479"])(
    "a driver that reports success with a size of %s is not believed",
    (capacity) => {
      for (const nodeExpansionRequired of [true, false]) {
        const outcome = answered({ kind: "expanded", capacity: size(capacity), nodeExpansionRequired });
        expect(outcome.result).toBe("in-doubt");
        expect(outcome.after).toBe(outcome.before);
        expect(outcome).not.toHaveProperty("volumeCapacity");
        expect(outcome.message).toBe(
          `the driver reported success but a size of ${capacity}, less than the 20Gi that it was asked for`,
        );
      }
    },
  );

  test("what was asked for in fractions of a byte is met by whole bytes", () => {
    const claim = theClaim({ S: "1001m", A: "1001m", C: "1", state: "controller-in-progress" });
    const answer: DriverAnswer = { ...DONE, capacity: Quantity.bytes(2n) };
    expect(afterAnswer(factsOf(claim), size("1001m"), answer).result).toBe("finished");
  });
});

describe("an answer that is overtaken: the claim no longer records the call", () => {
  const elsewhere: readonly [string, ClaimTraits][] = [
    ["another size is under way", { A: "15Gi", state: "controller-in-progress" }],
    ["the size is another's success", { A: "20Gi", state: "node-pending" }],
    ["the node is at work on it", { A: "20Gi", state: "node-in-progress" }],
    ["the node is done with it", { A: "20Gi", C: "20Gi", state: "none" }],
    ["the recorded size was taken away", { state: "controller-in-progress" }],
    ["it was called infeasible meanwhile", { A: "20Gi", state: "controller-infeasible" }],
  ];

  test.each(elsewhere)("%s: success tells of the volume only", (_, traits) => {
    for (const answer of [NODE_IS_NEXT, DONE]) {
      const { result, volumeCapacity, before, after, memory } = answered(answer, { ...traits, P: "10Gi" });
      expect(result).toBe("overtaken");
      expect(volumeCapacity).toEqual(size("20Gi"));
      expect(after).toBe(before);
      expect(memory).toEqual(OWNED);
    }
  });

  test.each(elsewhere)("%s: a refusal tells of nothing", (_, traits) => {
    const { result, before, after, memory } = answered(failed({ infeasible: true }), traits);
    expect(result).toBe("overtaken");
    expect(after).toBe(before);
    expect(memory).toEqual(OWNED);
  });

  test("a request that has changed meanwhile is no reason: the record is what counts", () => {
    expect(answered(NODE_IS_NEXT, { ...CALLED, S: "90Gi" }).result).toBe("node-expansion-required");
    expect(answered(failed(), { ...CALLED, S: "15Gi" }).result).toBe("failed");
  });

  test("the same size in another notation is the same size", () => {
    expect(answered(DONE, { ...CALLED, A: "20480Mi" }).result).toBe("finished");
  });
});

describe("nothing is recorded: the old way, and old servers that have dropped the fields", () => {
  const UNRECORDED: ClaimTraits = { conditions: [{ kind: "resizing" }] };

  test("the node is to go on: a condition tells it, and takes the place of the other", () => {
    const { result, volumeCapacity, after } = answered(NODE_IS_NEXT, UNRECORDED);
    expect(result).toBe("node-expansion-required");
    expect(volumeCapacity).toEqual(size("20Gi"));
    expect(conditionTypes(after)).toEqual(["FileSystemResizePending"]);
    expect(after.status).not.toHaveProperty("allocatedResourceStatuses");
  });

  test("finished: the claim has its capacity, and nothing is annotated", () => {
    const { result, after } = answered(DONE, UNRECORDED);
    expect(result).toBe("finished");
    expect(after.status).toMatchObject({ capacity: { storage: "20Gi" } });
    expect(after.status).not.toHaveProperty("conditions");
    expect(after.metadata.annotations).toEqual({});
  });

  test("finished, in the words of the first text: Ready", () => {
    expect(conditionTypes(answered(DONE, { ...UNRECORDED, dialect: DIALECTS.expansion }).after)).toEqual(["Ready"]);
  });

  test.each([false, true])(
    "refused (infeasible: %s): a condition tells, no state, and no size is remembered",
    (infeasible) => {
      const { result, after, memory } = answered(failed({ infeasible }), UNRECORDED);
      expect(result).toBe("failed");
      expect(conditionTypes(after)).toEqual(["Resizing", "ControllerResizeError"]);
      expect(after.status).not.toHaveProperty("allocatedResourceStatuses");
      expect(memory).toEqual({ owned: true, inUse: false });
    },
  );

  test("refused because it is in use: that is remembered", () => {
    expect(answered(failed({ inUse: true }), UNRECORDED).memory).toEqual({ owned: true, inUse: true });
  });
});

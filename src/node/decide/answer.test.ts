/** "Outcome of NodeExpand" of kubelet's NodeExpander, without its two defects: a timeout is no refusal, and memory ends. */
import { describe, expect, test } from "vitest";
import { applyClaimChange } from "../../core/claim-change.ts";
import { DIALECTS, type Dialect, TODAY } from "../../core/dialect.ts";
import { Quantity } from "../../core/quantity.ts";
import type { PersistentVolumeClaim } from "../../core/types.ts";
import { type AfterNodeAnswer, afterNodeAnswer, type NodeAnswer } from "./answer.ts";
import { factsOf, NOW, type Traits, theClaim } from "./fixtures.ts";

const size = (text: string) => Quantity.parse(text);
const MESSAGE = "rpc error: code = Internal desc = no";
const EXPANDED: NodeAnswer = { kind: "expanded" };
const NO_FILE_SYSTEM: NodeAnswer = { kind: "no-file-system" };
const UNSUPPORTED: NodeAnswer = { kind: "unsupported", message: MESSAGE };
const REFUSED = { kind: "failed", message: MESSAGE, final: true, infeasible: false, inUse: false } as const;
const INFEASIBLE: NodeAnswer = { ...REFUSED, infeasible: true };
const IN_USE: NodeAnswer = { ...REFUSED, inUse: true };

/** The claim as the step has left it before the call: the node is at work on 20Gi. */
const CALLED: Traits = {
  state: "node-in-progress",
  conditions: [{ kind: "resizing" }, { kind: "file-system-pending" }],
};
const OLDER: Traits = { state: "none", allocated: null, conditions: [{ kind: "file-system-pending" }] };
/** A shared volume that another node has grown. */
const SHARED: Traits = { state: "none", capacity: "20Gi", accessModes: ["ReadWriteMany"] };

interface Outcome extends AfterNodeAnswer {
  readonly before: PersistentVolumeClaim;
  /** The claim with what came of it written. */
  readonly after: PersistentVolumeClaim;
}

/** What comes of an answer to a call for 20Gi. */
function answered(answer: NodeAnswer, traits: Traits = CALLED): Outcome {
  const before = theClaim(traits);
  const outcome = afterNodeAnswer(factsOf(before, traits), size("20Gi"), answer);
  return { ...outcome, before, after: applyClaimChange(before, outcome.claim, traits.dialect ?? TODAY, NOW) };
}

const conditionTypes = ({ status }: PersistentVolumeClaim) => (status?.conditions ?? []).map(({ type }) => type);
const stateOf = ({ status }: PersistentVolumeClaim, dialect: Dialect = TODAY) =>
  dialect.name === "expansion" ? status?.resizeStatus : status?.allocatedResourceStatuses?.["storage"];

describe("the node has grown it", () => {
  test.each([
    [DIALECTS.expansion, "", ["Ready"]],
    [DIALECTS.resize, undefined, []],
    [DIALECTS.infeasible, undefined, []],
  ] as const)(
    "the claim has the recorded size and nothing tells of growing, in dialect $name",
    (dialect, state, conditions) => {
      const { result, after, memory, mount } = answered(EXPANDED, { ...CALLED, dialect });
      expect(result).toBe("expanded");
      expect(after.status).toMatchObject({ capacity: { storage: "20Gi" }, allocatedResources: { storage: "20Gi" } });
      expect(stateOf(after, dialect)).toBe(state);
      expect(conditionTypes(after)).toEqual(conditions);
      expect(memory).toEqual({});
      expect(mount).toBe("proceed");
    },
  );

  test("what was refused before is forgotten", () => {
    const memory = { refused: size("20Gi"), inUse: true };
    expect(answered(EXPANDED, { ...CALLED, memory }).memory).toEqual({});
  });

  test("a claim that has more already keeps it, and the state is taken back", () => {
    const { after } = answered(EXPANDED, { ...CALLED, capacity: "21Gi" });
    expect(after.status?.capacity).toEqual({ storage: "21Gi" });
    expect(stateOf(after)).toBeUndefined();
  });

  test("an older claim has the volume's size, and its conditions are gone", () => {
    const { result, after } = answered(EXPANDED, OLDER);
    expect(result).toBe("expanded");
    expect(after.status).toEqual({ phase: "Bound", capacity: { storage: "20Gi" } });
  });

  test.each(Object.values(DIALECTS))(
    "a shared volume that is grown here too: nothing is written, in dialect $name",
    (dialect) => {
      const { result, before, after, mount } = answered(EXPANDED, { ...SHARED, dialect });
      expect(result).toBe("expanded");
      expect(after).toBe(before);
      expect(mount).toBe("proceed");
    },
  );
});

describe("there is no file system yet", () => {
  test("the mount makes one of the full size: the claim has it", () => {
    const { result, after, mount } = answered(NO_FILE_SYSTEM);
    expect(result).toBe("format");
    expect(after.status?.capacity).toEqual({ storage: "20Gi" });
    expect(stateOf(after)).toBeUndefined();
    expect(mount).toBe("proceed");
  });
});

describe("the driver does not do this", () => {
  test("which is fine when there was nothing to do", () => {
    const { result, before, after, mount } = answered(UNSUPPORTED, SHARED);
    expect(result).toBe("expanded");
    expect(after).toBe(before);
    expect(mount).toBe("proceed");
  });

  test.each<[string, Traits]>([
    ["a recorded expansion", CALLED],
    ["an older claim", OLDER],
  ])("which is a failure for %s: a condition tells, the state stays", (_, traits) => {
    const { result, before, after, mount, message } = answered(UNSUPPORTED, traits);
    expect(result).toBe("failed");
    expect(conditionTypes(after)).toEqual([...conditionTypes(before), "NodeResizeError"]);
    expect(stateOf(after)).toBe(stateOf(before));
    expect(mount).toBe("fail");
    expect(message).toBe(MESSAGE);
  });
});

describe("the driver calls the size infeasible", () => {
  test.each([
    [
      DIALECTS.expansion,
      "NodeExpansionFailed",
      ["Resizing", "ResizeStarted", "FileSystemResizePending", "ResizeFailed"],
    ],
    [DIALECTS.resize, "NodeResizeFailed", ["Resizing", "FileSystemResizePending"]],
    [DIALECTS.infeasible, "NodeResizeInfeasible", ["Resizing", "FileSystemResizePending", "NodeResizeError"]],
  ] as const)("it goes back to the controller, in the words of dialect $name", (dialect, state, conditions) => {
    const { result, after, memory, mount } = answered(INFEASIBLE, { ...CALLED, dialect });
    expect(result).toBe("infeasible");
    expect(stateOf(after, dialect)).toBe(state);
    expect(conditionTypes(after)).toEqual(conditions);
    expect(after.status).toMatchObject({ capacity: { storage: "10Gi" }, allocatedResources: { storage: "20Gi" } });
    expect(memory).toEqual({ refused: size("20Gi"), inUse: false });
    expect(mount).toBe("proceed");
  });

  test("an older claim has no state to put it in: a condition tells, and the mount fails (KEP-284)", () => {
    const { result, after, mount } = answered(INFEASIBLE, OLDER);
    expect(result).toBe("failed");
    expect(after.status).not.toHaveProperty("allocatedResourceStatuses");
    expect(conditionTypes(after)).toEqual(["FileSystemResizePending", "NodeResizeError"]);
    expect(mount).toBe("fail");
  });
});

describe("the driver refuses for good", () => {
  test("once: a condition tells, the state stays, and it is tried again", () => {
    const { result, after, memory, mount } = answered(REFUSED);
    expect(result).toBe("failed");
    expect(stateOf(after)).toBe("NodeResizeInProgress");
    expect(after.status?.conditions?.at(-1)).toEqual({
      type: "NodeResizeError",
      status: "True",
      message: `failed to expand pvc with ${MESSAGE}`,
      lastProbeTime: "2026-11-15T12:00:00Z",
      lastTransitionTime: "2026-11-15T12:00:00Z",
    });
    expect(memory).toEqual({ refused: size("20Gi"), inUse: false });
    expect(mount).toBe("fail");
  });

  test.each([
    [DIALECTS.expansion, ["Resizing", "ResizeStarted", "FileSystemResizePending", "ResizeFailed"]],
    [DIALECTS.resize, ["Resizing", "FileSystemResizePending"]],
    [DIALECTS.infeasible, ["Resizing", "FileSystemResizePending", "NodeResizeError"]],
  ] as const)("it is told in the words of dialect $name", (dialect, conditions) => {
    expect(conditionTypes(answered(REFUSED, { ...CALLED, dialect }).after)).toEqual(conditions);
  });

  test("twice, and still wanted: as before", () => {
    const { result, after } = answered(REFUSED, { ...CALLED, memory: { refused: size("20Gi") } });
    expect(result).toBe("failed");
    expect(stateOf(after)).toBe("NodeResizeInProgress");
  });

  test("twice, and no longer wanted: back to the controller, which may pick the new request", () => {
    const { result, after, mount } = answered(REFUSED, {
      ...CALLED,
      request: "15Gi",
      memory: { refused: size("20Gi") },
    });
    expect(result).toBe("infeasible");
    expect(stateOf(after)).toBe("NodeResizeInfeasible");
    expect(mount).toBe("fail");
  });

  test("once, and no longer wanted: it gets its second chance", () => {
    expect(answered(REFUSED, { ...CALLED, request: "15Gi" }).result).toBe("failed");
  });

  test("another size than before, and no longer wanted: it gets its second chance", () => {
    const memory = { refused: size("30Gi") };
    expect(answered(REFUSED, { ...CALLED, request: "15Gi", memory }).result).toBe("failed");
  });

  test("the same failure in the same second is no patch", () => {
    const { after } = answered(REFUSED);
    const { claim } = afterNodeAnswer(factsOf(after), size("20Gi"), REFUSED);
    expect(applyClaimChange(after, claim, TODAY, NOW)).toBe(after);
  });
});

describe("the driver refuses because the volume is in use", () => {
  test("a condition tells, it is not tried again while attached here, and the pod starts", () => {
    const { result, after, memory, mount } = answered(IN_USE);
    expect(result).toBe("failed");
    expect(stateOf(after)).toBe("NodeResizeInProgress");
    expect(conditionTypes(after)).toContain("NodeResizeError");
    expect(memory).toEqual({ refused: size("20Gi"), inUse: true });
    expect(mount).toBe("proceed");
  });

  test("refused before and no longer wanted: back to the controller, and the pod starts all the same", () => {
    const { result, memory, mount } = answered(IN_USE, {
      ...CALLED,
      request: "15Gi",
      memory: { refused: size("20Gi") },
    });
    expect(result).toBe("infeasible");
    expect(memory).toEqual({ refused: size("20Gi"), inUse: true });
    expect(mount).toBe("proceed");
  });

  test("an older claim: the same, without a state", () => {
    const { result, after, memory, mount } = answered(IN_USE, OLDER);
    expect(result).toBe("failed");
    expect(after.status).not.toHaveProperty("allocatedResourceStatuses");
    expect(memory.inUse).toBe(true);
    expect(mount).toBe("proceed");
  });
});

describe("nobody knows what the driver did", () => {
  test.each(["DeadlineExceeded", "Canceled", "ResourceExhausted", "Aborted", "Unavailable"])(
    "%s is in doubt, not final as kubelet takes it: nothing is written, and it is tried again",
    (code) => {
      const message = `rpc error: code = ${code} desc = no`;
      const memory = { refused: size("20Gi") };
      const answer: NodeAnswer = { ...REFUSED, message, final: false };
      const { result, before, after, mount, ...rest } = answered(answer, { ...CALLED, request: "15Gi", memory });
      expect(result).toBe("in-doubt");
      expect(after).toBe(before);
      expect(rest.memory).toEqual(memory);
      expect(rest.message).toBe(message);
      expect(mount).toBe("fail");
    },
  );
});

describe("an answer that is overtaken: another size is recorded by now", () => {
  const moved: Traits = { ...CALLED, allocated: "30Gi" };

  test.each([EXPANDED, NO_FILE_SYSTEM, REFUSED, INFEASIBLE, IN_USE])("$kind: nothing is written", (answer) => {
    const { result, before, after, memory, mount } = answered(answer, moved);
    expect(result).toBe("overtaken");
    expect(after).toBe(before);
    expect(memory).toEqual({});
    expect(mount).toBe("proceed");
  });

  test("the same size in another notation is the same size", () => {
    expect(answered(EXPANDED, { ...CALLED, allocated: "20480Mi" }).result).toBe("expanded");
  });
});

import { describe, expect, test } from "vitest";
import {
  type ConditionKind,
  conditionTypes,
  DIALECTS,
  type Dialect,
  dialectFor,
  isRecorded,
  RESIZE_STATES,
  type ResizeState,
  readState,
  TODAY,
  writeState,
} from "./dialect.ts";
import type { PersistentVolumeClaimStatus } from "./types.ts";

const { expansion, resize, infeasible } = DIALECTS;

/** The whole vocabulary, as the texts and the releases spell it. */
const WORDS: readonly [ResizeState, inExpansion: string, inResize: string, inInfeasible: string][] = [
  [
    "controller-in-progress",
    "ControllerExpansionInProgress",
    "ControllerResizeInProgress",
    "ControllerResizeInProgress",
  ],
  ["controller-infeasible", "ControllerExpansionFailed", "ControllerResizeFailed", "ControllerResizeInfeasible"],
  ["node-pending", "NodeExpansionPending", "NodeResizePending", "NodeResizePending"],
  ["node-in-progress", "NodeExpansionInProgress", "NodeResizeInProgress", "NodeResizeInProgress"],
  ["node-infeasible", "NodeExpansionFailed", "NodeResizeFailed", "NodeResizeInfeasible"],
];

const SPELLINGS = WORDS.flatMap(([state, ...words]): [Dialect, ResizeState, string][] => [
  [expansion, state, words[0]],
  [resize, state, words[1]],
  [infeasible, state, words[2]],
]);

test("the table covers every state that is ever recorded", () => {
  expect(["none", ...WORDS.map(([state]) => state)]).toEqual(RESIZE_STATES);
});

describe.each(SPELLINGS)("$0.name: %s", (dialect, state, word) => {
  const written: PersistentVolumeClaimStatus =
    dialect.name === "expansion" ? { resizeStatus: word } : { allocatedResourceStatuses: { storage: word } };

  test(`${state} is written as ${word}, in this dialect's field and in no other`, () => {
    expect(writeState({ phase: "Bound" }, state, dialect)).toEqual({ phase: "Bound", ...written });
  });

  test(`${word} is read as ${state}`, () => {
    expect(readState(written)).toBe(state);
    expect(isRecorded(written, state, dialect)).toBe(true);
  });

  test("any other dialect's record is replaced", () => {
    for (const other of Object.values(DIALECTS)) {
      for (const old of RESIZE_STATES) {
        expect(writeState(writeState({}, old, other), state, dialect)).toEqual(written);
      }
    }
  });
});

test("a record in another dialect's words is not yet one in ours", () => {
  const old = writeState({}, "node-infeasible", resize);
  expect(readState(old)).toBe("node-infeasible");
  expect(isRecorded(old, "node-infeasible", infeasible)).toBe(false);
  expect(isRecorded(old, "node-pending", infeasible)).toBe(false);
});

describe("no expansion under way", () => {
  test.each(Object.values(DIALECTS))("in $name nothing is written where nothing was", (dialect) => {
    const status: PersistentVolumeClaimStatus = { phase: "Bound" };
    expect(writeState(status, "none", dialect)).toEqual(status);
    expect(isRecorded(status, "none", dialect)).toBe(true);
  });

  test("the first text sets the empty string when an expansion is complete", () => {
    expect(writeState({ resizeStatus: "NodeExpansionInProgress" }, "none", expansion)).toEqual({ resizeStatus: "" });
    expect(readState({ resizeStatus: "" })).toBe("none");
  });

  test("later dialects remove the key, and the map when it was the last", () => {
    const status = { allocatedResourceStatuses: { storage: "NodeResizePending" } };
    expect(writeState(status, "none", infeasible)).toEqual({});
    const more = { allocatedResourceStatuses: { storage: "NodeResizePending", "example.com/iops": "Pending" } };
    expect(writeState(more, "none", infeasible)).toEqual({
      allocatedResourceStatuses: { "example.com/iops": "Pending" },
    });
  });

  test.each([undefined, {}, { resizeStatus: null }, { allocatedResourceStatuses: {} }])(
    "%j reads as none",
    (status) => {
      expect(readState(status)).toBe("none");
    },
  );
});

test("the field's name in the v1.27 text is read and cleared, but never written", () => {
  const status: PersistentVolumeClaimStatus = { allocatedResourceStatus: { storage: "ControllerResizeFailed" } };
  expect(readState(status)).toBe("controller-infeasible");
  expect(writeState(status, "controller-in-progress", resize)).toEqual({
    allocatedResourceStatuses: { storage: "ControllerResizeInProgress" },
  });
});

test("a word that nobody knows reads as none", () => {
  expect(readState({ allocatedResourceStatuses: { storage: "SomethingFromTheFuture" } })).toBe("none");
  expect(readState({ allocatedResourceStatuses: { storage: "constructor" } })).toBe("none");
});

test("writing leaves the given status, and the fields that it does not know, as they are", () => {
  const status = { phase: "Bound", resizeStatus: "NodeExpansionPending", modifyVolumeStatus: { status: "Pending" } };
  const before = structuredClone(status);
  expect(writeState(status, "node-pending", infeasible)).toHaveProperty("modifyVolumeStatus", { status: "Pending" });
  expect(status).toEqual(before);
});

describe("the dialect of a server", () => {
  test.each([
    ["v1.23.0", expansion],
    ["v1.27.9-gke.100", expansion],
    ["v1.28.0", resize],
    ["v1.30.14+k3s1", resize],
    ["v1.31.0", infeasible],
    ["v1.31.0-alpha.1", infeasible],
    ["v1.36.4+outgrow", infeasible],
    ["1.36", infeasible],
    ["v2.0.0", infeasible],
    ["v1.20.15", expansion],
  ])("%s speaks $1.name", (version, dialect) => {
    expect(dialectFor(version)).toBe(dialect);
  });

  test.each(["", "v1", "latest", "v0.0.0-master+$Format:%H$", "x1.36"])("%j is an error that shows it", (version) => {
    expect(() => dialectFor(version)).toThrow(
      expect.objectContaining({
        code: "VERSION_UNREADABLE",
        message: expect.stringContaining(`${JSON.stringify(version)}; expected something like v1.36.3`),
      }),
    );
  });

  test("today's is the one that the newest servers speak", () => {
    expect(TODAY).toBe(dialectFor("v1.36.3"));
  });
});

describe("conditions", () => {
  const KINDS: readonly [ConditionKind, string[]][] = [
    ["resizing", ["Resizing", "ResizeStarted"]],
    ["file-system-pending", ["FileSystemResizePending"]],
    ["controller-error", ["ResizeFailed", "ControllerResizeError"]],
    ["node-error", ["ResizeFailed", "NodeResizeError"]],
    ["ready", ["Ready"]],
  ];

  test.each(KINDS)("%s is %j in one dialect or another", (kind, types) => {
    expect([...conditionTypes(kind)].sort()).toEqual([...types].sort());
  });

  test("the first dialect writes the words of the first text beside those of the releases", () => {
    expect(expansion.conditions.resizing).toEqual(["Resizing", "ResizeStarted"]);
    expect(expansion.conditions["controller-error"]).toEqual(["ResizeFailed"]);
    expect(expansion.conditions.ready).toEqual(["Ready"]);
  });

  test("errors have conditions of their own from 1.31 on, and none between", () => {
    expect(resize.conditions["controller-error"]).toEqual([]);
    expect(resize.conditions["node-error"]).toEqual([]);
    expect(infeasible.conditions["controller-error"]).toEqual(["ControllerResizeError"]);
    expect(infeasible.conditions["node-error"]).toEqual(["NodeResizeError"]);
  });
});

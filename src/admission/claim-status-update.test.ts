import { describe, expect, test } from "vitest";
import { DIALECTS } from "../core/dialect.ts";
import type { PersistentVolumeClaimStatus } from "../core/types.ts";
import { prepareClaimStatusUpdate, validateClaimStatusUpdate } from "./claim-status-update.ts";
import { aClaim } from "./fixtures.ts";
import { fieldErrorText } from "./verdict.ts";

const ON = { RecoverExpansionFailure: true };
const OFF = { RecoverExpansionFailure: false };

function errors(status: PersistentVolumeClaimStatus, gates = ON, old = aClaim()): string[] {
  return validateClaimStatusUpdate(old, aClaim({ status }), gates).map(fieldErrorText);
}

const STATES =
  'supported values: "ControllerResizeInProgress", "ControllerResizeInfeasible", "NodeResizeInProgress", "NodeResizeInfeasible", "NodeResizePending"';

describe("allocatedResourceStatuses", () => {
  test.each(Object.values(DIALECTS.infeasible.states))("takes today's word %s", (state) => {
    expect(errors({ allocatedResourceStatuses: { storage: state } })).toEqual([]);
  });

  test.each(["ControllerResizeFailed", "NodeResizeFailed", "ControllerExpansionInProgress", ""])(
    "refuses the word %j, naming the key as upstream does",
    (state) => {
      expect(errors({ allocatedResourceStatuses: { storage: state } })).toEqual([
        `status.allocatedResourceStatuses: Unsupported value: "storage": ${STATES}`,
      ]);
    },
  );

  test.each<[string, string[]]>([
    ["storage", []],
    ["example.com/iops", []],
    ["cpu", ['Unsupported value: "cpu": supported values: "storage"']],
    ["kubernetes.io/iops", ['Unsupported value: "kubernetes.io/iops": supported values: "storage"']],
    ["sub.kubernetes.io/iops", ['Unsupported value: "sub.kubernetes.io/iops": supported values: "storage"']],
  ])("key %s", (key, expected) => {
    expect(errors({ allocatedResourceStatuses: { [key]: "NodeResizePending" } })).toEqual(
      expected.map((text) => `status.allocatedResourceStatuses: ${text}`),
    );
    expect(errors({ allocatedResources: { [key]: "1Gi" } })).toEqual(
      expected.map((text) => `status.allocatedResources: ${text}`),
    );
  });

  test("a key must be a qualified name", () => {
    expect(errors({ allocatedResources: { "a b": "1Gi" } })).toEqual([
      expect.stringMatching(/^status\.allocatedResources: Invalid value: "a b": a valid label key must consist of/),
    ]);
  });

  test("any state may follow any other, with or without allocatedResources", () => {
    const old = aClaim({ status: { allocatedResourceStatuses: { storage: "NodeResizeInfeasible" } } });
    expect(errors({ allocatedResourceStatuses: { storage: "ControllerResizeInProgress" } }, ON, old)).toEqual([]);
    expect(errors({ allocatedResources: { storage: "1Gi" } }, ON, old)).toEqual([]);
  });
});

describe("sizes", () => {
  test("may go down and need fit nothing else", () => {
    const old = aClaim({ capacity: "100Gi", allocated: "200Gi" });
    expect(errors({ capacity: { storage: "1Gi" }, allocatedResources: { storage: "5Ti" } }, ON, old)).toEqual([]);
  });

  test.each(["capacity", "allocatedResources"] as const)("%s may not be negative", (field) => {
    expect(errors({ [field]: { storage: "-1" } })).toEqual([
      `status.${field}[storage]: Invalid value: -1: must be a valid resource quantity`,
    ]);
  });

  test("must be readable", () => {
    expect(errors({ capacity: { storage: "big" } })).toEqual([
      'status.capacity[storage]: Invalid value: "big": must be a valid resource quantity',
    ]);
  });
});

test("a status write names the version it was made for, and the claim has access modes", () => {
  const { metadata, ...claim } = aClaim({ spec: { accessModes: [] } });
  const { resourceVersion: _, ...unversioned } = metadata;
  const next = { ...claim, metadata: unversioned };
  expect(validateClaimStatusUpdate(aClaim(), next, ON).map(fieldErrorText)).toEqual([
    "resourceVersion: Required value",
    "Spec.accessModes: Required value",
  ]);
});

describe("an update of the status", () => {
  test("keeps the stored spec and the metadata that was sent", () => {
    const sent = aClaim({ request: "99Gi", annotations: { "volume.kubernetes.io/storage-resizer": "csi" } });
    const prepared = prepareClaimStatusUpdate(aClaim(), sent, ON);
    expect(prepared.spec).toEqual(aClaim().spec);
    expect(prepared.metadata.annotations).toEqual({ "volume.kubernetes.io/storage-resizer": "csi" });
  });
});

describe("the recovery gate off", () => {
  const record = {
    allocatedResources: { storage: "20Gi" },
    allocatedResourceStatuses: { storage: "ControllerResizeInProgress" },
  };

  test("drops a record that the claim did not have", () => {
    const prepared = prepareClaimStatusUpdate(aClaim(), aClaim({ status: { ...record, phase: "Bound" } }), OFF);
    expect(prepared.status).toEqual({ phase: "Bound", capacity: { storage: "10Gi" } });
  });

  test("keeps each field that is already in use", () => {
    const old = aClaim({ allocated: "100Gi" });
    const prepared = prepareClaimStatusUpdate(old, aClaim({ status: record }), OFF);
    expect(prepared.status).toMatchObject({ allocatedResources: { storage: "20Gi" } });
    expect(prepared.status).not.toHaveProperty("allocatedResourceStatuses");
  });

  test("does not look at what it would drop, but at what is in use", () => {
    const wrong = { allocatedResourceStatuses: { storage: "Whatever" } };
    expect(errors(wrong, OFF)).toEqual([]);
    expect(errors(wrong, OFF, aClaim({ allocated: "20Gi" }))).toHaveLength(1);
  });
});
